import type { ErrorCode, Failure } from '../../../shared/errors.ts'
import { failureOf, failureOfStatus, retryAfterIn } from '../failures.ts'
import { failureOfLimit, isLimit, readNotice } from '../notices.ts'
import type { ResultLine } from './protocol.ts'

/** What a notice of another try means. Claude tells a status, or a word, or neither when nothing answered. */
export const readRetryFailure = (status: number | null, word: string): Failure => {
  const named = byWord[word]
  return status === null && named ? failureOf(named, word) : failureOfStatus(status, word)
}

/** Why a turn failed, by the result's own fields; its sentence is only quoted, and never the answer. */
export const readResultFailure = (result: ResultLine, word: string | null): Failure => {
  const said = result.result ?? result.errors?.join(' ') ?? ''
  if (unknownSession.test(said)) return failureOf('agent.session-lost', said)
  const status = result.api_error_status ?? null
  const named = byWord[word ?? '']
  if (isLimit(said)) return failureOfLimit(said, Date.now())
  if (status !== null) return failureOfStatus(status, said, retryAfterIn(said))
  if (result.api_error === 'connection_failed' || /timed out|ECONN|ENOTFOUND|connection/i.test(said))
    return failureOf('agent.unreachable', said)
  if (/not logged in|\/login|invalid api key/i.test(said)) return failureOf('agent.unauthorized', said)
  if (named) return withWait(failureOf(named, said))
  const notice = readNotice(said, Date.now())
  if (notice) return notice
  if (result.subtype === 'error_max_turns') return failureOf('agent.refused', said)
  return failureOf(result.terminal_reason === 'api_error' ? 'agent.provider-failed' : 'agent.crashed', said)
}

/** Only a limit is waited for as long as its sentence says. */
const withWait = (failure: Failure): Failure => {
  const said = failure.params?.['said']
  const retryAfterMs = typeof said === 'string' ? retryAfterIn(said) : undefined
  return failure.code === 'agent.rate-limited' && retryAfterMs !== undefined ? { ...failure, retryAfterMs } : failure
}

const unknownSession = /No conversation found|--resume requires a valid session ID/i

const byWord: Record<string, ErrorCode | undefined> = {
  authentication_failed: 'agent.unauthorized',
  oauth_org_not_allowed: 'agent.forbidden',
  billing_error: 'agent.forbidden',
  rate_limit: 'agent.rate-limited',
  overloaded: 'agent.provider-failed',
  server_error: 'agent.provider-failed',
  invalid_request: 'agent.refused',
  model_not_found: 'agent.refused',
}
