import { RequestError } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import type { ErrorCode, Failure } from '../../../shared/errors.ts'
import { failureOf, failureOfStatus, retryAfterIn } from '../failures.ts'
import { failureOfLimit, isLimit } from '../notices.ts'
import { failureOfExit } from '../outcome.ts'
import type { LiveProcess } from '../../live-process.ts'
import type { AcpWire } from './wire.ts'

/** What a refused or unanswered request means. Waits for the process when it is that which ended. */
export const failureOfRequest = async (error: unknown, process: LiveProcess, wire: AcpWire): Promise<Failure> => {
  if (wire.fault) return wire.fault
  if (error instanceof RequestError) return failureOfAnswer(error)
  // nobody listens any more: it must not linger
  void process.end()
  const end = await process.drained
  return failureOfExit({ ...end, cause: process.cause, heard: wire.heard, noise: '' }, Date.now())
}

/** What a failure means that an agent set as prose where its answer should be. */
export const failureOfProse = (said: string): Failure =>
  failureOfStatus(statusInSentence(said) ?? statusUnlessAway(said), said, retryAfterIn(said))

/** Sorts a JSON-RPC error by its code, and by the provider's HTTP status where the agent passes one on. */
const failureOfAnswer = ({ code, message, data }: RequestError): Failure => {
  const said = sentenceIn(message, data)
  const status = statusIn(data) ?? HttpStatus.safeParse(code).data ?? statusInSentence(said)
  const known = codes.get(code)
  if (isLimit(message) || isLimit(detailsIn(data))) return failureOfLimit(said, Date.now())
  if (known) return failureOf(known, said, { rpc: code })
  return failureOfStatus(status ?? statusUnlessAway(said), said, waitIn(data) ?? retryAfterIn(said))
}

const codes = new Map<number, ErrorCode>([
  [-32_000, 'agent.unauthorized'],
  [-32_002, 'agent.session-lost'],
  [-32_600, 'agent.garbled'],
  [-32_601, 'agent.incompatible'],
  [-32_602, 'agent.incompatible'],
  [-32_700, 'agent.garbled'],
  [-32_800, 'agent.cancelled'],
])

/** An error that says nothing of its cause is taken for the provider's. */
const providerStatus = 500

/** Where no status is told, words are all there is. `null` where the provider could not even be reached. */
const statusUnlessAway = (said: string): number | null => {
  if (notReached.test(said)) return null
  return statusesByWords.find(([words]) => words.test(said))?.[1] ?? providerStatus
}

const statusesByWords: readonly [RegExp, number][] = [
  [/\b(?:incorrect|invalid|missing|expired) (?:x-)?api[ -]?key|api key not valid/i, 401],
  [/\bunauthori[sz]ed\b|authentication failed/i, 401],
  [/rate[ -]limit|too many requests|quota (?:is )?exceeded/i, 429],
]

const notReached = new RegExp(
  [
    String.raw`\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT)\b`,
    'connection error|fetch failed',
    '(?:unable to|cannot|could not) connect',
  ].join('|'),
  'i',
)

/** The status where agents put it into their words. */
const statusInSentence = (said: string): number | null => {
  for (const pattern of statusPatterns) {
    const status = pattern.exec(said)?.[1]
    if (status) return Number(status)
  }
  return null
}

/** `"code":429` also within a text within a text, `(HTTP 403)`, `status 500`, and `401 Unauthorized` after a colon. */
const statusPatterns = [
  /code\\*"\s*:\s*([45]\d\d)\b/,
  /\b(?:HTTP|status)(?: code)?:? ([45]\d\d)\b/i,
  /(?:^|:\s+)([45]\d\d)\b/,
]

const HttpStatus = z.number().int().min(400).max(599)

const ErrorData = z
  .object({
    status: z.unknown(),
    statusCode: z.unknown(),
    httpStatus: z.unknown(),
    code: z.unknown(),
    details: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    retryAfterMs: z.number().nonnegative().optional().catch(undefined),
    error: z.unknown(),
  })
  .partial()

const statusIn = (data: unknown, depth = 0): number | null => {
  const read = ErrorData.safeParse(data)
  if (!read.success || depth > 2) return null
  const { status, statusCode, httpStatus, code, error } = read.data
  for (const value of [status, statusCode, httpStatus, code]) {
    const parsed = HttpStatus.safeParse(value)
    if (parsed.success) return parsed.data
  }
  return statusIn(error, depth + 1)
}

const waitIn = (data: unknown): number | undefined => {
  const read = ErrorData.safeParse(data)
  return read.success && read.data.retryAfterMs !== undefined ? Math.round(read.data.retryAfterMs) : undefined
}

const sentenceIn = (message: string, data: unknown): string => {
  const { details, message: inner } = ErrorData.safeParse(data).data ?? {}
  const more = typeof data === 'string' ? data : (details ?? inner)
  return more && more !== message ? `${message}: ${more}` : message
}

const detailsIn = (data: unknown): string => ErrorData.safeParse(data).data?.details ?? ''
