import type { DoneActorEvent, ErrorActorEvent } from 'xstate'
import type { AgentId } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import type { GateAsk } from '../../shared/gate.ts'
import { preflightMs } from '../../shared/limits.ts'
import type { RunEnd, RunPolicy, RunRecord, Seat, StopKind } from '../../shared/run.ts'
import type { GateFact, MinutesFact, PreflightFact, RunInput, Stamped, TaskFact } from '../blanks.ts'
import type { RoundOutput } from '../round/memory.ts'

export type RunStop = { kind: StopKind; position: string | null }

/** How the last round ended. `broken` is a round whose own chart failed. */
export type LastRound = Omit<RoundOutput, 'outcome'> & { outcome: RoundOutput['outcome'] | 'broken' }

export type RunContext = {
  runId: string
  conversationId: string
  messageId: string
  /** `null` once the task is recorded: a snapshot stays small. */
  topic: string | null
  policy: RunPolicy
  seats: Seat[]
  mayContinue: Record<string, boolean>
  followUpOf: string | null
  round: number
  /** Launches of all rounds so far, for the breaker. */
  launches: number
  last: LastRound | null
  /** Each seat's last position, and for how many rounds nothing moved. */
  positions: Record<string, string>
  stillRounds: number
  /** Turns in a row that a seat let pass, by time or by a failure that may mend itself. */
  misses: Record<string, number>
  pauseWanted: boolean
  stop: RunStop | null
  conclusion: RunEnd | null
  reason: Failure | null
  refusal: Failure | null
  ask: GateAsk | null
  minutesTries: number
  dueAt: number | null
  startedAt: number
  settledAt: number | null
  lastAt: number
}

type SeatEvent = { seat: string }
export type RunEvent =
  | PreflightFact
  | TaskFact
  | MinutesFact
  | GateFact
  | (DoneActorEvent<RoundOutput> & { type: 'xstate.done.actor.round' })
  | (ErrorActorEvent & { type: 'xstate.error.actor.round' })
  | Stamped<
      | { type: 'preflight.expired' }
      | { type: 'minutes.due' }
      | { type: 'minutes.retry' }
      | { type: 'run.stop'; runId: string }
      | { type: 'run.interrupt' }
      | { type: 'run.pause' }
      | { type: 'run.resume' }
      | { type: 'run.hurry' }
      | ({ type: 'seat.retry' } & SeatEvent)
      | ({ type: 'seat.cancel' } & SeatEvent)
      | ({ type: 'seat.kill' } & SeatEvent)
      | ({ type: 'seat.replace'; agent: AgentId; mayContinue: boolean } & SeatEvent)
      | { type: 'computer.woke'; sleptMs: number }
    >

export type RunMoment = { context: RunContext; event: RunEvent }

export const freshRun = ({ input: { at, ...given } }: { input: RunInput }): RunContext => ({
  ...given,
  round: 0,
  launches: 0,
  last: null,
  positions: {},
  stillRounds: 0,
  misses: {},
  pauseWanted: false,
  stop: null,
  conclusion: null,
  reason: null,
  refusal: null,
  ask: null,
  minutesTries: 0,
  dueAt: at + preflightMs,
  startedAt: at,
  settledAt: null,
  lastAt: at,
})

/** The run's row as it is before its first round. */
export const recordToAccept = (context: RunContext): RunRecord => ({
  runId: context.runId,
  conversationId: context.conversationId,
  messageId: context.messageId,
  topic: context.topic ?? '',
  status: 'running',
  policy: context.policy,
  seats: context.seats,
  round: context.round,
  startedAt: context.startedAt,
  settledAt: null,
  reason: null,
  stop: null,
  followUpOf: context.followUpOf,
})
