import type { LedgerEvent } from '../../shared/ledger.ts'
import type { AttemptStatus } from '../../shared/attempt.ts'
import { eventWord, stateWord } from '../charts/chart-words.ts'
import { useNow } from '../state/clock.ts'
import { attemptLook } from '../state/status.ts'
import { moment } from '../state/time.ts'
import { text } from '../text/text.ts'
import { causeWords, leafOf } from './cause.ts'
import { Icon, type IconName } from './icons.tsx'

/** Every transition with its time and its cause in words. */
export const Timeline = ({ events }: { events: readonly LedgerEvent[] }) => {
  const now = useNow()
  return (
    <ol className="timeline">
      {events.map((event) => {
        const leaf = leafOf(event.value)
        const look = lookOf(leaf)
        return (
          <li key={event.seq}>
            <time className="meta">{moment(event.at, now)}</time>
            <span className="tone" data-tone={look.tone}>
              <Icon name={look.icon} small />
            </span>
            <div>
              <p>
                <b className="event-word">{eventWord(event.type)}</b> <span className="dim">→ {stateWord(leaf)}</span>
              </p>
              <p className="meta">{causeWords(event.cause)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

const lookOf = (leaf: string): { tone: string; icon: IconName } =>
  isStatus(leaf) ? attemptLook(leaf) : { tone: 'idle', icon: 'right' }

const isStatus = (leaf: string): leaf is AttemptStatus => Object.hasOwn(text.attempt, leaf)
