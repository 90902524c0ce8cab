import { setTimeout } from 'node:timers/promises'
import { diskTryFirstMs, diskTryMaxMs } from '../../shared/limits.ts'

/** Tries a disk that has refused a write, each time after a longer wait, until it takes writes again. */
export class DiskWatch {
  readonly #takesWrites: () => boolean
  #waitMs = diskTryFirstMs

  constructor(takesWrites: () => boolean) {
    this.#takesWrites = takesWrites
  }

  /** Resolves once it takes writes; rejects when `left` says that nobody waits any more. */
  async writable(left: AbortSignal): Promise<void> {
    do {
      await setTimeout(this.#waitMs, undefined, { signal: left })
      this.#waitMs = Math.min(2 * this.#waitMs, diskTryMaxMs)
    } while (!this.#takesWrites())
  }

  /** It was written to: should it refuse again, it is tried soon. */
  reset(): void {
    this.#waitMs = diskTryFirstMs
  }
}
