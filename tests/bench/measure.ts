import { measures } from './measures.ts'

const [name = '', minutes = ''] = process.argv.slice(2)
const figures = await measures[name]?.(Number(minutes))
process.stdout.write(JSON.stringify(figures ?? []))
