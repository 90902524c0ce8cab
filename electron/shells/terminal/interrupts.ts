import { repeatedSignalMs } from '../../../shared/limits.ts'

export type Interrupt = 'person' | 'system'

/**
 * Hears what asks us to stop: Ctrl+C from the person, or the end of the terminal or session from the system.
 * One Ctrl+C may arrive twice, from the terminal and from npm; the second of such a pair is no second wish.
 */
export class Interrupts {
  readonly #now: () => number
  readonly #listeners: ((interrupt: Interrupt) => void)[] = []
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Takes over the process's own signals. */
  listenToProcess(): void {
    process.on('SIGINT', () => this.signal())
    process.on('SIGTERM', () => this.interrupt('system'))
    process.on('SIGHUP', () => this.interrupt('system'))
  }

  /** Hears Ctrl+C as a signal, which may come twice. */
  signal(): void {
    const sinceMs = this.#now() - this.#lastAt
    this.#lastAt = this.#now()
    if (sinceMs >= repeatedSignalMs) this.interrupt('person')
  }

  interrupt(interrupt: Interrupt): void {
    this.#listeners.at(-1)?.(interrupt)
  }

  /** The newest listener alone is told, until it leaves. */
  take(listener: (interrupt: Interrupt) => void): () => void {
    this.#listeners.push(listener)
    return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1)
  }
}
