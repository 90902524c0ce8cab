import { setTimeout as after } from 'node:timers/promises'
import { startTurnMs } from '../../shared/limits.ts'

/**
 * Lets the processes of one program start one after another. A CLI that renews its login as it starts spends a token
 * that is good only once: of several that start at the same moment all but one would be logged out.
 */
export class StartGate {
  readonly #newest = new Map<string, Promise<void>>()
  readonly #turnMs: number

  /** Whoever takes longer to start than `turnMs` does not hold up the others. */
  constructor(turnMs: number = startTurnMs) {
    this.#turnMs = turnMs
  }

  /**
   * Starts when it is its turn. Who is refused for its login while others start tries once more, because what they
   * renewed is read by a new process. Rejects as `start` does; that is asked of an aborted signal as well.
   */
  async through<Started>(program: string, start: () => Promise<Started>, signal: AbortSignal): Promise<Started> {
    const first = this.#enter(program, start, signal)
    try {
      return await first.started
    } catch (error) {
      if (first.isAlone() || !isLoggedOut(error)) throw error
      return await this.#enter(program, start, signal).started
    }
  }

  #enter<Started>(program: string, start: () => Promise<Started>, signal: AbortSignal) {
    const before = this.#newest.get(program)
    const started = this.#startAfter(before, start, signal)
    const over = started.then(nothing, nothing)
    this.#newest.set(program, over)
    const isNewest = () => this.#newest.get(program) === over
    void over.then(() => isNewest() && this.#newest.delete(program))
    return { started, isAlone: () => before === undefined && (isNewest() || !this.#newest.has(program)) }
  }

  async #startAfter<Started>(before: Promise<void> | undefined, start: () => Promise<Started>, signal: AbortSignal) {
    // who is called off while it waits hears so from its own start
    if (before) await Promise.race([before, after(this.#turnMs, undefined, { signal, ref: false }).catch(nothing)])
    return start()
  }
}

const nothing = () => undefined
const isLoggedOut = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'agent.unauthorized'
