import { resolve, sep } from 'node:path'

interface SlotRequest {
  attemptId: string
  directory: string
  writes: boolean
}

/** One attempt's place: given back once, and free for others while it is suspended. */
interface Slot {
  suspend(): void
  resume(granted: () => void): void
  release(): void
}

interface Waiting extends SlotRequest {
  granted: () => void
}

/**
 * Hands out slots to attempts: first in, first out; at most `limit()` at once; one writer in a directory.
 * A request that has to wait for its directory does not hold up those behind it. Who is suspended is in the middle of
 * its work: its directory stays its own, and it comes back before those who have not begun.
 */
export class Slots {
  readonly #limit: () => number
  readonly #held = new Map<string, SlotRequest>()
  readonly #suspended = new Map<string, SlotRequest>()
  #returning: Waiting[] = []
  #queue: Waiting[] = []

  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** Asks for a slot; `granted` is called once, later or at once. */
  ask(request: SlotRequest, granted: () => void): Slot {
    const { attemptId } = request
    this.#queue.push({ ...request, granted })
    this.review()
    return {
      suspend: () => {
        this.#leave(attemptId)
        this.#suspended.set(attemptId, request)
        this.review()
      },
      resume: (again) => {
        this.#leave(attemptId)
        this.#suspended.set(attemptId, request)
        this.#returning.push({ ...request, granted: again })
        this.review()
      },
      release: () => {
        this.#leave(attemptId)
        this.review()
      },
    }
  }

  /** Attempts that wait, in order. */
  get waiting(): readonly string[] {
    return this.#line.map((entry) => entry.attemptId)
  }

  /** Hands out what is free now. */
  review(): void {
    // whoever is granted a slot may give it back or ask for another before we look again
    for (let next = this.#next(); next; next = this.#next()) {
      this.#leave(next.attemptId)
      this.#held.set(next.attemptId, next)
      next.granted()
    }
  }

  get #line(): readonly Waiting[] {
    return [...this.#returning, ...this.#queue]
  }

  #next(): Waiting | undefined {
    return this.#held.size < this.#limit() ? this.#line.find((entry) => this.#mayHave(entry)) : undefined
  }

  #leave(attemptId: string): void {
    const isAnother = (entry: Waiting) => entry.attemptId !== attemptId
    this.#held.delete(attemptId)
    this.#suspended.delete(attemptId)
    this.#returning = this.#returning.filter(isAnother)
    this.#queue = this.#queue.filter(isAnother)
  }

  #mayHave(entry: SlotRequest): boolean {
    if (!entry.writes) return true
    return ![...this.#held.values(), ...this.#suspended.values()].some(
      (other) => other.writes && other.attemptId !== entry.attemptId && overlap(other.directory, entry.directory),
    )
  }
}

/** Whether two directories are one, or one is within the other. */
const overlap = (one: string, other: string): boolean => {
  const [first, second] = [resolve(one) + sep, resolve(other) + sep]
  return first.startsWith(second) || second.startsWith(first)
}
