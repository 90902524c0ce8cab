import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { readJournal } from './journal.ts'
import { inPlace, startIn, wrongAfterStarts, type Verdict } from './kills.ts'

const earliestMs = 300
const latestMs = 4_000

/** Kills Parley under load, again and again in one folder, at moments that follow from the seed. */
export const killUnderLoad = (seed: number, times: number, heard: (verdict: Verdict) => void): Promise<Verdict[]> =>
  inPlace(async (place) => {
    const next = randomFrom(seed)
    const verdicts: Verdict[] = []
    for (let kill = 1; kill <= times; kill += 1) {
      const afterMs = Math.round(earliestMs + next() * (latestMs - earliestMs))
      const child = startIn(place, 'load-child.ts')
      const gone = once(child, 'close')
      await Promise.race([wait(afterMs), gone])
      child.kill('SIGKILL')
      const [code] = await gone
      const ended = code === null ? [] : [`it ended by itself with ${code}`]
      const then = kill % 2 === 0 ? 'orderly' : 'killed'
      const wrong = await wrongAfterStarts(place.data, readJournal(place.journal), then)
      const verdict = { point: `under load, after ${afterMs} ms`, wrong: [...ended, ...wrong] }
      heard(verdict)
      verdicts.push(verdict)
    }
    return verdicts
  })

/** Numbers from 0 to 1 that look like chance and are the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
