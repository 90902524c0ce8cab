import { lineMaxBytes } from '../shared/limits.ts'
import { readJson } from './lines.ts'
import { stripTerminalCodes } from './terminal-codes.ts'

/** Inside of what may yet become a message, at the close of what turned out to be none, or neither. */
export type NoisePlace = 'inside' | 'torn' | 'outside'

interface MessageHearer {
  /** A JSON object, and how many characters it took. */
  message(message: object, characters: number): void
  /** A line that is no message, as it was printed. */
  noise(line: string, place: NoisePlace): void
}

/**
 * Finds the messages of a line protocol among whatever else is printed. A message is one line; one that was printed
 * the pretty way is taken as well: it opens with a line that is `{`, closes with a line that is `}`, and is indented
 * between. Such lines are no messages by themselves, so that nothing else is mistaken for it. What begins like that and
 * never closes is given up at the next whole message, or when it is longer than a line may be.
 */
export class MessageReader {
  readonly #hearer: MessageHearer
  #open: string[] | null = null
  #openCharacters = 0

  constructor(hearer: MessageHearer) {
    this.#hearer = hearer
  }

  line(text: string) {
    if (this.#open === null && text === '') return
    const message = readJson(text)
    const isNested = this.#open !== null && /^\s/.test(stripTerminalCodes(text))
    if (isObject(message) && !isNested) {
      this.#open = null
      return this.#hearer.message(message, text.length)
    }
    if (this.#open !== null) return this.#goOn(this.#open, text)
    if (bare(text) !== '{') return this.#hearer.noise(text, 'outside')
    this.#open = ['{']
    this.#openCharacters = 1
    this.#hearer.noise(text, 'inside')
  }

  #goOn(open: string[], text: string) {
    open.push(stripTerminalCodes(text).trimEnd())
    this.#openCharacters += text.length
    if (this.#openCharacters > lineMaxBytes) this.#open = null
    if (bare(text) !== '}') return this.#hearer.noise(text, 'inside')
    this.#open = null
    const message = readJson(open.join('\n'))
    if (isObject(message)) this.#hearer.message(message, this.#openCharacters)
    else this.#hearer.noise(text, 'torn')
  }
}

/** At the margin, without what a terminal or another system's line end adds. */
const bare = (text: string) => (text.length > bareMaxCharacters ? text : stripTerminalCodes(text).trimEnd())
const bareMaxCharacters = 64
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
