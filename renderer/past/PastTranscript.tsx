import { useEffect, useRef } from 'react'
import { settled } from '../../shared/run.ts'
import { Icon } from '../components/icons.tsx'
import { FollowUpLine, RoundBlock, UserMessage } from '../components/RunBlock.tsx'
import { RunEndBlock } from '../components/RunEnd.tsx'
import type { TurnView } from '../../shared/view.ts'
import { hasRounds, roundsOf } from '../state/rounds.ts'
import { text } from '../text/text.ts'
import type { Moment } from './moments.ts'
import { PastGate } from './PastGate.tsx'
import { PastTurn } from './PastTurn.tsx'
import type { Looking } from './use-looking.ts'

/** What had been said by the moment that is looked at. What came later is not there, and is said not to be. */
export const PastTranscript = ({ looking, time }: { looking: Looking; time: string }) => {
  const { picture, moment, index, history, step } = looking
  const { run } = picture
  const box = useRef<HTMLDivElement>(null)
  const actor = attemptOf(moment)
  useEffect(() => bringIntoSight(box.current, moment), [moment])
  const rounds = roundsOf(run.run, run.turns)
  const framed = hasRounds(run.run)
  const later = history.moments.length - 1 - index
  const turnOf = (turn: TurnView) => (
    <PastTurn
      key={turn.attemptId}
      turn={turn}
      votes={framed}
      known={picture.heard.get(turn.attemptId)?.known ?? 'whole'}
      gates={gatesOf(looking, turn.attemptId)}
      moved={turn.attemptId === actor}
    />
  )
  return (
    <div className="transcript-box">
      <div
        className="transcript"
        role="region"
        // what scrolls must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={text.transcript.label}
        ref={box}
        data-region
      >
        <div className="transcript-inner">
          <section className="run">
            {run.run.followUpOf === null ? (
              <UserMessage run={run} />
            ) : (
              <FollowUpLine />
            )}
            {rounds.map((round, at) =>
              framed ? (
                <RoundBlock
                  key={round.round}
                  run={run}
                  round={round}
                  last={at === rounds.length - 1}
                  reading={() => false}
                  draw={turnOf}
                />
              ) : (
                round.turns.map(turnOf)
              ),
            )}
            {gatesOf(looking, run.run.runId).map((gate) => (
              <PastGate key={gate.gateId} gate={gate} />
            ))}
            {settled(run.run.status) ? <RunEndBlock run={run} newest={false} past /> : null}
            <Here time={time} later={later} toEnd={() => step('end', 1)} />
          </section>
        </div>
      </div>
    </div>
  )
}

const gatesOf = ({ picture }: Looking, asker: string) => {
  const own = picture.gates.filter((gate) => gate.asker.id === asker)
  return own.length === 0 ? noGates : own
}
// always the same, so that a turn that did not change is not drawn anew
const noGates: readonly never[] = []

const Here = ({ time, later, toEnd }: { time: string; later: number; toEnd: () => void }) => (
  <footer className="past-here">
    <div className="row">
      <Icon name="clock" small />
      <b>{text.past.here(time)}</b>
      <span className="round-rule" />
      {later > 0 ? (
        <button type="button" className="button small" onClick={toEnd}>
          {text.past.toEnd}
        </button>
      ) : null}
    </div>
    <p className="meta">{later > 0 ? text.past.later(later) : text.past.isEnd}</p>
  </footer>
)

/** What moved, or else the place where the record then ended. */
function bringIntoSight(box: HTMLElement | null, moment: Moment) {
  const actor = attemptOf(moment)
  const moved = actor === null ? null : box?.querySelector(`[data-attempt="${CSS.escape(actor)}"]`)
  const sight = moved ?? box?.querySelector('.past-here')
  if (!box || !sight) return
  const [outer, inner] = [box.getBoundingClientRect(), sight.getBoundingClientRect()]
  if (inner.bottom > outer.bottom || inner.bottom < outer.top) box.scrollTop += inner.bottom - outer.bottom + marginPx
}
const marginPx = 12

/** The attempt that moved, if it was one. */
const attemptOf = ({ event }: Moment) => (event?.machine === 'attempt' ? event.actor : null)
