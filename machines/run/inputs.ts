import { attemptsPerRunMax } from '../../shared/limits.ts'
import type { RunEnd } from '../../shared/run.ts'
import type { AcceptTask, DeadlineInput, GateFollower, Preflight, WriteMinutes } from '../blanks.ts'
import type { RoundInput } from '../round/memory.ts'
import { recordToAccept, type RunContext } from './memory.ts'

type Of = { context: RunContext }

/** What each actor of a run is given when it begins. */
export const checksWanted = ({ context: { runId, conversationId, seats } }: Of): Preflight =>
  ({ runId, conversationId, agents: seats.map(({ agent }) => agent) })

export const taskToAccept = ({ context }: Of): AcceptTask => ({ record: recordToAccept(context) })

export const roundWanted = ({ context }: Of): RoundInput => ({
  runId: context.runId,
  conversationId: context.conversationId,
  round: context.round,
  blind: context.policy.blindFirst && context.round === 1,
  seats: context.seats
    .filter(({ standing }) => standing === 'seated')
    .map(({ seat, agent }) => ({ seat, agent, mayContinue: context.mayContinue[seat] ?? false })),
  policy: context.policy,
  launchesLeft: attemptsPerRunMax - context.launches,
  at: context.lastAt,
})

export const gateToFollow = ({ context: { ask, runId } }: Of): GateFollower => ({ gateId: ask?.gateId ?? runId, ask })

export const minutesToWrite = ({ context: { runId, conclusion } }: Of): WriteMinutes =>
  ({ runId, conclusion: conclusion ?? endOfLastResort })

export const preflightDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'preflight.expired' })
export const minutesDeadline = ({ context }: Of): DeadlineInput => ({ at: context.dueAt, event: 'minutes.due' })

// a run that concludes always has its conclusion; the type does not know it
const endOfLastResort: RunEnd = 'interrupted'
