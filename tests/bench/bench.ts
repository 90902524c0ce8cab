import { parseArgs } from 'node:util'
import { measureCheckpoint } from './checkpoint.ts'
import { isWithin, type Figure, type Measure } from './figure.ts'
import { measureReading } from './reading.ts'
import { measureStream } from './stream.ts'
import { tableOf } from './table.ts'
import { measureTurn } from './turn.ts'

const measures: Readonly<Record<string, Measure>> = {
  checkpoint: measureCheckpoint,
  reading: measureReading,
  stream: measureStream,
  turn: measureTurn,
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !(name in measures))
if (unknown.length > 0) {
  console.error(`There is no such measure: ${unknown.join(', ')}. There are ${Object.keys(measures).join(', ')}.`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, measure] of Object.entries(measures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  process.stderr.write(`measuring ${name} …\n`)
  figures.push(...await measure())
}

for (const line of tableOf(figures)) console.log(line)
const over = figures.filter((figure) => !isWithin(figure))
if (over.length > 0) console.log(`\n${over.length} over budget`)
process.exitCode = values.check && over.length > 0 ? 1 : 0
