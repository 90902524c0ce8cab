import type { AgentId } from '../../shared/agent.ts'
import type { AttemptEnd } from '../../shared/attempt.ts'
import type { Failure } from '../../shared/errors.ts'
import type { GateAsk, GateDecision } from '../../shared/gate.ts'
import type { NoVote, Vote } from '../../shared/vote.ts'
import type { AgentFact, GateFact, LeaseFact, ReplyFact, Stamped } from '../blanks.ts'

/** Who a turn is for, and how much it may take. */
export type AttemptInput = {
  attemptId: string
  runId: string
  conversationId: string
  round: number
  seat: string
  agent: AgentId
  allowWrite: boolean
  /** Whether a new process can go on where a dead one waited at a gate. */
  mayContinue: boolean
  maxTries: number
  /** How many launches the round has set aside for this turn. */
  launchesLeft: number
  capMs: number
  silenceMs: number
  at: number
}

/** `passedOver`: the person took the floor from this seat alone. */
type StopReason = 'person' | 'passedOver' | 'shutdown'

/** What ended the try that is going on. The first cause is the true one. */
export type Cause = 'finished' | 'failed' | 'silent' | 'launchExpired' | 'capExpired' | 'stopped' | 'retry' | 'died'

/** The gate that this turn waits at; `ask` is there when this chart opens it itself. */
type HeldGate = { gateId: string; ask: GateAsk | null; decision: GateDecision | null }
type Approval = { gateId: string; decision: GateDecision }

export type AttemptContext = Omit<AttemptInput, 'at'> & {
  tries: number
  cause: Cause | null
  finish: 'completed' | 'refused' | 'cancelled' | null
  stopReason: StopReason | null
  failure: Failure | null
  /** Whether the prompt reached an agent in this try. */
  began: boolean
  kept: boolean
  vote: Vote | null
  noVote: NoVote | null
  textLength: number
  denials: number
  rebuilt: boolean
  lost: boolean
  /** What took it, where that was no restart; snapshots that were stored before have none. */
  loss?: Failure | null
  gate: HeldGate | null
  /** A person was asked whether to try again after this try. */
  retryAsked: boolean
  /** An approval that is asked about once more. */
  approval: Approval | null
  /** The decision that the next process goes on with. */
  continues: Approval | null
  capAt: number | null
  capLeftMs: number | null
  dueAt: number | null
  calledAt: number
  startedAt: number | null
  aliveSince: number | null
  settledAt: number | null
  end: AttemptEnd | null
  lastAt: number
}

export type AttemptEvent =
  | AgentFact
  | LeaseFact
  | ReplyFact
  | GateFact
  | Stamped<
      | { type: 'agent.silent' }
      | { type: 'launch.expired' }
      | { type: 'cap.expired' }
      | { type: 'kill.expired' }
      | { type: 'settling.expired' }
      | { type: 'backoff.passed' }
      | { type: 'attempt.stop'; reason: StopReason }
      | { type: 'attempt.retry' }
      | { type: 'attempt.kill' }
      | { type: 'computer.woke'; sleptMs: number }
    >

/** What a turn was, told to its round. */
export type AttemptOutput = {
  attemptId: string
  seat: string
  agent: AgentId
  status: AttemptEnd
  vote: Vote | null
  failure: Failure | null
  tries: number
  /** It ended because the app was started anew. */
  lost: boolean
  at: number
}

/** Told to the round when a parked turn goes on. */
export type AttemptResumed = Stamped<{ type: 'attempt.resumed'; seat: string; attemptId: string }>

export type AttemptMoment = { context: AttemptContext; event: AttemptEvent }

export const freshAttempt = ({ input: { at, ...given } }: { input: AttemptInput }): AttemptContext => ({
  ...given,
  tries: 0,
  cause: null,
  finish: null,
  stopReason: null,
  failure: null,
  began: false,
  kept: false,
  vote: null,
  noVote: null,
  textLength: 0,
  denials: 0,
  rebuilt: false,
  lost: false,
  loss: null,
  gate: null,
  retryAsked: false,
  approval: null,
  continues: null,
  capAt: null,
  capLeftMs: null,
  dueAt: null,
  calledAt: at,
  startedAt: null,
  aliveSince: null,
  settledAt: null,
  end: null,
  lastAt: at,
})

export const attemptOutput = ({ context }: { context: AttemptContext }): AttemptOutput => ({
  attemptId: context.attemptId,
  seat: context.seat,
  agent: context.agent,
  status: context.end ?? 'failed',
  vote: context.vote,
  failure: context.failure,
  tries: context.tries,
  lost: context.lost,
  at: context.settledAt ?? context.lastAt,
})
