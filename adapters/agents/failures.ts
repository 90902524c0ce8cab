import type { ErrorCode, Failure } from '../../shared/errors.ts'
import { beginningOf } from '../redact.ts'
import { waitIn } from './waits.ts'

/** What a provider's HTTP status means for a turn; `said` is its own sentence, already cleaned. */
export const failureOfStatus = (status: number | null, said: string, retryAfterMs?: number): Failure => {
  const code = codeOfStatus(status)
  return {
    code,
    message: sentences[code] ?? 'The provider could not answer.',
    params: {
      ...(status === null ? {} : { status }),
      ...(said === '' ? {} : { said: beginningOf(said, saidMaxCharacters) }),
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** A failure by its code alone, with the sentence that belongs to it. */
export const failureOf = (code: ErrorCode, said = '', params: Failure['params'] = {}): Failure => ({
  code,
  message: sentences[code] ?? 'The turn could not be finished.',
  params: { ...params, ...(said === '' ? {} : { said: beginningOf(said, saidMaxCharacters) }) },
})

/** The server's own wait, where a sentence of it says one. */
export const retryAfterIn = (sentence: string): number | undefined => waitIn(sentence, Date.now())

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

const saidMaxCharacters = 300
