import type { TurnView } from '../../shared/view.ts'
import { voteLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

/** How a turn ended: its vote, or why there is none and what is kept. */
export const TurnEnd = ({ turn, votes, name }: { turn: TurnView; votes: boolean; name: string }) => {
  if (turn.status === 'completed') return votes ? <VoteLine turn={turn} /> : null
  if (turn.status === 'interrupted') {
    return (
      <p className="turn-end tone" data-tone="interrupted">
        <Icon name="interrupted" small />
        {text.transcript.recordEnds}
      </p>
    )
  }
  if (turn.status === 'stopped' || turn.status === 'skipped') {
    return turn.failure ? <p className="turn-end meta">{text.errors[turn.failure.code]}</p> : null
  }
  return (
    <div className="turn-end failure" data-tone="failed" role="note" aria-label={name}>
      <Icon name={turn.status === 'timedOut' ? 'timedOut' : turn.status === 'partial' ? 'partial' : 'failed'} />
      <p>
        {turn.failure ? `${text.errors[turn.failure.code]} ` : ''}
        {turn.textLength > 0 ? text.transcript.textKept(text.characters(turn.textLength)) : text.transcript.nothingKept}
      </p>
    </div>
  )
}

/** Where an agent stands at the end of its turn. */
const VoteLine = ({ turn }: { turn: TurnView }) => {
  const look = voteLook(turn, true)
  if (!turn.vote) {
    return (
      <p className="vote" data-tone="idle">
        <Icon name="noVote" />
        <span>{text.transcript.noVote(text.noVote[turn.noVote ?? 'missing'])}</span>
      </p>
    )
  }
  const { choice, changed, position, why } = turn.vote
  const words = text.transcript
  const word =
    choice === 'agree'
      ? changed
        ? words.changedAgrees
        : words.agrees
      : changed
        ? words.changedContinues
        : words.continues
  return (
    <p className="vote" data-tone={look.tone}>
      <Icon name={look.icon} />
      <span>
        <b>{word}</b> <q>{position}</q>
        {changed && why !== '' ? <span className="dim">{`, ${words.why(why)}`}</span> : null}
      </span>
    </p>
  )
}
