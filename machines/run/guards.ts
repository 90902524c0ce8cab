import { stalledRoundsMax } from '../../shared/limits.ts'
import type { RunEnd } from '../../shared/run.ts'
import {
  enoughAreSeated, everyoneAgrees, everyoneAnswered, everyoneFailed, everyoneWasPassedOver, someoneAnswered,
} from './agreement.ts'
import type { LastRound, RunContext, RunMoment } from './memory.ts'

/** The policy of a run: every clause that decides whether it goes on, waits, or concludes. */
export const runGuards = {
  aPositionWasAccepted: ({ context }: RunMoment) => context.stop?.kind === 'accepted',
  aPersonStoppedIt: ({ context }: RunMoment) => context.stop?.kind === 'person',
  theAppShutDown: ({ context }: RunMoment) => context.stop?.kind === 'shutdown',
  theRoundWasInterrupted: ({ context }: RunMoment) => context.last !== null && context.last.outcome !== 'tallied',
  everyoneFailed: ({ context }: RunMoment) => ofRound(context, everyoneFailed),
  everyoneAgrees: ({ context }: RunMoment) => context.policy.consensus && ofRound(context, everyoneAgrees),
  everyoneAnswered: ({ context }: RunMoment) => !context.policy.consensus && ofRound(context, everyoneAnswered),
  someAnswered: ({ context }: RunMoment) => !context.policy.consensus && ofRound(context, someoneAnswered),
  everyoneWasPassedOver: ({ context }: RunMoment) =>
    !context.policy.consensus && ofRound(context, everyoneWasPassedOver),
  roundsAreUp: ({ context }: RunMoment) => context.policy.rounds !== null && context.round >= context.policy.rounds,
  theBreakerTripped: ({ context }: RunMoment) => context.last?.breaker === true,
  tooFewAreLeft: ({ context }: RunMoment) => !enoughAreSeated(context),
  aPauseIsWanted: ({ context }: RunMoment) => context.pauseWanted,
  thePositionsStall: ({ context }: RunMoment) => context.stillRounds >= stalledRoundsMax,

  itNamesThisRun: ({ context, event }: RunMoment) => 'runId' in event && event.runId === context.runId,
  itIsTheGate: (moment: RunMoment) => isTheGate(moment),
  itAcceptsAPosition: (moment: RunMoment) => isGranted(moment) && acceptsAPosition(moment),
  itIsGranted: (moment: RunMoment) => isGranted(moment),
  itConcludesAs: ({ context }: RunMoment, { end }: { end: RunEnd }) => context.conclusion === end,
}

const ofRound = ({ last }: RunContext, holds: (last: LastRound) => boolean) => last !== null && holds(last)

const isTheGate = ({ context, event }: RunMoment) => 'gateId' in event && event.gateId === context.ask?.gateId

const isGranted = (moment: RunMoment) =>
  isTheGate(moment) && moment.event.type === 'gate.answered' && moment.event.decision.effect === 'grant'

const acceptsAPosition = ({ event }: RunMoment) => event.type === 'gate.answered' && event.decision.position !== null
