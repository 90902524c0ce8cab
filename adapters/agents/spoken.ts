import type { OutputItem } from '../../shared/agent-event.ts'

/** A block is whole: nothing is added to it any more, and what follows is parted from it. */
export interface BlockEnded {
  type: 'blockEnded'
  of: 'text' | 'reasoning'
}

/** Joins the blocks of one turn's answer to one text and says what of it is new. */
export class Spoken {
  readonly #kind: 'text' | 'reasoning'
  readonly #blocks: { id: string; text: string; ended: boolean }[] = []

  constructor(kind: 'text' | 'reasoning') {
    this.#kind = kind
  }

  /** More of a block; the first of a new block is parted from the one before by an empty line. */
  add(id: string, delta: string): OutputItem[] {
    if (delta === '') return []
    const last = this.#blocks.at(-1)
    if (last?.id === id && !last.ended) {
      last.text += delta
      return [{ type: this.#kind, delta }]
    }
    const known = this.#blocks.find((block) => block.id === id)
    if (known) return this.#replace(known, known.text + delta)
    this.#blocks.push({ id, text: delta, ended: false })
    return [{ type: this.#kind, delta: this.#blocks.length > 1 ? `\n\n${delta}` : delta }]
  }

  /** The authoritative text of a block: what is missing is added, and a divergence replaces the whole. */
  settle(id: string, text: string): (OutputItem | BlockEnded)[] {
    const heard = this.#settleText(id, text)
    const block = this.#blocks.find((each) => each.id === id)
    if (!block || block.ended) return heard
    block.ended = true
    return [...heard, { type: 'blockEnded', of: this.#kind }]
  }

  /**
   * A block was cut off: the provider will say it again from its beginning. Of text it is taken back; reasoning, which
   * nobody quotes, stays as it was streamed, and what follows is parted from it.
   */
  drop(): (OutputItem | BlockEnded)[] {
    const last = this.#blocks.at(-1)
    if (!last || last.ended) return []
    if (this.#kind === 'reasoning') {
      last.ended = true
      last.id = `${last.id} cut off ${this.#blocks.length}`
      return [{ type: 'blockEnded', of: 'reasoning' }]
    }
    this.#blocks.pop()
    return [{ type: 'textReplaced', text: this.text }]
  }

  get text(): string {
    return this.#blocks
      .map((block) => block.text)
      .filter((text) => text !== '')
      .join('\n\n')
  }

  #settleText(id: string, text: string): OutputItem[] {
    const known = this.#blocks.find((block) => block.id === id)
    if (!known) return this.add(id, text)
    if (known.text === text) return []
    if (text.startsWith(known.text) && known === this.#blocks.at(-1)) return this.add(id, text.slice(known.text.length))
    return this.#replace(known, text)
  }

  /** Reasoning is a summary that nobody quotes: a divergence in it is left as it was streamed. */
  #replace(block: { text: string }, text: string): OutputItem[] {
    block.text = text
    return this.#kind === 'text' ? [{ type: 'textReplaced', text: this.text }] : []
  }
}
