import { styleText } from 'node:util'
import type { Tone } from './words.ts'

export interface OutlineLine {
  /** When, in milliseconds since the run began; `null` for none. */
  sinceMs: number | null
  depth: number
  tone: Tone
  text: string
}

/** Writes a line of the outline: clock, indentation, text; in colour where that is wanted. */
export const paint = ({ sinceMs, depth, tone, text }: OutlineLine, colour: boolean): string => {
  const clock = (sinceMs === null ? '' : clockOf(sinceMs)).padStart(6)
  const painted = colour ? styleText(styles[tone], text, { validateStream: false }) : text
  return `${colour ? styleText('dim', clock, { validateStream: false }) : clock}  ${'  '.repeat(depth)}${painted}`
}

/** Whether colour is wanted: on a terminal, unless NO_COLOR says otherwise. */
export const wantsColour = (isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean =>
  isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  plain: 'reset', live: 'cyan', good: 'green', bad: 'red', asks: 'yellow', quiet: 'dim',
}

const clockOf = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
