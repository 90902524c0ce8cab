import * as z from 'zod'
import { AgentId } from './agent.ts'
import { Failure } from './errors.ts'
import { At, Id } from './ids.ts'
import { roundsMax, topicMaxCharacters } from './limits.ts'

/** One run's rules. A direct message and a plain group send are `rounds: 1, consensus: false`. */
export const RunPolicy = z.object({
  rounds: z.number().int().min(1).max(roundsMax).nullable(),
  consensus: z.boolean(),
  blindFirst: z.boolean(),
  allowWrite: z.boolean(),
  silenceMs: z.number().int().positive(),
  capMs: z.number().int().positive(),
})
export type RunPolicy = z.infer<typeof RunPolicy>

export const RunEnd = z.enum([
  'agreed', 'completed', 'partial', 'roundsUp', 'failed', 'budgetSpent', 'stopped', 'interrupted',
])
export type RunEnd = z.infer<typeof RunEnd>

/** `running` while agents may speak, `holding` while the run waits for the person between rounds. */
export const RunStatus = z.enum(['running', 'holding', 'stopping', ...RunEnd.options])
export type RunStatus = z.infer<typeof RunStatus>

const SeatStanding = z.enum(['seated', 'skipped', 'cancelled'])

/** A place at the table. The agent on it may be replaced; the seat's name stays. */
export const Seat = z.object({ seat: z.string().min(1).max(60), agent: AgentId, standing: SeatStanding })
export type Seat = z.infer<typeof Seat>

export const StopKind = z.enum(['person', 'shutdown', 'breaker', 'accepted'])
export type StopKind = z.infer<typeof StopKind>

export const RunRecord = z.object({
  runId: Id,
  conversationId: Id,
  messageId: Id,
  topic: z.string().max(topicMaxCharacters),
  status: RunStatus,
  policy: RunPolicy,
  seats: z.array(Seat),
  round: z.number().int().nonnegative(),
  startedAt: At,
  settledAt: At.nullable(),
  /** Why it ended, where the status alone does not say. */
  reason: Failure.nullable(),
  stop: z.object({ kind: StopKind, position: z.string().nullable() }).nullable(),
  followUpOf: Id.nullable(),
})
export type RunRecord = z.infer<typeof RunRecord>

export const settled = (status: RunStatus): status is RunEnd => RunEnd.safeParse(status).success
