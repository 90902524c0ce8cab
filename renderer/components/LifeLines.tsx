import { settled } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'
import { useNow } from '../state/clock.ts'
import { lifeOf, lifeOfRun, livingTurns } from '../state/life.ts'
import type { RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { runLook, turnLook } from '../state/status.ts'
import { moment } from '../state/time.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useAgent } from './Agent.tsx'
import { focusGate } from './focus.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { lastSign } from './CrashCard.tsx'
import { useCommand } from './use-command.ts'

/** Beside every claim that something goes on: what proves it, until when, and what ends it. */
export const LifeLines = ({ run }: { run: RunState }) => {
  const living = livingTurns(run)
  const own = lifeOfRun(run)
  return (
    <ul className="life" aria-label={text.panel.life}>
      {living.map((turn) => (
        <TurnLife key={turn.attemptId} turn={turn} />
      ))}
      {own ? <RunLife run={run} facts={own} /> : null}
      {settled(run.run.status) && living.length === 0 ? <NothingRuns run={run} /> : null}
    </ul>
  )
}

const TurnLife = ({ turn }: { turn: TurnView }) => {
  const card = useAgent(turn.agent)
  const now = useNow()
  const gate = useWorld((world) => world.gates.find(({ gateId }) => gateId === turn.gateId))
  const { call, failure, busy } = useCommand()
  const { go } = useNavigation()
  const { attemptId, runId } = turn
  // the card in its place where it is drawn, else in the inbox
  const answer = (gateId: string) => (focusGate(gateId) ? undefined : go({ view: 'inbox', gateId }))
  const look = turnLook(turn)
  const facts = lifeOf(turn, gate, now)
  return (
    <li>
      <span className="tone" data-tone={look.tone}>
        <Icon name={look.icon} />
      </span>
      <Facts name={card.name} facts={facts} />
      <Refusal failure={failure} />
      {look.tone === 'needs' && gate ? (
        <button type="button" className="button link answer" onClick={() => answer(gate.gateId)}>
          {text.panel.answer}
        </button>
      ) : null}
      {turn.status === 'overdue' ? (
        <button
          type="button"
          className="button small"
          disabled={busy}
          onClick={() => void call('attempt.kill', { runId, attemptId })}
        >
          {text.exits.kill}
        </button>
      ) : null}
      {look.tone === 'needs' ||
      turn.status === 'overdue' ||
      turn.status === 'ending' ||
      turn.status === 'settling' ? null : (
        <button
          type="button"
          className="button plain small square"
          disabled={busy}
          aria-label={text.panel.stopAttempt(card.name)}
          title={text.panel.stopAttempt(card.name)}
          onClick={() => void call('attempt.cancel', { runId, attemptId })}
        >
          <Icon name="stop" />
        </button>
      )}
    </li>
  )
}

const RunLife = ({ run, facts }: { run: RunState; facts: readonly string[] }) => {
  const { call, failure, busy } = useCommand()
  const look = runLook(run.run.status)
  const { runId, status } = run.run
  return (
    <li>
      <span className="tone" data-tone={look.tone}>
        <Icon name={look.icon} />
      </span>
      <Facts name={facts[0] ?? ''} facts={facts.slice(1)} />
      <Refusal failure={failure} />
      {status === 'holding' ? (
        <button
          type="button"
          className="button small"
          disabled={busy}
          onClick={() => void call('run.resume', { runId })}
        >
          {text.exits.resume}
        </button>
      ) : null}
    </li>
  )
}

const NothingRuns = ({ run }: { run: RunState }) => {
  const now = useNow()
  const look = runLook(run.run.status)
  const { settledAt, status } = run.run
  const lost = status === 'interrupted'
  const facts = [
    look.word,
    text.panel.lastEvent(moment(lost ? lastSign(run) : (settledAt ?? lastSign(run)), now)),
    ...(lost && settledAt !== null ? [text.panel.lost(moment(settledAt, now))] : []),
  ]
  return (
    <li>
      <span className="tone" data-tone={look.tone}>
        <Icon name={look.icon} />
      </span>
      <Facts name={text.panel.nothing} facts={facts} />
    </li>
  )
}

/** What is going on, and under it the clocks: two lines that never break, so that ticking moves nothing. */
const Facts = ({ name, facts }: { name: string; facts: readonly string[] }) => (
  <span className="grow facts" title={[name, ...facts].join(text.common.dot)}>
    <span className="cut">
      <b>{name}</b>
      {facts.slice(0, 2).map(dotted)}
    </span>
    {facts.length > 2 ? <span className="cut">{facts.slice(2).join(text.common.dot)}</span> : null}
  </span>
)

const dotted = (fact: string) => text.common.dot + fact
