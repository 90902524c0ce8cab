import { useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { TurnView } from '../../shared/view.ts'
import type { RunState } from '../state/model.ts'
import { lastOfSeats, unfinished } from '../state/rounds.ts'
import { runLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent, useNames } from './Agent.tsx'
import { AgentMenu } from './AgentMenu.tsx'
import { CrashCard } from './CrashCard.tsx'
import { FolderGone } from './FolderGone.tsx'
import { Icon } from './icons.tsx'
import { LookBack } from './LookBack.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'
import { useImported } from './use-imported.ts'

/** How a run ended, where everybody stands, and what can be done from here. */
export const RunEndBlock = ({
  run,
  newest,
  past = false,
}: {
  run: RunState
  newest: boolean
  /** Drawn where somebody looks back already: nothing can be pressed. */
  past?: boolean
}) => {
  const goesOn = !useImported(run.run.conversationId) && !past && newest
  const look = runLook(run.run.status)
  // a plain answer speaks for itself
  if (run.run.status === 'completed' && !run.run.policy.consensus) return null
  if (run.run.status === 'interrupted' && goesOn) return <CrashCard run={run} actions={<RunActions run={run} />} />
  const positions = run.run.policy.consensus ? standing(run.turns) : []
  return (
    <section className="run-end" data-tone={look.tone} aria-label={look.word}>
      <header className="row">
        <Icon name={look.icon} />
        <b>{endTitle(run)}</b>
        <span className="meta cut grow">{endReason(run)}</span>
        {past ? null : <LookBack run={run.run} small />}
      </header>
      {positions.length > 1 ? (
        <ul className="stands">
          {positions.map((turn) => (
            <Stand key={turn.attemptId} turn={turn} />
          ))}
        </ul>
      ) : null}
      {goesOn ? <RunActions run={run} /> : null}
    </section>
  )
}

const Stand = ({ turn }: { turn: TurnView }) => {
  const card = useAgent(turn.agent)
  return (
    <li>
      <Mark card={card} />
      <span className="unseen">{card.name}</span>
      <q className="grow">{turn.vote?.position}</q>
    </li>
  )
}

/** The last position of each seat. */
const standing = (turns: readonly TurnView[]) => lastOfSeats(turns.filter((turn) => turn.vote !== null))

function endTitle({ run }: RunState) {
  if (run.stop?.kind === 'accepted') return text.ended.accepted
  if (run.status === 'agreed') return text.ended.agreed(run.round)
  if (run.status === 'roundsUp') return text.ended.roundsUp(run.round)
  if (run.status === 'completed' || run.status === 'partial' || run.status === 'failed') return text.ended[run.status]
  if (run.status === 'budgetSpent' || run.status === 'stopped') return text.ended[run.status]
  return text.ended.interrupted
}

function endReason({ run }: RunState) {
  if (run.stop?.kind === 'accepted') return run.stop.position === null ? '' : text.gate.reason(run.stop.position)
  if (run.reason) return text.errors[run.reason.code]
  return run.stop ? text.stopKind[run.stop.kind] : ''
}

/** Retry, replace, or go on from the transcript: each starts a linked run. */
const RunActions = ({ run }: { run: RunState }) => {
  const { call, failure, busy, clear } = useCommand()
  const names = useNames()
  const [left, setLeft] = useState(false)
  const broken = unfinished(run.turns)
  if (left || broken.length === 0) return null
  const follow = (seats: string[] | null, replace: Record<string, AgentId>) =>
    void call('run.followUp', { runId: run.run.runId, seats, replace })
  return (
    <div className="actions">
      <button type="button" className="button solid" disabled={busy} onClick={() => follow(null, {})}>
        <Icon name="transcript" />
        {text.ended.continueAll}
      </button>
      {broken.map((turn) => (
        <button
          type="button"
          key={turn.attemptId}
          className="button"
          disabled={busy}
          onClick={() => follow([turn.seat], {})}
        >
          <Icon name="again" />
          {text.ended.retry(names(turn.agent))}
        </button>
      ))}
      <AgentMenu
        label={text.ended.replace}
        items={broken.map((turn) => ({ key: turn.seat, name: names(turn.agent), not: turn.agent }))}
        disabled={busy}
        pick={(seat, agent) => follow([seat], { [seat]: agent })}
      />
      <button type="button" className="button plain leave" onClick={() => setLeft(true)}>
        {text.ended.leave}
      </button>
      <Refusal failure={failure} />
      <FolderGone conversationId={run.run.conversationId} failure={failure} made={clear} />
    </div>
  )
}
