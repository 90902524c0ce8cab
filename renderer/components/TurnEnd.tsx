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
    return <p className="turn-end meta">{`${whyEnded(turn)} ${turn.status === 'stopped' ? kept(turn) : ''}`}</p>
  }
  return (
    <div className="turn-end failure" data-tone="failed" role="note" aria-label={name}>
      <Icon name={turn.status === 'timedOut' ? 'timedOut' : turn.status === 'partial' ? 'partial' : 'failed'} />
      <p>
        {whyEnded(turn)} {kept(turn)}
      </p>
    </div>
  )
}

/** Why a turn came to its end, in a sentence; empty where it simply finished. */
export function whyEnded({ failure, status }: Pick<TurnView, 'failure' | 'status'>): string {
  if (failure) return text.errors[failure.code]
  if (status === 'stopped') return text.transcript.stopped
  return status === 'skipped' ? text.transcript.passedOver : ''
}

const kept = ({ textLength }: TurnView) =>
  textLength > 0 ? text.transcript.textKept(text.characters(textLength)) : text.transcript.nothingKept

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
        {changed && why !== '' ? <span className="dim">{text.common.dot + words.why(why)}</span> : null}
      </span>
    </p>
  )
}
