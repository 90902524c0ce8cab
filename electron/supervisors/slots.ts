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
 * A request that has to wait for its directory does not hold up those behind it.
 */
export class Slots {
  readonly #limit: () => number
  readonly #held = new Map<string, SlotRequest>()
  #queue: Waiting[] = []

  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** Asks for a slot; `granted` is called once, later or at once. */
  ask(request: SlotRequest, granted: () => void): Slot {
    this.#enqueue(request, granted)
    return {
      suspend: () => this.#leave(request.attemptId),
      resume: (again) => this.#enqueue(request, again),
      release: () => this.#leave(request.attemptId),
    }
  }

  /** Attempts that wait, in order. */
  get waiting(): readonly string[] {
    return this.#queue.map((entry) => entry.attemptId)
  }

  /** Hands out what a raised limit has made free. */
  review(): void {
    for (const entry of this.#queue) {
      if (this.#held.size >= this.#limit()) return
      if (this.#mayHave(entry)) this.#grant(entry)
    }
  }

  #enqueue(request: SlotRequest, granted: () => void): void {
    this.#leave(request.attemptId)
    this.#queue.push({ ...request, granted })
    this.review()
  }

  #leave(attemptId: string): void {
    this.#held.delete(attemptId)
    this.#queue = this.#queue.filter((entry) => entry.attemptId !== attemptId)
    this.review()
  }

  #grant(entry: Waiting): void {
    this.#queue = this.#queue.filter((other) => other !== entry)
    this.#held.set(entry.attemptId, entry)
    entry.granted()
  }

  #mayHave(entry: SlotRequest): boolean {
    if (!entry.writes) return true
    return ![...this.#held.values()].some((other) => other.writes && other.directory === entry.directory)
  }
}
