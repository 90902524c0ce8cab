import { createHash, type Hash } from 'node:crypto'
import { lineMaxBytes } from '../shared/limits.ts'
import { plainLine } from './terminal-codes.ts'

/** What is known of a line that was too long to keep. */
export interface Omitted {
  bytes: number
  sha256: string
}

export interface LineHearer {
  line(text: string): void
  omitted(line: Omitted): void
}

/**
 * Cuts bytes into lines and decodes them. A UTF-8 sequence is never torn, because bytes are only decoded once their
 * line is whole. No more than `maxBytes` of an unfinished line is held; a longer line is told by its size and hash.
 */
export class LineReader {
  readonly #hear: LineHearer
  readonly #maxBytes: number
  readonly #pieceBytes: number
  #held: Buffer[] = []
  #heldBytes = 0
  #tooLong: { hash: Hash; bytes: number } | null = null

  constructor(hear: LineHearer, maxBytes: number = lineMaxBytes) {
    this.#hear = hear
    this.#maxBytes = maxBytes
    this.#pieceBytes = Math.min(64 * 1_024, maxBytes)
  }

  push(bytes: Buffer) {
    for (let from = 0; from < bytes.length; from += this.#pieceBytes) {
      this.#pushPiece(bytes.subarray(from, from + this.#pieceBytes))
    }
  }

  /** Delivers an unterminated last line, once. */
  end() {
    if (this.#tooLong) return this.#reportTooLong()
    if (this.#heldBytes === 0) return
    this.#hear.line(decode(this.#take()))
  }

  #pushPiece(piece: Buffer) {
    const last = piece.lastIndexOf(newline)
    if (last < 0) return this.#hold(piece)
    const first = piece.indexOf(newline)
    this.#finishLine(piece.subarray(0, first))
    if (last > first) this.#hearWholeLines(piece.subarray(first + 1, last))
    this.#hold(piece.subarray(last + 1))
  }

  #finishLine(rest: Buffer) {
    this.#hold(rest)
    if (this.#tooLong) return this.#reportTooLong()
    this.#hear.line(decode(this.#take()))
  }

  /** A piece is never longer than a line may be, so none of these is too long. */
  #hearWholeLines(lines: Buffer) {
    for (const line of lines.toString('utf8').split('\n')) this.#hear.line(line)
  }

  #hold(part: Buffer) {
    if (part.length === 0) return
    if (this.#tooLong) return this.#skip(this.#tooLong, part)
    if (this.#heldBytes + part.length <= this.#maxBytes) {
      // copied, so that a few bytes do not keep a whole chunk alive
      this.#held.push(Buffer.from(part))
      this.#heldBytes += part.length
      return
    }
    this.#tooLong = { hash: createHash('sha256'), bytes: 0 }
    this.#skip(this.#tooLong, this.#take())
    this.#skip(this.#tooLong, part)
  }

  #skip(tooLong: { hash: Hash; bytes: number }, part: Buffer) {
    tooLong.hash.update(part)
    tooLong.bytes += part.length
  }

  #reportTooLong() {
    const tooLong = this.#tooLong
    this.#tooLong = null
    if (tooLong) this.#hear.omitted({ bytes: tooLong.bytes, sha256: tooLong.hash.digest('hex') })
  }

  #take(): Buffer {
    const whole = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return whole
  }
}

/** Keeps the last `maxBytes` of a stream, for the end of stderr. */
export class Tail {
  readonly #maxBytes: number
  #held: Buffer[] = []
  #bytes = 0
  #isWhole = true

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(bytes: Buffer) {
    this.#held.push(Buffer.from(bytes.subarray(-this.#maxBytes)))
    this.#isWhole &&= this.#bytes + bytes.length <= this.#maxBytes
    this.#bytes += Math.min(bytes.length, this.#maxBytes)
    while (this.#bytes - (this.#held[0]?.length ?? 0) >= this.#maxBytes) this.#bytes -= this.#held.shift()?.length ?? 0
  }

  /** The kept end as text; a character cut in half at its start is left out. */
  text(): string {
    const kept = Buffer.concat(this.#held)
    const from = Math.max(0, kept.length - this.#maxBytes)
    return decode(kept.subarray(this.#isWhole ? 0 : from + continuationBytesAt(kept, from)))
  }
}

/** Reads a line as one JSON value; noise around it (BOM, colours, titles, NUL, progress) is stripped first. */
export const readJson = (line: string): unknown => {
  const plain = line.charCodeAt(0) === openingBrace ? line : plainLine(line)
  if (plain.charCodeAt(0) !== openingBrace) return undefined
  return parse(plain) ?? parse(plainLine(plain))
}

const newline = 0x0a
const openingBrace = 0x7b

const decode = (bytes: Buffer) => bytes.toString('utf8')

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const continuationBytesAt = (bytes: Buffer, from: number) => {
  let count = 0
  while (count < 3 && ((bytes[from + count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}
