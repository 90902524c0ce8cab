import { conforms } from './conformance.ts'

conforms('gemini')
