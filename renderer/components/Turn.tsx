import { memo } from 'react'
import { attemptSettled } from '../../shared/attempt.ts'
import type { TurnView } from '../../shared/view.ts'
import { useNow } from '../state/clock.ts'
import { attemptPlace, useNavigation } from '../state/place.ts'
import { turnMs } from '../state/rounds.ts'
import { turnLook } from '../state/status.ts'
import { length, short } from '../state/time.ts'
import { text } from '../text/text.ts'
import { Mark, Rehearsal, useAgent } from './Agent.tsx'
import { GateCard } from './GateCard.tsx'
import { Icon } from './icons.tsx'
import { useGatesOf } from './use-gates.ts'
import { useRemembered } from './use-near.ts'
import { Markdown } from './Markdown.tsx'
import { State } from './State.tsx'
import { ToolLine, TurnWork } from './TurnDetails.tsx'
import { TurnEnd } from './TurnEnd.tsx'

/** One agent's turn: who, in which state, what was said, and what of it asks for the person. */
export const Turn = memo(({ turn, votes }: { turn: TurnView; votes: boolean }) => {
  const card = useAgent(turn.agent)
  const { go } = useNavigation()
  const gates = useGatesOf(turn.attemptId)
  const [chosen, setWorking] = useRemembered(`${turn.attemptId} working`)
  const working = chosen ?? false
  const going = !attemptSettled(turn.status)
  const open = () => go(attemptPlace(turn))
  return (
    <article
      className="turn"
      aria-label={text.transcript.answer(card.name)}
      aria-busy={turn.status === 'streaming'}
      data-attempt={turn.attemptId}
    >
      <Mark card={card} large />
      <header className="who">
        <b>{card.name}</b>
        <Rehearsal card={card} />
        {turn.status === 'completed' ? null : <State look={turnLook(turn)} />}
        <TurnFigures turn={turn} />
        <span className="grow" />
        <button
          type="button"
          className="button plain small square show-on-hover"
          title={text.transcript.openAttempt}
          aria-label={`${text.transcript.openAttempt}: ${card.name}`}
          onClick={open}
        >
          <Icon name="diagram" small />
        </button>
        <ToolLine turn={turn} open={working} toggle={() => setWorking(!working)} />
      </header>
      <div className="turn-body" data-growing={turn.status === 'streaming' || turn.status === 'launching' || undefined}>
        {working ? <TurnWork turn={turn} /> : null}
        {turn.text === '' ? null : <Markdown text={turn.text} streaming={turn.status === 'streaming'} />}
        {turn.text === '' && turn.status === 'completed' ? <p className="dim">{text.transcript.nothingSaid}</p> : null}
        {gates.map((gate) => (
          <GateCard key={gate.gateId} gate={gate} />
        ))}
        {going ? null : <TurnEnd turn={turn} votes={votes} name={card.name} />}
      </div>
    </article>
  )
})

/** Time and tokens; figures are tabular, so that ticking moves nothing. */
export const TurnFigures = ({ turn }: { turn: TurnView }) => {
  const tokens = turn.usage.inputTokens + turn.usage.outputTokens
  return (
    <span className="meta">
      {turn.status === 'queued' ? null : turn.settledAt === null ? (
        <Ticking turn={turn} />
      ) : (
        length(turnMs(turn, turn.settledAt))
      )}
      {turn.status === 'queued' || tokens === 0 ? '' : text.common.dot}
      {tokens === 0 ? '' : text.tokens(short(tokens), turn.usage.provenance === 'estimated')}
    </span>
  )
}

const Ticking = ({ turn }: { turn: TurnView }) => <time>{length(turnMs(turn, useNow()))}</time>
