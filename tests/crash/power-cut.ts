import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Around } from '../../shared/steps.ts'
import { TestOffice } from '../fakes/office.ts'
import type { Told } from './journal.ts'
import { inPlace } from './kills.ts'
import { session } from './session.ts'
import { scripted } from './storage-faults.ts'
import { wrongIn } from './witness.ts'

/** What a person is told only once it is safe from a power cut. */
const safe: ReadonlySet<Told['told']> = new Set([
  'conversation', 'naming', 'deleted', 'draft', 'image', 'image removed', 'sending', 'accepted', 'queued', 'answered',
])

interface Cut {
  after: string
  /** How much of the log had not reached the disk. */
  lostBytes: number
  wrong: string[]
}

/**
 * Goes through the session and cuts the power after each thing that a person was told, or after every so many: of the
 * log only what the disk was waited for is left, and the rest is what a torn write leaves, nothing, zeros or noise.
 */
export const cutPower = (every = 1): Promise<Cut[]> =>
  inPlace(async ({ folder, data }) => {
    const log = join(data, 'parley.db-wal')
    const told: Told[] = []
    const copies: { copy: string; told: Told[]; lostBytes: number }[] = []
    let durableBytes = 0
    const sizeNow = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0
    const around: Around = (step, work) => {
      if (step.kind !== 'sync') return work()
      const size = sizeNow()
      const done = work()
      void Promise.resolve(done).then(() => {
        durableBytes = Math.min(Math.max(durableBytes, size), sizeNow())
      })
      return done
    }
    const office = new TestOffice(scripted, data, { around })
    await office.start()
    await session(office, (each) => {
      if (!safe.has(each.told)) return
      told.push(each)
      // who keeps these waits for the disk at once
      if (!synced.has(each.told)) durableBytes = sizeNow()
      const copy = join(folder, `cut-${told.length}`)
      copies.push({ copy, told: [...told], lostBytes: copyTorn(data, copy, Math.min(durableBytes, sizeNow())) })
    })
    await office.quit()

    const cuts: Cut[] = []
    for (const cut of copies.filter((_, index) => index % every === 0)) {
      const next = new TestOffice(scripted, cut.copy)
      await next.start()
      cuts.push({ after: cut.told.at(-1)?.told ?? '', lostBytes: cut.lostBytes, wrong: await wrongIn(next, cut.told) })
      await next.quit()
    }
    return cuts
  })

/** The disk is waited for beside main for these; of what is only about to be done nothing is promised. */
const synced: ReadonlySet<Told['told']> = new Set([
  'sending', 'accepted', 'answered', 'naming', 'deleted', 'image removed',
])

const copyTorn = (data: string, copy: string, durableBytes: number): number => {
  cpSync(data, copy, { recursive: true, filter: (source) => !/parley\.(lock|db-shm)$/.test(source) })
  const path = join(copy, 'parley.db-wal')
  const whole = readFileSync(path)
  const lost = whole.subarray(durableBytes)
  const noise = Buffer.from(lost.map((byte, index) => byte ^ (index % 251)))
  const torn = [Buffer.alloc(0), Buffer.alloc(lost.length), noise]
  writeFileSync(path, Buffer.concat([whole.subarray(0, durableBytes), torn[lost.length % torn.length] ?? lost]))
  return lost.length
}
