import type { ErrorCode, Failure } from '../../shared/errors.ts'
import type { TurnEnd } from '../ports.ts'
import type { LiveProcess } from '../process.ts'
import type { FirstWords, HeardSoFar } from './first-words.ts'

/** What a provider's HTTP status means for a turn; `said` is its own sentence, already cleaned. */
export const failureOfStatus = (status: number | null, said: string, retryAfterMs?: number): Failure => {
  const code = codeOfStatus(status)
  return {
    code,
    message: sentences[code] ?? 'The provider could not answer.',
    params: {
      ...(status === null ? {} : { status }),
      ...(said === '' ? {} : { said: said.slice(0, saidMaxCharacters) }),
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** A failure by its code alone, with the sentence that belongs to it. */
export const failureOf = (code: ErrorCode, said = '', params: Failure['params'] = {}): Failure => ({
  code,
  message: sentences[code] ?? 'The turn could not be finished.',
  params: { ...params, ...(said === '' ? {} : { said: said.slice(0, saidMaxCharacters) }) },
})

/** How a turn ends with its process: by our own wish it was cancelled, else it failed. */
export const turnEndOfExit = (
  process: Pick<LiveProcess, 'cause' | 'isEnding'>,
  end: Exit,
  words: Pick<FirstWords, 'soFar' | 'noise'>,
): TurnEnd =>
  process.cause === null && process.isEnding
    ? { status: 'cancelled' }
    : { status: 'failed', failure: failureOfExit(end, process.cause, words.soFar, words.noise) }

/** Why a process that ended in the middle of things did so. */
export const failureOfExit = (end: Exit, cause: Failure | null, heard: HeardSoFar, noise = ''): Failure => {
  if (cause) return cause
  const said = noise || lastLine(end.stderr)
  const params = { code: end.code ?? -1, ...(end.signal ? { signal: end.signal } : {}) }
  // a Windows shell says this where a program could not even be started
  if (/command line is too long/i.test(end.stderr)) return failureOf('agent.spawn-failed', said, params)
  return failureOf(heard === 'noise' ? 'agent.garbled' : 'agent.crashed', said, params)
}

/** The server's own wait, where a sentence of it says one: `retry after 2s`, `try again in 1.5 seconds`. */
export const retryAfterIn = (sentence: string): number | undefined => {
  const match =
    /(?:retry|try again)[ -](?:after|in)\D{0,3}(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|seconds?|m|minutes?)?/i.exec(
      sentence,
    )
  if (!match) return undefined
  const unit = match[2] ?? 's'
  const factor =
    (unit.startsWith('mi') && !unit.startsWith('min')) || unit === 'ms' ? 1 : unit.startsWith('m') ? 60_000 : 1_000
  return Math.round(Number(match[1]) * factor)
}

interface Exit {
  code: number | null
  signal: string | null
  stderr: string
}

const codeOfStatus = (status: number | null): ErrorCode => {
  if (status === null) return 'agent.unreachable'
  if (status === 401) return 'agent.unauthorized'
  if (status === 403) return 'agent.forbidden'
  if (status === 429) return 'agent.rate-limited'
  if (status === 408 || status >= 500) return 'agent.provider-failed'
  return 'agent.refused'
}

const sentences: Partial<Record<ErrorCode, string>> = {
  'agent.unauthorized': 'The provider does not accept the key or login; log in again, then retry.',
  'agent.forbidden': 'The provider refuses this account or model; check what it may use.',
  'agent.rate-limited': 'The provider asked us to slow down; try again later.',
  'agent.unreachable': 'The provider could not be reached; check the network.',
  'agent.provider-failed': 'The provider had a failure of its own; try again later.',
  'agent.refused': 'The provider refused the request.',
  'agent.garbled': 'What the agent printed could not be understood.',
  'agent.busy': 'The agent is still busy with its last turn.',
  'agent.incompatible': 'This version of the agent does not open a session as it is asked to.',
  'agent.not-read-only': 'The agent left the mode that keeps it from writing.',
  'turn.image-unreadable': 'An image of this message cannot be read any more.',
  'agent.cancelled': 'It was called off.',
  'agent.crashed': 'The agent ended before its turn was finished.',
  'agent.spawn-failed': 'The agent could not be started.',
  'agent.session-lost': 'The agent does not know this session any more; a new one is needed.',
  'agent.first-byte-late': 'The agent gave no sign of life; it may be waiting for input or for its provider.',
  'agent.output-limit': 'The agent printed more than Parley takes from one turn.',
}

const lastLine = (text: string) =>
  text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? ''
const saidMaxCharacters = 300
