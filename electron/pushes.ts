import { pushes, type Envelope, type Push, type PushName } from '../shared/ipc.ts'
import { pushBatchMax, pushIntervalMs } from '../shared/limits.ts'
import type { Composition } from './shell.ts'
import type { Log } from './log.ts'

interface PushFeedOptions {
  source: Composition['onPush']
  /** Hands a batch to the window. The next batch waits until it is taken. */
  send: (envelopes: readonly Envelope[]) => void | Promise<void>
  log: Log
  now?: () => number
}

/** Numbers every push by its topic and hands them to the window in order, at most one batch per frame. */
export const openPushFeed = ({ source, send, log, now = Date.now }: PushFeedOptions): { close(): void } => {
  const feed = new PushFeed(send, log)
  const stop = source((topic, body) => feed.add(topic, body, now()))
  return {
    close() {
      stop()
      feed.close()
    },
  }
}

/** Keeps what the window has not taken yet. */
class PushFeed {
  readonly #send: PushFeedOptions['send']
  readonly #log: Log
  readonly #sequences = new Map<PushName, number>()
  #waiting: Envelope[] = []
  #timer: NodeJS.Timeout | null = null
  #sending = false
  #closed = false

  constructor(send: PushFeedOptions['send'], log: Log) {
    this.#send = send
    this.#log = log
  }

  add<N extends PushName>(topic: N, body: Push<N>, at: number) {
    if (this.#closed) return
    const stripped = pushes[topic].safeParse(body)
    if (!stripped.success) {
      this.#log.error('push.malformed', { topic })
      return
    }
    const seq = (this.#sequences.get(topic) ?? 0) + 1
    this.#sequences.set(topic, seq)
    // the schema of this very topic made the body
    this.#waiting.push({ topic, seq, at, body: stripped.data } as Envelope)
    if (this.#waiting.length >= pushBatchMax) this.#flush()
    this.#timer ??= setTimeout(() => this.#flush(), pushIntervalMs)
  }

  close() {
    this.#closed = true
    this.#waiting = []
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #flush() {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#sending || this.#waiting.length === 0) return
    this.#sending = true
    void this.#sendWaiting()
  }

  async #sendWaiting() {
    try {
      while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, pushBatchMax))
    } catch (error) {
      // a window that is closing or being reloaded misses pushes; it reads a snapshot when it is back
      this.#log.warn('push.undelivered', { error: error instanceof Error ? error.name : 'unknown' })
    } finally {
      this.#sending = false
    }
  }
}
