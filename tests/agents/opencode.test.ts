import { conforms } from './conformance.ts'

conforms('opencode')
