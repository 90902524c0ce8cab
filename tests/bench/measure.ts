import { measures } from './measures.ts'

const figures = await measures[process.argv[2] ?? '']?.()
process.stdout.write(JSON.stringify(figures ?? []))
