import { triesPerAttemptMax } from '../../shared/limits.ts'
import type { RoundContext, RoundEvent } from './memory.ts'

/** Launches beyond the automatic tries that a person may ask of one turn. */
const launchesForAPerson = 2

/** How many launches one turn sets aside, so that the breaker holds whatever the turns do at once. */
export const launchesPerTurn = triesPerAttemptMax + launchesForAPerson

/** Launches that no turn has set aside yet. */
export const launchesFree = ({ launchesLeft, launches, speaking }: RoundContext): number => {
  const reserved = Object.values(speaking).reduce((sum, speaker) => sum + speaker.reserved, 0)
  return Math.max(0, launchesLeft - launches - reserved)
}

/**
 * The seats that may have the floor now: in a blind round all, else the first when nobody speaks.
 * A seat whose former speaker is still being ended waits.
 */
export const maySpeak = (context: RoundContext): string[] => {
  if (context.blind) {
    const affordable = Math.ceil(launchesFree(context) / launchesPerTurn)
    return context.toSpeak.filter((seat) => !(seat in context.speaking)).slice(0, affordable)
  }
  const quiet = Object.keys(context.speaking).length === 0
  return quiet && launchesFree(context) > 0 ? context.toSpeak.slice(0, 1) : []
}

/** The seat that an attempt's last word came from, as long as it is the one we listen to. */
export const speakerOf = (context: RoundContext, event: RoundEvent): string | null => {
  const attemptId = 'actorId' in event ? event.actorId : null
  const found = Object.entries(context.speaking).find(([, speaker]) => speaker.attemptId === attemptId)
  return found ? found[0] : null
}
