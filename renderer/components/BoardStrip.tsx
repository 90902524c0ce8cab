import { livingTurns } from '../state/life.ts'
import { useNow } from '../state/clock.ts'
import type { RunState } from '../state/model.ts'
import { attemptPlace, useNavigation } from '../state/place.ts'
import { runLook, turnLook, voteLook, type Look } from '../state/status.ts'
import { lastOfSeats, turnMs } from '../state/rounds.ts'
import { length } from '../state/time.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'

/** The board as one line, where the window is narrow: this round's agents, and the way to the whole diagram. */
export const BoardStrip = ({ run }: { run: RunState }) => {
  const { go, draw } = useNavigation()
  const names = useNames()
  const now = useNow()
  const living = new Set(livingTurns(run).map(({ attemptId }) => attemptId))
  const turns = lastOfSeats(run.turns.filter((turn) => turn.round === run.run.round)).toSorted(
    (a, b) => Number(turnLook(b).tone === 'needs') - Number(turnLook(a).tone === 'needs'),
  )
  return (
    <div className="board-strip" data-region tabIndex={-1}>
      <ul aria-label={text.panel.round(run.run.round, run.run.policy.rounds)}>
        {turns.length === 0 ? (
          <li>
            <Pill look={runLook(run.run.status)} words={text.run[run.run.status]} />
          </li>
        ) : null}
        {turns.map((turn) => {
          const look = living.has(turn.attemptId) ? turnLook(turn) : voteLook(turn, run.run.policy.consensus)
          const facts = living.has(turn.attemptId) ? `${look.word} ${length(turnMs(turn, now))}` : look.word
          return (
            <li key={turn.attemptId}>
              <button type="button" className="pill-button" onClick={() => go(attemptPlace(turn))}>
                <Pill look={look} words={`${names(turn.agent)} ${facts}`} />
              </button>
            </li>
          )
        })}
      </ul>
      <span className="grow" />
      <button type="button" className="button small" onClick={() => draw('panel')}>
        <Icon name="diagram" small />
        {text.bar.diagram}
      </button>
    </div>
  )
}

const Pill = ({ look, words }: { look: Look; words: string }) => (
  <span className={`badge${look.tone === 'needs' ? ' solid-needs' : ''}`} data-tone={look.tone}>
    <Icon name={look.icon} small />
    {words}
  </span>
)
