/** What an agent itself says where the words of its model belong; each is a whole piece of an answer. */
export interface Asides {
  /** It only tells that it tries again. */
  retrying: RegExp
  /** It tells what is known anyway. */
  known: RegExp
  /** What it failed with, where nothing follows and nothing was used; the first group is what it says. */
  failure: RegExp
}

/** Tells an agent's own remarks from the words of its model, and remembers one that may be the failure of the turn. */
export class AsideReader {
  readonly #asides: Asides | undefined
  #held = ''
  #retries = 0

  constructor(asides: Asides | undefined) {
    this.#asides = asides
  }

  /** `null` for the words of the model, else how often it has tried again by now, or nothing to tell. */
  read(piece: string): { retries: number } | 'nothing' | null {
    if (!this.#asides) return null
    if (this.#asides.failure.test(piece)) {
      this.#held = piece
      return 'nothing'
    }
    if (this.#asides.retrying.test(piece)) {
      this.#retries += 1
      return { retries: this.#retries }
    }
    return this.#asides.known.test(piece) ? 'nothing' : null
  }

  /** What was taken for a failure and was none, as something followed it. */
  release(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** What the turn failed with: the last remark, where the agent counts no use of its model. */
  failure(hasUsage: boolean): string | null {
    if (this.#held === '' || hasUsage) return null
    return this.#asides?.failure.exec(this.#held)?.[1] ?? this.#held
  }
}
