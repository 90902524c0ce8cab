import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isWithin, type Figure } from './figure.ts'
import { measures, onDemand } from './measures.ts'
import { tableOf } from './table.ts'

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false }, minutes: { type: 'string', default: '60' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !(name in measures))
if (unknown.length > 0) {
  console.error(`There is no such measure: ${unknown.join(', ')}. There are ${Object.keys(measures).join(', ')}.`)
  process.exit(2)
}

/** Each in a process of its own, so that none pays for the memory of another. */
const figuresOf = (name: string): Figure[] => {
  process.stderr.write(`measuring ${name} …\n`)
  const script = fileURLToPath(new URL('./measure.ts', import.meta.url))
  const printed = execFileSync(process.execPath, [...process.execArgv, script, name, values.minutes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(printed.toString()) as Figure[]
}

const names = Object.keys(measures).filter((name) =>
  positionals.length === 0 ? !onDemand.has(name) : positionals.includes(name))
const figures = names.flatMap(figuresOf)

for (const line of tableOf(figures)) console.log(line)
const over = figures.filter((figure) => !isWithin(figure))
if (over.length > 0) console.log(`\n${over.length} over budget`)
process.exitCode = values.check && over.length > 0 ? 1 : 0
