import type { AgentId } from '../../shared/agent.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import type { TimelineEnd } from '../../shared/timeline.ts'
import { eventWord, stateWord } from '../charts/chart-words.ts'
import { causeWords, leafOf } from '../components/cause.ts'
import { text } from '../text/text.ts'
import type { Moment } from './moments.ts'

type Names = (agent: AgentId) => string

/** Who moved: the run, one of its rounds, an attempt by its agent, a gate by who asked. */
export function whoMoved({ machine, actor }: LedgerEvent, { run, turns, gates }: TimelineEnd, names: Names): string {
  const words = text.past
  if (machine === 'attempt') {
    const turn = turns.find(({ attemptId }) => attemptId === actor)
    return turn ? words.attempt(names(turn.agent), turn.round) : actor
  }
  if (machine === 'gate') {
    const asker = gates.find(({ gateId }) => gateId === actor)?.asker.agent ?? null
    return words.gate(asker === null ? words.run : names(asker))
  }
  return machine === 'round' ? words.round(Number(actor.slice(run.runId.length + 1))) : words.run
}

/** What happened in a few words: the event, and the state that it led to. */
export const whatHappened = ({ event }: Moment): string =>
  event ? `${eventWord(event.type)} → ${stateWord(leafOf(event.value))}` : text.past.foundWord

/** Why, as far as the record tells. */
export const whyItHappened = ({ event }: Moment): string => (event ? causeWords(event.cause) : text.past.foundCause)
