import { conforms } from './conformance.ts'

conforms('kimi')
