import { OutputItem } from '../../shared/agent-event.ts'
import { groupCommitMs } from '../../shared/limits.ts'
import type { OutputRow } from '../../shared/view.ts'
import type { VoteReading } from '../../shared/vote.ts'
import { readVote, VoteFilter } from '../../shared/vote-text.ts'

interface TurnRecorderOptions {
  attemptId: string
  try: number
  /** The code word that a vote of this attempt must carry; `null` where no vote is wanted. */
  nonce: string | null
  /** The number of the newest item that the attempt already has. */
  lastSeq: number
  /** Makes rows durable; throws when they cannot be written. */
  keep: (rows: OutputRow[]) => void
  /** Shows what is durable. */
  show: (rows: OutputRow[]) => void
  /** Told once, when rows could not be kept. */
  failed: (error: unknown) => void
  now: () => number
}

/**
 * Keeps what one try says: takes the vote out of the text, numbers the items, commits them in groups, then shows
 * them.
 */
export class TurnRecorder {
  readonly #options: TurnRecorderOptions
  #filter = new VoteFilter()
  #pending: OutputRow[] = []
  #seq: number
  #said = ''
  #timer: NodeJS.Timeout | null = null
  #broken = false

  constructor(options: TurnRecorderOptions) {
    this.#options = options
    this.#seq = options.lastSeq
    // a further try begins its answer anew; what an earlier one said stays in its own rows
    if (options.try > 1) this.#add({ type: 'textReplaced', text: '' })
  }

  hear(item: OutputItem): void {
    if (item.type === 'text') return this.#hearText(item.delta)
    if (item.type === 'textReplaced') return this.#replaceText(item.text)
    this.#add(isText(item) ? item : bounded(item))
  }

  /** Ends the turn: releases what was held back and gives the whole text with its vote. */
  finish(): { text: string; reading: VoteReading } {
    const rest = this.#filter.end()
    if (rest) this.#add({ type: 'text', delta: rest })
    this.flush()
    const { text, reading } = readVote(this.#said, this.#options.nonce ?? '')
    return { text, reading: this.#options.nonce === null ? { vote: null, noVote: 'missing' } : reading }
  }

  /** Makes everything heard so far durable, and shows it. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const rows = this.#pending
    if (rows.length === 0 || this.#broken) return
    this.#pending = []
    try {
      this.#options.keep(rows)
    } catch (error) {
      this.#broken = true
      this.#options.failed(error)
      return
    }
    this.#options.show(rows)
  }

  #hearText(delta: string): void {
    this.#said += delta
    const shown = this.#filter.push(delta)
    if (shown) this.#add({ type: 'text', delta: shown })
  }

  #replaceText(text: string): void {
    this.#said = text
    this.#filter = new VoteFilter()
    // a vote may begin in this text and end in what follows
    this.#add({ type: 'textReplaced', text: this.#filter.push(text) })
  }

  #add(item: OutputItem): void {
    const last = this.#pending.at(-1)
    if (item.type === 'text' && last?.item.type === 'text') {
      last.item.delta += item.delta
    } else {
      this.#seq += 1
      this.#pending.push({
        attemptId: this.#options.attemptId,
        seq: this.#seq,
        at: this.#options.now(),
        try: this.#options.try,
        item: { ...item },
      })
    }
    this.#timer ??= setTimeout(() => this.flush(), groupCommitMs)
  }
}

const isText = ({ type }: OutputItem): boolean => type === 'reasoning' || type === 'text' || type === 'textReplaced'

/** One malformed item is the fault of one agent: it is counted, and stops nobody. */
const bounded = (item: OutputItem): OutputItem => {
  if (OutputItem.safeParse(item).success) return item
  return { type: 'omitted', what: item.type.slice(0, 200), bytes: JSON.stringify(item).length, sha256: null }
}
