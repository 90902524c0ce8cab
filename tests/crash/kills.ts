import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { TestOffice } from '../fakes/office.ts'
import { rehearsal } from './agents.ts'
import { differenceOf } from './difference.ts'
import { readJournal, type Told } from './journal.ts'
import { aliveIn, atRest, everythingIn, unstoppable, wrongIn } from './witness.ts'

/** How long the guard of a killed Parley may take to end what that left behind. */
const guardMs = 5_000

/** A place for one data folder and its journal, gone after `use`. */
export const inPlace = async <Result>(use: (place: Place) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-points-'))
  const place = { folder, data: join(folder, 'data'), journal: join(folder, 'journal') }
  mkdirSync(place.data, { mode: 0o700 })
  try {
    return await use(place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Place {
  folder: string
  data: string
  journal: string
}

/** Starts one of the programs beside this file in a place, and gives back its process. */
export const startIn = ({ data, journal }: Place, program: string, env: Record<string, string> = {}) =>
  spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, program), data, journal], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, NODE_COMPILE_CACHE: compileCache },
  })

/** The same programs are started hundreds of times. */
const compileCache = join(tmpdir(), 'parley-crash-compiled')

/** Goes through the session once without a kill, and tells its fail-points, in their order. */
export const listPoints = (): Promise<string[]> =>
  inPlace(async (place) => {
    await once(startIn(place, 'session-child.ts'), 'close')
    const told = readJournal(place.journal)
    if (!told.some((each) => each.told === 'end')) throw new Error('the session did not come to its end')
    return told.flatMap((each) => (each.told === 'point' ? [each.name] : []))
  })

export interface Verdict {
  /** The name of the point at which it was killed; `null` when the session ended before it. */
  point: string | null
  /** Sentences about what was wrong afterwards. */
  wrong: string[]
}

/** Kills the session at one of its points, by number or name, starts twice, and says what is wrong. */
export const killAt = (point: number | string, then: 'orderly' | 'killed'): Promise<Verdict> =>
  inPlace(async (place) => {
    await once(startIn(place, 'session-child.ts', { PARLEY_TEST_KILL_AT: String(point) }), 'close')
    const told = readJournal(place.journal)
    const last = told.findLast((each) => each.told === 'point')
    const wrong = await wrongAfterStarts(place.data, told, then)
    return { point: last?.told === 'point' ? last.name : null, wrong }
  })

/**
 * Starts on a folder that was left by a kill, says what is wrong, and whether a second start changes anything: after an
 * orderly end, or on the folder as another kill would leave it.
 */
export const wrongAfterStarts = async (
  data: string,
  told: readonly Told[],
  then: 'orderly' | 'killed',
): Promise<string[]> => {
  const wrong = await stillAlive(data)
  const first = new TestOffice(rehearsal, data)
  await first.start()
  wrong.push(...(await wrongIn(first, told)))
  // what a person had approved goes on by itself
  await atRest(first)
  const before = await everythingIn(first)
  const copy = `${data}-copy`
  if (then === 'killed') cpSync(data, copy, { recursive: true, filter: (source) => !source.endsWith('parley.lock') })
  await first.quit()

  const second = new TestOffice(rehearsal, then === 'killed' ? copy : data)
  await second.start()
  const difference = differenceOf(before, await everythingIn(second))
  if (difference) wrong.push(`a second start changed something: ${difference}`)
  wrong.push(...(await wrongIn(second, told)), ...(await unstoppable(second)))
  await second.quit()
  wrong.push(...(await stillAlive(data)))
  if (then === 'killed') second.remove()
  return [...new Set(wrong)]
}

const stillAlive = async (data: string): Promise<string[]> => {
  const deadline = AbortSignal.timeout(guardMs)
  while (aliveIn(data).length > 0 && !deadline.aborted) await wait(20)
  return aliveIn(data).map((pid) => `process ${pid} lives without a run`)
}
