interface NextMessagesOptions {
  /** Whether what waits may begin now, later (quitting waits for what runs), or not any more. */
  may: () => 'now' | 'later' | 'never'
  /** Begins the first that waits in this conversation. Never throws. */
  begin: (conversationId: string) => Promise<void>
}

/** Lets the next message of a conversation begin when a run there has settled, or holds it back meanwhile. */
export class NextMessages {
  readonly #options: NextMessagesOptions
  readonly #held = new Set<string>()

  constructor(options: NextMessagesOptions) {
    this.#options = options
  }

  runSettled(conversationId: string): void {
    const may = this.#options.may()
    if (may === 'later') this.#held.add(conversationId)
    if (may === 'now') void this.#options.begin(conversationId)
  }

  /** What was held back goes on where it may by now. */
  review(): void {
    if (this.#options.may() === 'later') return
    const held = [...this.#held]
    this.#held.clear()
    for (const conversationId of held) this.runSettled(conversationId)
  }
}
