import { conforms } from './conformance.ts'

conforms('copilot')
