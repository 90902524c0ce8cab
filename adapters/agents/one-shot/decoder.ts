import type { OutputItem } from '../../../shared/agent-event.ts'
import type { Failure } from '../../../shared/errors.ts'
import type { Omitted } from '../../lines.ts'
import type { BlockEnded } from '../spoken.ts'

/** Something for the person, or that a piece of it is whole. */
export type Told = OutputItem | BlockEnded

/** Reads what one turn prints on stdout. What it says of an end is one signal, the exit code is another. */
export interface Decoder {
  /** Whether it answers while it prints; one that does not answers at the end, and its silence before is no fault. */
  readonly streams: boolean
  /** What a line says at once. */
  line(text: string): Told[]
  /** A line that was too long to keep. */
  omitted(line: Omitted): Told[]
  /** What was said when everything had been printed. */
  end(): Said
}

export type Said =
  /** `items` are those that were not told by lines already. */
  | { status: 'answered'; items: OutputItem[] }
  | { status: 'failed'; failure: Failure }
  /** Nothing that could be an answer: `noise` is the beginning of what was printed instead. */
  | { status: 'nothing'; noise: string }

/** The event for a line that was too long to keep. */
export const omission = ({ bytes, sha256 }: Omitted): OutputItem => ({
  type: 'omitted',
  what: 'a line too long to keep',
  bytes,
  sha256,
})
