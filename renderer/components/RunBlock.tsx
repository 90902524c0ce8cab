import { useState, type ReactNode } from 'react'
import { settled } from '../../shared/run.ts'
import type { RunView, TurnView } from '../../shared/view.ts'
import type { RunState } from '../state/model.ts'
import { hasRounds, positionsIn, roundsOf, type Round } from '../state/rounds.ts'
import { turnLook } from '../state/status.ts'
import { length } from '../state/time.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { GateCard } from './GateCard.tsx'
import { CrashCard } from './CrashCard.tsx'
import { Icon } from './icons.tsx'
import { SentImages } from './Images.tsx'
import { RunEndBlock } from './RunEnd.tsx'
import { RunKept } from './RunKept.tsx'
import { State } from './State.tsx'
import { Turn } from './Turn.tsx'
import { useGatesOf } from './use-gates.ts'
import { useRemembered } from './use-near.ts'

/** One message and all that followed from it. */
export const RunBlock = ({
  run,
  newest,
  reading,
}: {
  run: RunState
  newest: boolean
  /** Whether the reader is somewhere above the end, where nothing may move. */
  reading: () => boolean
}) => {
  const rounds = roundsOf(run.run, run.turns)
  const gates = useGatesOf(run.run.runId)
  const framed = hasRounds(run.run)
  return (
    <section className="run" data-run={run.run.runId}>
      {run.run.followUpOf === null ? <UserMessage run={run} /> : <FollowUpLine />}
      {rounds.map((round, index) =>
        framed ? (
          <RoundBlock
            key={round.round}
            run={run}
            round={round}
            last={newest && index === rounds.length - 1}
            reading={reading}
          />
        ) : (
          round.turns.map((turn) => <Turn key={turn.attemptId} turn={turn} votes={false} />)
        ),
      )}
      {gates.map((gate) => (
        <GateCard key={gate.gateId} gate={gate} />
      ))}
      {settled(run.run.status) ? <RunEndBlock run={run} newest={newest} /> : null}
      {settled(run.run.status) ? <RunKept run={run} /> : null}
      {outlived(run) ? <CrashCard run={run} actions={null} /> : null}
    </section>
  )
}

/** What the person asked; a long one shows its beginning until it is opened. */
export const UserMessage = ({ run: { run, images } }: { run: Pick<RunView, 'run' | 'images'> }) => {
  const { topic } = run
  const [chosen, setWhole] = useRemembered(`${run.runId} whole`)
  const whole = chosen ?? false
  const isLong = topic.length > longTopicCharacters || topic.split('\n').length > longTopicLines
  return (
    <div className="mine">
      <div>
        <SentImages images={images} />
        <p data-cut={(isLong && !whole) || undefined}>
          <span className="unseen">{`${text.transcript.you}: `}</span>
          {topic}
        </p>
        {isLong ? (
          <button type="button" className="button plain small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? text.common.less : text.common.whole}
          </button>
        ) : null}
      </div>
    </div>
  )
}
const longTopicCharacters = 900
const longTopicLines = 14

export const FollowUpLine = () => (
  <p className="follow-up meta">
    <Icon name="transcript" small />
    {text.transcript.followUp}
  </p>
)

/** A round, open or folded to one line; the one that goes on is open, and folds under nobody who reads it. */
export const RoundBlock = ({
  run,
  round,
  last,
  reading,
  draw = (turn) => <Turn key={turn.attemptId} turn={turn} votes />,
}: {
  run: RunState
  round: Round
  last: boolean
  reading: () => boolean
  draw?: (turn: TurnView) => ReactNode
}) => {
  const [chosen, setChosen] = useRemembered(`${run.run.runId} round ${round.round}`)
  const [wasLast, setWasLast] = useState(last)
  if (wasLast !== last) {
    setWasLast(last)
    if (wasLast && chosen === null && reading()) setChosen(true)
  }
  const open = chosen ?? last
  return (
    <section className="round" data-open={open}>
      <button
        type="button"
        className="round-line"
        aria-expanded={open}
        title={open ? text.transcript.foldRound : text.transcript.openRound}
        onClick={() => setChosen(!open)}
      >
        <Icon name={open ? 'down' : 'right'} small />
        <b>
          {last && open
            ? text.transcript.roundOf(round.round, run.run.policy.rounds)
            : text.transcript.round(round.round)}
        </b>
        <span className="meta">{round.blind ? text.transcript.blind : text.transcript.inTurn}</span>
        <span className="round-rule" />
        <RoundSummary round={round} open={open} />
      </button>
      {open ? round.turns.map(draw) : null}
    </section>
  )
}

const RoundSummary = ({ round, open }: { round: Round; open: boolean }) => {
  const names = useNames()
  const broken = round.turns.filter((turn) => notable.has(turn.status))
  const positions = positionsIn(round.turns)
  return (
    <span className="round-summary">
      {round.blind && !open
        ? `${text.transcript.answers(round.turns.length)}, ${text.transcript.positions(positions)}`
        : text.transcript.agreeing(round.agreeing, round.seats)}
      {open
        ? null
        : broken.map((turn) => (
            <State
              key={turn.attemptId}
              small
              look={{ ...turnLook(turn), word: text.transcript.someone(names(turn.agent), turnLook(turn).word) }}
            />
          ))}
      {round.ms === null ? null : <time className="dim">{length(round.ms)}</time>}
    </span>
  )
}

const notable = new Set([
  'failed',
  'timedOut',
  'partial',
  'interrupted',
  'stopped',
  'skipped',
  'awaitingGate',
  'parked',
])

/** Whether a run still lives, at a gate, of which a restart has taken a part. */
const outlived = ({ run, turns }: RunState) =>
  !settled(run.status) && turns.some(({ status, round }) => status === 'interrupted' && round === run.round)
