import { conforms } from './conformance.ts'

conforms('qwen')
