import { memo } from 'react'
import { attemptSettled } from '../../shared/attempt.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { TurnView } from '../../shared/view.ts'
import { Mark, Rehearsal, useAgent } from '../components/Agent.tsx'
import { Markdown } from '../components/Markdown.tsx'
import { State } from '../components/State.tsx'
import { TurnFigures } from '../components/Turn.tsx'
import { TurnEnd } from '../components/TurnEnd.tsx'
import { turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import type { Heard } from './heard.ts'
import { PastGate } from './PastGate.tsx'

/** One agent's turn as far as it had come then. */
export const PastTurn = memo(
  ({
    turn,
    votes,
    known,
    gates,
    moved,
  }: {
    turn: TurnView
    votes: boolean
    known: Heard['known']
    gates: readonly GateRecord[]
    /** Whether the transition that is looked at is its own. */
    moved: boolean
  }) => {
    const card = useAgent(turn.agent)
    const over = attemptSettled(turn.status)
    return (
      <article
        className="turn"
        aria-label={text.transcript.answer(card.name)}
        data-attempt={turn.attemptId}
        data-moved={moved || undefined}
      >
        <Mark card={card} large />
        <header className="who">
          <b>{card.name}</b>
          <Rehearsal card={card} />
          {turn.status === 'completed' ? null : <State look={turnLook(turn)} />}
          <TurnFigures turn={turn} />
          <span className="grow" />
          {turn.toolCount > 0 ? <span className="meta">{text.transcript.tools(turn.toolCount)}</span> : null}
        </header>
        <div className="turn-body">
          {turn.text === '' ? <NoText turn={turn} known={known} /> : <Markdown text={turn.text} />}
          {gates.map((gate) => (
            <PastGate key={gate.gateId} gate={gate} />
          ))}
          {over ? <TurnEnd turn={turn} votes={votes} name={card.name} /> : null}
        </div>
      </article>
    )
  },
)

const NoText = ({ turn, known }: { turn: TurnView; known: Heard['known'] }) => {
  if (known === 'reading') return <p className="dim">{text.common.reading}</p>
  if (known === 'gone') return <p className="dim">{text.past.textGone}</p>
  if (turn.status === 'completed') return <p className="dim">{text.transcript.nothingSaid}</p>
  return attemptSettled(turn.status) ? null : <p className="dim">{text.past.thinks}</p>
}
