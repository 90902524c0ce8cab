import type { Readable } from 'node:stream'

/** What a fake agent reads of its input: lines, bytes, or all of it. Nothing is read before it is asked for. */
export class Input {
  readonly #stream: Readable
  #held = Buffer.alloc(0)
  #ended = false
  #waiting: (() => void) | null = null
  #isListening = false

  constructor(stream: Readable) {
    this.#stream = stream
  }

  /** Resolves once there is nothing more to read. */
  get end(): Promise<void> {
    return this.#until(() => {
      this.#held = Buffer.alloc(0)
      return this.#ended ? true : null
    }).then(() => undefined)
  }

  /** The next line, or `null` at the end. */
  line(): Promise<string | null> {
    return this.#until(() => {
      const at = this.#held.indexOf('\n')
      if (at < 0) return this.#ended ? { text: null } : null
      const text = this.#held.subarray(0, at).toString('utf8')
      this.#held = this.#held.subarray(at + 1)
      return { text }
    }).then(({ text }) => text)
  }

  /** Takes so many bytes, or what there is before the end. */
  bytes(count: number): Promise<void> {
    return this.#until(() => {
      if (this.#held.length < count && !this.#ended) return null
      this.#held = this.#held.subarray(count)
      return true
    }).then(() => undefined)
  }

  async #until<Found>(look: () => Found | null): Promise<Found> {
    this.#listen()
    for (;;) {
      const found = look()
      if (found !== null) return found
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
  }

  #listen() {
    if (this.#isListening) return
    this.#isListening = true
    const wake = () => {
      this.#waiting?.()
      this.#waiting = null
    }
    this.#stream.on('data', (bytes: Buffer) => {
      this.#held = Buffer.concat([this.#held, bytes])
      wake()
    })
    this.#stream.on('end', () => {
      this.#ended = true
      wake()
    })
  }
}
