import { sleepGapMs, wakeCheckMs } from '../../shared/limits.ts'

/** Notices that the computer slept, and tells how long, before any deadline speaks. */
export class AwakeClock {
  readonly #now: () => number
  readonly #listeners = new Set<(sleptMs: number, at: number) => void>()
  #lastSeen: number
  #timer: NodeJS.Timeout

  constructor(now: () => number) {
    this.#now = now
    this.#lastSeen = now()
    this.#timer = setInterval(() => this.check(), wakeCheckMs)
    this.#timer.unref()
  }

  now = (): number => this.#now()

  /** Hears of each sleep, in milliseconds; gives back the way to stop. */
  onWake(hear: (sleptMs: number, at: number) => void): () => void {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  /** Looks whether time has jumped since it last looked. */
  check(): void {
    const at = this.#now()
    const gap = at - this.#lastSeen
    this.#lastSeen = at
    if (gap < sleepGapMs) return
    // who begins to hear because of this sleep has not slept
    const listening = Array.from(this.#listeners)
    for (const hear of listening) hear(gap - wakeCheckMs, at)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
