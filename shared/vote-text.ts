import * as z from 'zod'
import { positionMaxCharacters, voteBlockMaxCharacters } from './limits.ts'
import { Vote, type VoteReading } from './vote.ts'

/**
 * Tells an agent how to end its turn with a vote. The code word stands apart from the pattern, and the pattern's
 * object is no vote, so that repeating these lines never votes.
 */
export const voteInstruction = (nonce: string): string =>
  [
    'End your turn with your vote. It must be the very last thing you write, once, on one line, in this form:',
    `[[parley-vote CODE]] ${voteForm} [[/parley-vote]]`,
    `${codeWordLine}${nonce}`,
    `- choice: "agree" if you can stand behind the position below as the group's answer, else "continue".`,
    `- position: the answer you stand for now, in one line of at most ${positionMaxCharacters} characters.`,
    '  When you agree with a peer, use their wording.',
    '- changed: true if you changed your mind in this turn, else false.',
    `- why: one line of at most ${positionMaxCharacters} characters that says what decided it.`,
    'Keep the English words of the form as they are; write position and why in the language of your answer.',
  ].join('\n')

/** The code word that the lines of an instruction name, or `null`. */
export const readCodeWord = (instruction: readonly string[]): string | null =>
  instruction.find((line) => line.startsWith(codeWordLine))?.slice(codeWordLine.length) ?? null

/** A vote as the instruction asks for it. */
export const writeVote = (nonce: string, vote: Vote): string =>
  `[[parley-vote ${nonce}]] ${JSON.stringify(vote)} [[/parley-vote]]`

/** Reads the one vote of a finished turn and gives the turn's text without any vote block. */
export const readVote = (turn: string, nonce: string): { reading: VoteReading; text: string } => {
  const filter = new VoteFilter()
  const text = filter.push(turn) + filter.end()
  return { reading: judge(filter.blocks, text, nonce), text }
}

/** Takes vote blocks out of a streamed text, holding back no more than one block's greatest length. */
export class VoteFilter {
  readonly #blocks: Block[] = []
  #held = ''
  /** The end of what was given out. */
  #tail = ''
  #emitted = 0

  /** The text that is certain by now; it may be empty. */
  push(delta: string): string {
    this.#held += delta
    return this.#release(false)
  }

  /** What was still held back and is no vote. */
  end(): string {
    return this.#release(true)
  }

  /** The blocks found so far, whoever they belong to. */
  get blocks(): readonly Block[] {
    return this.#blocks
  }

  #release(final: boolean): string {
    let text = ''
    let from = 0
    for (;;) {
      const start = nextStart(this.#held, from)
      text += this.#held.slice(from, start)
      from = start
      if (from >= this.#held.length) break
      const step = readStep(this.#held, from, final)
      if (step === 'wait') break
      text += step.text
      from = step.end
      if (step.isCut) text += seam(this.#tail + text)
      if (step.block) this.#blocks.push({ ...step.block, at: this.#emitted + text.length })
    }
    this.#held = this.#held.slice(from)
    this.#emitted += text.length
    this.#tail = (this.#tail + text).slice(-markerMaxCharacters)
    return text
  }
}

const voteForm = '{"choice":"agree or continue","position":"…","changed":true or false,"why":"…"}'
const codeWordLine = 'Put this code word in the place of CODE: '

interface Block {
  /** The code word as written; empty when there was none. */
  code: string
  /** What stood between the markers, or `null` where the block was never closed. */
  body: string | null
  /** How much text stands before it. */
  at: number
}

interface Step {
  text: string
  end: number
  /** Whether something was left out here. */
  isCut: boolean
  block: Omit<Block, 'at'> | null
}

const judge = (blocks: readonly Block[], text: string, nonce: string): VoteReading => {
  if (blocks.length === 0) return { vote: null, noVote: 'missing' }
  const own = blocks.filter((block) => block.code === nonce)
  const [block, second] = own
  if (!block) return { vote: null, noVote: 'foreign' }
  if (second) return { vote: null, noVote: 'ambiguous' }
  const vote = readBody(block.body)
  if (!vote) return { vote: null, noVote: 'malformed' }
  // the end of a code fence around the block says nothing
  const isLast = block === blocks.at(-1) && /^\s*(?:`{3,}|~{3,})?\s*$/.test(text.slice(block.at))
  return isLast ? { vote, noVote: null } : { vote: null, noVote: 'notLast' }
}

const readBody = (body: string | null): Vote | null => {
  if (body === null) return null
  const json = body.trim().replace(/^(`{3,}|~{3,})(?:json)?\s*\n([^]*)\n\1$/i, '$2')
  const written = WrittenVote.safeParse(json)
  return written.success ? written.data : null
}

const oneLine = z.string().transform((line) => {
  const plain = line.replaceAll(/\s+/g, ' ').trim()
  return plain.length <= positionMaxCharacters ? plain : `${plain.slice(0, positionMaxCharacters - 1).trimEnd()}…`
})

/** A position that is a little too long is cut, not thrown away with the vote. */
const WrittenVote = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.strictObject({ ...Vote.shape, position: oneLine, why: oneLine }))
  .pipe(Vote)

const nextStart = (text: string, from: number): number => {
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '[' || text[index] === '`' || text[index] === '~') return index
  }
  return text.length
}

