import { pushes, type Envelope, type Push, type PushName } from '../shared/ipc.ts'
import { pushBatchMax, pushHeldMaxCharacters, pushIntervalMs, pushWaitingMax } from '../shared/limits.ts'
import { coalesced, type Unsent } from './coalesce.ts'
import type { Composition } from './shell.ts'
import type { Log } from './log.ts'

interface PushFeedOptions {
  source: Composition['onPush']
  /** Hands a batch to the window. The next batch waits until it is taken. */
  send: (envelopes: readonly Envelope[]) => void | Promise<void>
  log: Log
  now?: () => number
}

/**
 * Numbers every push by its topic and hands them to the window in order: at once after a rest, then at most one batch
 * per frame. A window that falls behind gets fewer pushes that say the same; one that falls far behind is told to read
 * again, and what waited for it is let go.
 */
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
  #waiting: Unsent[] = []
  /** How much memory that holds, in characters. */
  #held = 0
  #timer: NodeJS.Timeout | null = null
  #sentAt = Number.NEGATIVE_INFINITY
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
    const weight = JSON.stringify(stripped.data).length
    // the schema of this very topic made the body
    this.#keep({ topic, at, body: stripped.data, weight } as Unsent)
    if (this.#waiting.length >= pushBatchMax) this.#flush()
    const rest = Math.max(0, this.#sentAt + pushIntervalMs - performance.now())
    this.#timer ??= setTimeout(() => this.#flush(), rest)
  }

  close() {
    this.#closed = true
    this.#waiting = []
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #keep(push: Unsent) {
    this.#waiting.push(push)
    this.#held += push.weight
    if (this.#held > pushHeldMaxCharacters) this.#letGo(push.at)
    else if (this.#waiting.length > pushWaitingMax) this.#waiting = coalesced(this.#waiting)
  }

  #letGo(at: number) {
    this.#log.warn('push.let-go', { pushes: this.#waiting.length })
    this.#held = 0
    this.#waiting = [{ topic: 'pushes.missed', at, body: {}, weight: 0 }]
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
      while (this.#waiting.length > 0) await this.#send(this.#nextBatch())
    } catch (error) {
      // a window that is closing or being reloaded misses pushes; it reads a snapshot when it is back
      this.#log.warn('push.undelivered', { error: error instanceof Error ? error.name : 'unknown' })
    } finally {
      this.#sending = false
    }
  }

  #nextBatch(): Envelope[] {
    const batch = this.#waiting.splice(0, pushBatchMax)
    this.#sentAt = performance.now()
    this.#held = this.#waiting.reduce((sum, { weight }) => sum + weight, 0)
    return batch.map(({ topic, at, body }) => {
      const seq = (this.#sequences.get(topic) ?? 0) + 1
      this.#sequences.set(topic, seq)
      return { topic, seq, at, body } as Envelope
    })
  }
}
