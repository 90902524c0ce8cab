import * as z from 'zod'
import { AgentId } from './agent.ts'
import { Failure } from './errors.ts'
import { At, Id } from './ids.ts'
import { Usage } from './usage.ts'
import { NoVote, Vote } from './vote.ts'

export const AttemptEnd = z.enum(['completed', 'partial', 'failed', 'timedOut', 'stopped', 'interrupted', 'skipped'])
export type AttemptEnd = z.infer<typeof AttemptEnd>

/** The leaf state of the attempt's chart. */
export const AttemptStatus = z.enum([
  'queued', 'launching', 'streaming', 'awaitingGate', 'resuming', 'ending', 'overdue',
  'settling', 'backingOff', 'parked', ...AttemptEnd.options,
])
export type AttemptStatus = z.infer<typeof AttemptStatus>

/** Whether an attempt has use for the answer to its gate: it waits for it, or has it and waits for a slot. */
export const awaitsAnswer = (status: AttemptStatus): boolean =>
  status === 'awaitingGate' || status === 'resuming' || status === 'parked'

export const AttemptRecord = z.object({
  attemptId: Id,
  runId: Id,
  conversationId: Id,
  round: z.number().int().positive(),
  seat: z.string(),
  agent: AgentId,
  status: AttemptStatus,
  tries: z.number().int().nonnegative(),
  vote: Vote.nullable(),
  noVote: NoVote.nullable(),
  failure: Failure.nullable(),
  /** Tools that the person or the mode refused. */
  denials: z.number().int().nonnegative(),
  calledAt: At,
  startedAt: At.nullable(),
  settledAt: At.nullable(),
  lastOutputAt: At.nullable(),
  /** The hard cap's absolute deadline; `null` while it stands still at a gate. */
  capAt: At.nullable(),
  /** When silence would end it; counted from the last output. */
  silenceAt: At.nullable(),
  /** The next deadline of the state it is in: a backoff, a kill. */
  dueAt: At.nullable(),
  gateId: Id.nullable(),
  usage: Usage,
  textLength: z.number().int().nonnegative(),
  /** Process start, while one lives. */
  aliveSince: At.nullable(),
})
export type AttemptRecord = z.infer<typeof AttemptRecord>

export const attemptSettled = (status: AttemptStatus): status is AttemptEnd => AttemptEnd.safeParse(status).success
