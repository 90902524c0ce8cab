import { kindOf, mayRetry } from '../../shared/errors.ts'
import { approvalAgeMaxMs } from '../../shared/limits.ts'
import type { AttemptContext, AttemptMoment } from './memory.ts'

/** The policy of one turn: every clause that decides where it goes next. */
export const attemptGuards = {
  itFinished: ({ context }: AttemptMoment) => hasFinished(context) && context.finish === 'completed',
  itFinishedInPart: ({ context }: AttemptMoment) => hasFinished(context) && context.textLength > 0,
  itWasPassedOver: ({ context }: AttemptMoment) => context.stopReason === 'passedOver' && context.tries === 0,
  aPersonStoppedIt: ({ context: { stopReason } }: AttemptMoment) =>
    stopReason === 'person' || stopReason === 'passedOver',
  theAppShutDown: ({ context }: AttemptMoment) => context.stopReason === 'shutdown',
  itWasLostAtItsGate: ({ context }: AttemptMoment) => context.lost && context.gate !== null,
  itWasLost: ({ context }: AttemptMoment) => context.lost,
  itTimedOut: ({ context }: AttemptMoment) => isTimeout(context) && !mayTryAgain(context),
  aPersonWantsAnotherTry: ({ context }: AttemptMoment) => context.cause === 'retry' && launchesAreLeft(context),
  theSessionMayBeRebuilt: ({ context }: AttemptMoment) =>
    isSessionLost(context) && !context.rebuilt && launchesAreLeft(context),
  theOutcomeIsUnknown: ({ context }: AttemptMoment) => context.allowWrite && context.began && mayTryAgain(context),
  itMayTryAgain: ({ context }: AttemptMoment) => mayTryAgain(context),

  launchesAreLeft: ({ context }: AttemptMoment) => launchesAreLeft(context),
  itIsTheGate: (moment: AttemptMoment) => isTheGate(moment),
  itIsGranted: (moment: AttemptMoment) => isGranted(moment) && launchesAreLeft(moment.context),
  theApprovalIsTooOld: (moment: AttemptMoment) => isGranted(moment) && approvalIsTooOld(moment),
}

const hasFinished = ({ cause, kept }: AttemptContext) => cause === 'finished' && kept

const mayTryAgain = (context: AttemptContext) =>
  context.failure !== null
  && mayRetry(context.failure)
  && !isSessionLost(context)
  && !context.retryAsked
  && context.tries < context.maxTries
  && launchesAreLeft(context)
  // a wait longer than the whole turn may take is not worth waiting for
  && (context.failure.retryAfterMs ?? 0) <= context.capMs

const launchesAreLeft = (context: AttemptContext) => context.tries < context.launchesLeft

const isTimeout = ({ failure }: AttemptContext) => failure !== null && kindOf(failure.code) === 'timeout'

const isSessionLost = ({ failure }: AttemptContext) => failure !== null && kindOf(failure.code) === 'session'

const isTheGate = ({ context, event }: AttemptMoment) => 'gateId' in event && event.gateId === context.gate?.gateId

const isGranted = ({ context, event }: AttemptMoment) =>
  event.type === 'gate.answered' && event.gateId === context.gate?.gateId && event.decision.effect === 'grant'

/** Only an approval of the agent's own question grows old: ours is asked when it is to be acted upon. */
const approvalIsTooOld = ({ context, event }: AttemptMoment) =>
  event.type === 'gate.answered'
  && context.allowWrite
  && context.gate?.ask === null
  && event.at - event.decision.at > approvalAgeMaxMs
