import type { Failure } from '../../shared/errors.ts'
import type { TurnEnd } from '../ports.ts'
import type { HeardSoFar } from './first-words.ts'
import { failureOf } from './failures.ts'
import { failureOfLimit, isLimit, readNotice } from './notices.ts'

/** Everything that tells how a turn ended. They contradict each other; `outcomeOf` says which counts. */
interface Signals {
  /** What the protocol said of the end; `null` when the process ended without a word of it. */
  told: TurnEnd | null
  /** The answer as far as it was said. */
  answer: string
  /** We had asked it to stop. */
  stopped: boolean
  /** How the process ended; `null` while it lives. */
  exit: ExitSignals | null
}

export interface ExitSignals {
  code: number | null
  signal: string | null
  stderr: string
  /** Why we ended it, where we did. */
  cause: Failure | null
  heard: HeardSoFar
  /** What it printed before it spoke its protocol. */
  noise: string
}

/** How a turn ended: the one place where that is decided. The table is in `docs/outcomes.md`. */
export const outcomeOf = ({ told, answer, stopped, exit }: Signals, now: number): TurnEnd => {
  // what fails after a stop is a consequence of it; what was finished before the stop was heard is finished
  if (stopped && (told === null || told.status === 'failed')) return { status: 'cancelled' }
  if (told === null) return { status: 'failed', failure: failureOfExit(exit ?? unknownExit, now) }
  const notice = told.status === 'completed' ? readNotice(answer, now) : null
  return notice ? { status: 'failed', failure: notice } : told
}

/** Why a process ended in the middle of things. No exit code is a success without a word of the protocol. */
export const failureOfExit = (exit: ExitSignals, now: number): Failure => {
  if (exit.cause) return exit.cause
  const printed = exit.heard === 'protocol' ? exit.stderr : `${exit.noise}\n${exit.stderr}`
  const limit = printed.split('\n').find(isLimit)
  if (limit !== undefined) return failureOfLimit(limit.trim(), now)
  const said = exit.noise || lastLine(exit.stderr)
  const params = { code: exit.code ?? -1, ...(exit.signal ? { signal: exit.signal } : {}) }
  if (exit.heard !== 'protocol' && wasNeverStarted(exit.code, printed))
    return failureOf('agent.spawn-failed', said, params)
  return failureOf(exit.heard === 'noise' ? 'agent.garbled' : 'agent.crashed', said, params)
}

/** A shell or a launcher between us and the program says so, where that could not even be started. */
const wasNeverStarted = (code: number | null, printed: string): boolean =>
  code === commandNotExecutable || code === commandNotFound || launcherWords.test(printed)

const commandNotExecutable = 126
const commandNotFound = 127
const launcherWords = new RegExp(
  [
    'command line is too long',
    'argument list too long',
    'filename or extension is too long',
    'is not recognized as an internal or external command',
    'the system cannot find the (?:file|path) specified',
    'exec format error',
    'bad interpreter',
    'cannot execute binary file',
  ].join('|'),
  'i',
)

const lastLine = (text: string) =>
  text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? ''

const unknownExit: ExitSignals = { code: null, signal: null, stderr: '', cause: null, heard: 'protocol', noise: '' }
