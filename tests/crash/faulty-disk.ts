import { setTimeout as wait } from 'node:timers/promises'
import type { Around, Step } from '../../shared/steps.ts'
import { nameOf } from './points.ts'

export const faultKinds = ['full', 'io', 'permission', 'torn', 'slow'] as const
export type FaultKind = (typeof faultKinds)[number]

/** What SQLite, and what the system says of a file. A torn write is done and then said to have failed. */
const words = {
  full: { errcode: 13, code: 'ENOSPC', message: 'database or disk is full' },
  io: { errcode: 10, code: 'EIO', message: 'disk I/O error' },
  permission: { errcode: 8, code: 'EACCES', message: 'attempt to write a readonly database' },
  torn: { errcode: 10, code: 'EIO', message: 'disk I/O error' },
} as const

/** How long a slow disk takes for each sync. */
const slowSyncMs = 20

/** A disk on which everything goes well up to the operation with this number, and then nothing until it is mended. */
export class FaultyDisk {
  readonly #kind: FaultKind
  readonly #from: number
  #operations = 0
  #isMended = false
  /** What the first failed operation was; `null` when it was never reached. */
  failedAt: string | null = null

  constructor(kind: FaultKind, from: number) {
    this.#kind = kind
    this.#from = from
  }

  get operations(): number {
    return this.#operations
  }

  mend(): void {
    this.#isMended = true
  }

  breakDown(): void {
    this.#isMended = false
  }

  readonly around: Around = (step, work) => {
    if (!ofTheDisk.has(step.kind)) return work()
    this.#operations += 1
    if (this.#isMended || this.#operations < this.#from) return work()
    this.failedAt ??= nameOf(step)
    return this.#fail(step, work)
  }

  #fail<Result>(step: Step, work: () => Result): Result {
    // an asynchronous step gives a promise, whatever it is of
    if (this.#kind === 'slow') return step.kind === 'sync' ? (wait(slowSyncMs).then(work) as Result) : work()
    const said = Object.assign(new Error(words[this.#kind].message), words[this.#kind])
    if (step.kind !== 'sync') {
      if (this.#kind === 'torn') work()
      throw said
    }
    const done = this.#kind === 'torn' ? Promise.resolve(work()) : Promise.resolve()
    return done.then(() => Promise.reject(said)) as Result
  }
}

const ofTheDisk: ReadonlySet<string> = new Set(['statement', 'commit', 'sync', 'file'])
