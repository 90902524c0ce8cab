import type { DoneActorEvent, ErrorActorEvent } from 'xstate'
import type { AgentId } from '../../shared/agent.ts'
import type { AttemptEnd } from '../../shared/attempt.ts'
import type { Failure } from '../../shared/errors.ts'
import type { RunPolicy } from '../../shared/run.ts'
import type { Vote } from '../../shared/vote.ts'
import type { AttemptOutput, AttemptResumed } from '../attempt/memory.ts'
import type { Stamped } from '../blanks.ts'

type RoundSeat = { seat: string; agent: AgentId; mayContinue: boolean }

export type RoundInput = {
  runId: string
  conversationId: string
  /** Counted from one. */
  round: number
  /** Everybody at once, nobody hearing another. */
  blind: boolean
  seats: RoundSeat[]
  policy: RunPolicy
  /** Launches that the breaker still allows in this run. */
  launchesLeft: number
  at: number
}

/** A turn that is going on. `reserved` launches are its own; `wentOn`: a person's approval woke it after a restart. */
export type Speaker = { attemptId: string; reserved: number; wentOn: boolean }

/** What became of a seat's last turn; `attemptId` is `null` for one that never was called. */
export type SeatResult = {
  seat: string
  agent: AgentId
  attemptId: string | null
  status: AttemptEnd
  vote: Vote | null
  failure: Failure | null
  tries: number
  at: number
}

export type RoundOutcome = 'tallied' | 'stopped' | 'interrupted'
type RoundStopReason = 'person' | 'shutdown'

export type RoundContext = Omit<RoundInput, 'at'> & {
  toSpeak: string[]
  speaking: Record<string, Speaker>
  results: Record<string, SeatResult>
  /** How often each seat was called: the last part of an attempt's id. */
  calls: Record<string, number>
  launches: number
  breaker: boolean
  stopReason: RoundStopReason | null
  outcome: RoundOutcome | null
  calledAt: number
  lastAt: number
}

type SeatEvent = { seat: string }
export type RoundEvent =
  | AttemptResumed
  | (DoneActorEvent<AttemptOutput> & { type: `xstate.done.actor.${string}` })
  | (ErrorActorEvent & { type: `xstate.error.actor.${string}` })
  | Stamped<
      | ({ type: 'seat.retry' } & SeatEvent)
      | ({ type: 'seat.cancel' } & SeatEvent)
      | ({ type: 'seat.kill' } & SeatEvent)
      | ({ type: 'seat.replace'; agent: AgentId; mayContinue: boolean } & SeatEvent)
      | { type: 'round.stop'; reason: RoundStopReason }
      | { type: 'round.hurry' }
      | { type: 'computer.woke'; sleptMs: number }
    >

export type RoundOutput = {
  round: number
  outcome: RoundOutcome
  /** Every seat that was to speak, in order of the table; `null` where the breaker or a stop came first. */
  seats: { seat: string; agent: AgentId; result: SeatResult | null }[]
  launches: number
  breaker: boolean
  at: number
}

export type RoundMoment = { context: RoundContext; event: RoundEvent }

export const freshRound = ({ input: { at, ...given } }: { input: RoundInput }): RoundContext => ({
  ...given,
  toSpeak: given.seats.map(({ seat }) => seat),
  speaking: {},
  results: {},
  calls: {},
  launches: 0,
  breaker: false,
  stopReason: null,
  outcome: null,
  calledAt: at,
  lastAt: at,
})

export const roundOutput = ({ context }: { context: RoundContext }): RoundOutput => ({
  round: context.round,
  outcome: context.outcome ?? 'tallied',
  seats: context.seats.map(({ seat, agent }) => ({ seat, agent, result: context.results[seat] ?? null })),
  launches: context.launches,
  breaker: context.breaker,
  at: context.lastAt,
})
