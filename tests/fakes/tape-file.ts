import { join } from 'node:path'
import type { TapeEntry } from './tape.ts'

/** The program that plays tapes; see there. */
export const tapeAgent = join(import.meta.dirname, 'tape-agent.ts')

/** How it is started, with node, to play this. */
export const playing = (tape: readonly TapeEntry[]): string[] => [
  '--disable-warning=ExperimentalWarning',
  tapeAgent,
  JSON.stringify(tape),
]
