import { launchesFree, maySpeak } from './floor.ts'
import type { RoundContext, RoundMoment } from './memory.ts'

/** Who has the floor, who may have it next, and when the round is over. */
export const roundGuards = {
  theBreakerTrips: ({ context }: RoundMoment) =>
    context.toSpeak.length > 0 && nobodySpeaks(context) && launchesFree(context) === 0,
  someoneMaySpeak: ({ context }: RoundMoment) => maySpeak(context).length > 0,
  someoneSpeaks: ({ context }: RoundMoment) => !nobodySpeaks(context),
  nobodySpeaks: ({ context }: RoundMoment) => nobodySpeaks(context),
  /** A turn ended because of a restart, and no other was woken by a person since. */
  theRoundWasLost: ({ context, event }: RoundMoment) =>
    'output' in event && event.output.lost
    && !Object.entries(context.speaking).some(([seat, { wentOn }]) => wentOn && seat !== event.output.seat),

  itHasTheFloor: (moment: RoundMoment) => hasTheFloor(moment),
  itIsYetToSpeak: (moment: RoundMoment) => isYetToSpeak(moment),
  /** It has the floor, and was not told to leave it to another agent. */
  itSpeaks: (moment: RoundMoment) => hasTheFloor(moment) && !isYetToSpeak(moment),
  itDidNotComplete: (moment: RoundMoment) =>
    !hasTheFloor(moment) && !isYetToSpeak(moment) && didNotComplete(moment),
}

const nobodySpeaks = ({ speaking }: RoundContext) => Object.keys(speaking).length === 0

const hasTheFloor = ({ context, event }: RoundMoment) => 'seat' in event && event.seat in context.speaking

const isYetToSpeak = ({ context, event }: RoundMoment) => 'seat' in event && context.toSpeak.includes(event.seat)

const didNotComplete = ({ context, event }: RoundMoment) => {
  const result = 'seat' in event ? context.results[event.seat] : undefined
  return result !== undefined && result.status !== 'completed'
}
