import type { AgentRun, DeadlineInput, GateFollower, KeepReply, Lease, Silence } from '../blanks.ts'
import type { AttemptContext } from './memory.ts'

type Of = { context: AttemptContext }

/** What each actor of a turn is given when it begins. */
export const leaseWanted = ({ context: { attemptId, runId, conversationId, allowWrite } }: Of): Lease =>
  ({ attemptId, runId, conversationId, allowWrite })

export const agentWanted = ({ context }: Of): AgentRun => ({
  attemptId: context.attemptId,
  runId: context.runId,
  conversationId: context.conversationId,
  round: context.round,
  seat: context.seat,
  agent: context.agent,
  allowWrite: context.allowWrite,
  try: context.tries,
  fresh: context.rebuilt,
  continues: context.continues,
})

export const silenceAllowed = ({ context: { attemptId, silenceMs } }: Of): Silence => ({ attemptId, silenceMs })

export const replyToKeep = ({ context: { attemptId, runId, round, seat } }: Of): KeepReply =>
  ({ attemptId, runId, round, seat })

export const gateToFollow = ({ context: { gate, attemptId } }: Of): GateFollower =>
  ({ gateId: gate?.gateId ?? attemptId, ask: gate?.ask ?? null })

export const launchDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'launch.expired' })
export const capDeadline = ({ context }: Of): DeadlineInput => ({ at: context.capAt, event: 'cap.expired' })
export const killDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'kill.expired' })
export const settlingDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'settling.expired' })
export const backoffDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'backoff.passed' })
export const attemptLost = (): { event: string } => ({ event: 'attempt.lost' })