/** Decides what begins at `at`: a block, a code fence with a block in it, a stray marker, or plain text. */
const readStep = (text: string, at: number, final: boolean): Step | 'wait' => {
  const fence = readFence(text, at)
  if (fence === 'maybe' && !final) return 'wait'
  if (fence !== 'maybe' && fence !== null) return readFenced(text, at, fence, final)
  const marker = readMarker(text, at)
  if (marker === 'maybe' && !final) return 'wait'
  if (marker === 'maybe' || marker === null) return plainCharacter(text, at)
  if (marker.kind === 'close') return { text: '', end: marker.end, isCut: true, block: null }
  return readBlock(text, at, marker, final)
}

const plainCharacter = (text: string, at: number): Step => ({
  text: text.slice(at, at + 1),
  end: at + 1,
  isCut: false,
  block: null,
})

/** Keeps what stands around a cut from growing together to a new marker. */
const seam = (before: string): string => (nextMarker(before.slice(-markerMaxCharacters), 0) === 'maybe' ? '\n' : '')

/** A fence goes away with the block when it holds nothing else; otherwise it stays where it was. */
const readFenced = (text: string, at: number, fence: Fence, final: boolean): Step | 'wait' => {
  const marker = readMarker(text, fence.end)
  if (marker === 'maybe' && !final) return 'wait'
  if (marker === 'maybe' || marker === null || marker.kind === 'close') return plainCharacter(text, at)
  const step = readBlock(text, fence.end, marker, final)
  if (step === 'wait') return 'wait'
  const rest = text.slice(step.end, step.end + fenceTailMax)
  if (!final && fenceTailBeginning.test(rest)) return 'wait'
  const tail = fenceTail.exec(rest)
  if (tail?.[1]?.startsWith(fence.sign)) return { ...step, end: step.end + tail[0].length }
  return { ...step, text: text.slice(at, fence.end) + step.text }
}

const readBlock = (text: string, at: number, opener: Marker, final: boolean): Step | 'wait' => {
  const room = text.slice(0, at + voteBlockMaxCharacters)
  const isWhole = final || text.length >= at + voteBlockMaxCharacters
  const next = nextMarker(room, opener.end)
  if (next === 'maybe' && !isWhole) return 'wait'
  if (next !== 'maybe' && next !== null) return closeBlock(text, opener, next)
  if (!isWhole) return 'wait'
  const isUnfinished = text.length < at + voteBlockMaxCharacters
  const end = isUnfinished ? text.length : opener.end
  return { text: '', end, isCut: true, block: { code: opener.code, body: null } }
}

const closeBlock = (text: string, opener: Marker, next: Marker): Step => {
  const body = text.slice(opener.end, next.start)
  if (next.kind === 'close') return { text: '', end: next.end, isCut: true, block: { code: opener.code, body } }
  // a marker that was only mentioned does not swallow the sentence after it
  const end = body.trimStart().startsWith('{') ? next.start : opener.end
  return { text: '', end, isCut: true, block: { code: opener.code, body: null } }
}

interface Marker {
  kind: 'open' | 'close'
  code: string
  start: number
  end: number
}

const nextMarker = (text: string, from: number): Marker | 'maybe' | null => {
  for (let at = text.indexOf('[', from); at !== -1; at = text.indexOf('[', at + 1)) {
    const marker = readMarker(text, at)
    if (marker) return marker
  }
  return null
}

const markerWord = 'parley-vote'
const markerMaxCharacters = 160

/** `maybe` only where the text ends before it is certain, so that the answer never depends on how a text is split. */
const readMarker = (text: string, at: number): Marker | 'maybe' | null => {
  const shown = text.slice(at, at + markerMaxCharacters)
  if (!shown.startsWith('[[')) return shown === '[' ? 'maybe' : null
  const length = shown.slice(2).search(/[[\]\n]/)
  const inside = shown.slice(2, length === -1 ? undefined : length + 2)
  if (length === -1) return shown.length < markerMaxCharacters && mayBecomeMarker(inside) ? 'maybe' : null
  const words = /^\s*(\/?)parley-vote(?:\s+(.*?))?\s*$/i.exec(inside)
  if (!words) return null
  const end = shown.slice(length + 2, length + 4)
  if (end === ']' && shown.length < markerMaxCharacters) return 'maybe'
  if (end !== ']]') return null
  return { kind: words[1] ? 'close' : 'open', code: words[2] ?? '', start: at, end: at + length + 4 }
}

const mayBecomeMarker = (inside: string): boolean => {
  const begun = inside.trimStart().replace(/^\//, '').toLowerCase()
  return markerWord.startsWith(begun) || (begun.startsWith(markerWord) && /^\s?$/.test(begun.charAt(markerWord.length)))
}

interface Fence {
  sign: string
  end: number
}

const fenceHeadMax = 64
const fenceHead = /^(`{3,10}|~{3,10})[\w-]{0,20}[ \t]{0,8}\r?\n\s{0,8}/
const fenceHeadBeginning = /^(?:`{1,2}|~{1,2}|(?:`{3,10}|~{3,10})[\w-]{0,20}[ \t]{0,8}(?:\r?(?:\n\s{0,8})?)?)$/
const fenceTailMax = 32
const fenceTail = /^\s{0,8}(`{3,10}|~{3,10})/
const fenceTailBeginning = /^\s{0,8}(?:`{0,9}|~{0,9})$/

/** The opening of a code fence up to where a block in it would begin. */
const readFence = (text: string, at: number): Fence | 'maybe' | null => {
  const shown = text.slice(at, at + fenceHeadMax)
  // white space may still follow: not certain before something else is seen
  if (fenceHeadBeginning.test(shown)) return 'maybe'
  const head = fenceHead.exec(shown)
  return head?.[1] ? { sign: head[1].slice(0, 3), end: at + head[0].length } : null
}
