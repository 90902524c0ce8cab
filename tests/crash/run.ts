import { parseArgs } from 'node:util'
import { faultKinds } from './faulty-disk.ts'
import { killAt, listPoints } from './kills.ts'
import { cutPower } from './power-cut.ts'
import { killUnderLoad } from './random-kills.ts'
import { countOperations, failFrom } from './storage-faults.ts'

/**
 * `npm run test:crash`: a kill -9 at every fail-point of a session, kills under load at random moments, and a disk that
 * fails from every operation on, in every way. `-- --seed=N` repeats the moments, `-- --only=points|load|disk` does one
 * part, `-- --kind=full` one way of failing, `-- --at=N` one point or operation.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string' }, kind: { type: 'string' }, at: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const killsUnderLoad = 30
const childrenAtOnce = 3
const officesAtOnce = 8
const started = performance.now()
let wrongInAll = 0

if (wanted('points')) await points()
if (wanted('load')) await load()
if (wanted('disk')) await disk()
if (wrongInAll > 0) process.exitCode = 1

async function points() {
  const names = await listPoints()
  const reached = await each(numbersTo(names.length), childrenAtOnce, async (number) => {
    const { point, wrong } = await killAt(number, number % 2 === 0 ? 'orderly' : 'killed')
    say(`${number} ${point ?? 'after the end'}`, wrong)
    return point !== null
  })
  conclude(`${names.length} fail-points, killed at ${count(reached)} of them`)
}

async function load() {
  console.log(`kills under load, seed ${seed}`)
  await killUnderLoad(seed, killsUnderLoad, ({ point, wrong }) => say(point ?? '', wrong))
  conclude(`${killsUnderLoad} kills under load`)
}

async function disk() {
  const operations = await countOperations()
  for (const kind of faultKinds.filter((each) => values.kind === undefined || each === values.kind)) {
    const reached = await each(numbersTo(operations), officesAtOnce, async (number) => {
      const { failedAt, wrong } = await failFrom(kind, number)
      say(`${kind} from ${number}, ${failedAt ?? 'not reached'}`, wrong)
      return failedAt !== null
    })
    conclude(`${operations} operations, ${kind}: failed at ${count(reached)} of them`)
  }
  const cuts = await cutPower()
  for (const { after, wrong } of cuts) say(`power cut after ${after}`, wrong)
  conclude(`${cuts.length} power cuts, ${cuts.filter(({ lostBytes }) => lostBytes > 0).length} of them with a torn log`)
}

function wanted(part: 'points' | 'load' | 'disk') {
  return values.only === undefined || values.only === part
}

function numbersTo(last: number) {
  return values.at === undefined ? Array.from({ length: last }, (_, index) => index + 1) : [Number(values.at)]
}

/** Does `work` for each number, so many at a time. */
async function each(numbers: readonly number[], atOnce: number, work: (number: number) => Promise<boolean>) {
  const left = [...numbers]
  const results: boolean[] = []
  const worker = async () => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) results.push(await work(number))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

function count(all: readonly boolean[]) {
  return all.filter(Boolean).length
}

function say(what: string, wrong: readonly string[]) {
  if (wrong.length === 0) return
  wrongInAll += 1
  console.log(`WRONG ${what}\n${wrong.map((line) => `    ${line}`).join('\n')}`)
}

function conclude(what: string) {
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`${what}; ${wrongInAll} wrong so far; ${seconds} s`)
}
