import type { Failure } from '../../../shared/errors.ts'
import { failureOf, failureOfStatus, retryAfterIn } from '../failures.ts'
import { failureOfLimit, isLimit } from '../notices.ts'
import type { TurnError } from './protocol.ts'

/** What an error of codex means; its kind is read first, and its sentence only where the kind says nothing. */
export const readFailure = ({ message, codexErrorInfo: info, additionalDetails }: TurnError): Failure => {
  const said = [message, additionalDetails].filter(Boolean).join(' ')
  if (isLimit(message)) return failureOfLimit(said, Date.now())
  const retryAfterMs = retryAfterIn(said)
  const named = typeof info === 'string' ? byName[info] : undefined
  if (named) return { ...failureOf(named, said), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return failureOfStatus(statusOf(info) ?? statusIn(said), said, retryAfterMs)
}

/** `Reconnecting... 2/5`: which try this is, and of how many; `max` is `null` where it would go on for ever. */
export const readRetry = (message: string): { attempt: number; max: number | null } => {
  const match = /(\d+)\/(\d+)/.exec(message)
  return match ? { attempt: Number(match[1]), max: Number(match[2]) } : { attempt: 1, max: null }
}

const byName: Record<string, Failure['code'] | undefined> = {
  unauthorized: 'agent.unauthorized',
  usageLimitExceeded: 'agent.rate-limited',
  rateLimitExceeded: 'agent.rate-limited',
  sessionBudgetExceeded: 'agent.rate-limited',
  serverOverloaded: 'agent.provider-failed',
  internalServerError: 'agent.provider-failed',
  contextWindowExceeded: 'agent.refused',
  modelNotFound: 'agent.refused',
  badRequest: 'agent.refused',
  cyberPolicy: 'agent.refused',
  bioPolicy: 'agent.refused',
  misalignmentPolicyViolation: 'agent.refused',
  tooManyDenials: 'agent.denied',
}

const statusOf = (info: TurnError['codexErrorInfo']): number | null => {
  if (typeof info !== 'object' || info === null) return null
  const [details] = Object.values(info)
  if (typeof details !== 'object' || details === null || !('httpStatusCode' in details)) return null
  return typeof details.httpStatusCode === 'number' ? details.httpStatusCode : null
}

const statusIn = (said: string): number | null => {
  const status = /\bstatus:? (\d{3})\b/.exec(said)?.[1]
  if (status) return Number(status)
  if (/error sending request|connection failed/i.test(said)) return null
  return /high demand|overloaded|server error|stream disconnected/i.test(said) ? 500 : null
}
