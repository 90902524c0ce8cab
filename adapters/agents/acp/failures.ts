import { RequestError } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import type { ErrorCode, Failure } from '../../../shared/errors.ts'
import { failureOf, failureOfStatus, retryAfterIn } from '../failures.ts'
import { failureOfLimit, isLimit } from '../notices.ts'
import { failureOfExit } from '../outcome.ts'
import type { LiveProcess } from '../../process.ts'
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

/** Sorts a JSON-RPC error by its code, and by the provider's HTTP status where the agent passes one on. */
const failureOfAnswer = ({ code, message, data }: RequestError): Failure => {
  const said = sentenceIn(message, data)
  const known = codes.get(code)
  if (isLimit(message) || isLimit(detailsIn(data))) return failureOfLimit(said, Date.now())
  if (known) return failureOf(known, said, { rpc: code })
  return failureOfStatus(statusIn(data) ?? providerStatus, said, waitIn(data) ?? retryAfterIn(said))
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

const HttpStatus = z.number().int().min(400).max(599)

const ErrorData = z
  .object({
    status: z.unknown(),
    statusCode: z.unknown(),
    httpStatus: z.unknown(),
    code: z.unknown(),
    details: z.string().optional().catch(undefined),
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
  const details = detailsIn(data)
  return details === '' ? message : `${message}: ${details}`
}

const detailsIn = (data: unknown): string => ErrorData.safeParse(data).data?.details ?? ''
