import { documentStartsMax } from '../../../shared/limits.ts'
import { stripTerminalCodes } from '../../terminal-codes.ts'

interface Document<Fitting> {
  fitting: Fitting
  /** What was printed before and after it. */
  around: string
}

/**
 * The last JSON object in a text that `fits` takes, written over one line or many, with any noise before and after it;
 * `null` when there is none.
 */
export const findDocument = <Fitting>(
  text: string,
  fits: (value: unknown) => Fitting | null,
): Document<Fitting> | null => {
  const plain = stripTerminalCodes(text)
  let found: Document<Fitting> | null = null
  let from = 0
  for (let tries = 0; tries < documentStartsMax; tries += 1) {
    const start = nextStart(plain, from)
    if (start < 0) return found
    const end = closingOf(plain, start)
    const fitting = end < 0 ? null : fits(parsed(plain.slice(start, end + 1)))
    if (fitting !== null) found = { fitting, around: `${plain.slice(0, start)}${plain.slice(end + 1)}`.trim() }
    // what stands inside of one that fits is a part of it
    from = fitting === null ? start + 1 : end + 1
  }
  return found
}

/** A brace that begins a line; one in the middle of a sentence begins no document. */
const nextStart = (text: string, from: number): number => {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    if (beginsLine(text, at)) return at
  }
  return -1
}

const beginsLine = (text: string, at: number): boolean => {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before -= 1
  return before < 0 || text[before] === '\n' || text[before] === '\r'
}

/** The brace that closes the one at `start`, by counting those outside of strings; -1 when it stays open. */
const closingOf = (text: string, start: number): number => {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (inString && character === '\\') at += 1
    else if (character === '"') inString = !inString
    else if (!inString && character === '{') depth += 1
    else if (!inString && character === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
