import { conforms } from './conformance.ts'

conforms('openclaw')
