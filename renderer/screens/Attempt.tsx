import { useState } from 'react'
import type { AttemptView, TurnView } from '../../shared/view.ts'
import { AgentMenu } from '../components/AgentMenu.tsx'
import { Mark, Rehearsal, useAgent } from '../components/Agent.tsx'
import { Deliveries } from '../components/Deliveries.tsx'
import { GateCard } from '../components/GateCard.tsx'
import { Icon } from '../components/icons.tsx'
import { Markdown } from '../components/Markdown.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Timeline } from '../components/Timeline.tsx'
import { AttemptTrace } from '../components/Trace.tsx'
import { TurnEnd, whyEnded } from '../components/TurnEnd.tsx'
import { useAttempt } from '../components/use-attempt.ts'
import { useCommand } from '../components/use-command.ts'
import { AttemptChart } from '../charts/AttemptChart.tsx'
import { useNow } from '../state/clock.ts'
import { lifeOf } from '../state/life.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { turnMs } from '../state/rounds.ts'
import { turnLook } from '../state/status.ts'
import { length, short } from '../state/time.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

/** One attempt: the path it took, why and when, what it was sent, did and said, and what can be done now. */
export const AttemptScreen = ({ attemptId, conversationId }: { attemptId: string; conversationId: string }) => {
  const { view, failure, turn } = useAttempt(attemptId)
  const { go } = useNavigation()
  const back = () => go(conversationPlace(conversationId))
  return (
    <>
      <header className="bar" data-region tabIndex={-1}>
        <button type="button" className="button plain back" onClick={back}>
          <Icon name="left" small />
          {text.attemptScreen.conversation}
        </button>
        {turn ? <Crumbs turn={turn} /> : null}
        <span className="grow" />
        <span className="meta">
          {text.common.back} <kbd className="key">Esc</kbd>
        </span>
      </header>
      {turn && view ? (
        <Opened view={view} turn={turn} />
      ) : (
        <div className="empty">
          {failure ? <Refusal failure={failure} /> : <p className="meta">{text.common.reading}</p>}
        </div>
      )}
    </>
  )
}

const Crumbs = ({ turn }: { turn: TurnView }) => {
  const card = useAgent(turn.agent)
  return (
    <span className="row">
      <span className="quiet-text">{text.transcript.round(turn.round)}</span>
      <span className="dim">/</span>
      <b>{card.name}</b>
    </span>
  )
}

const Opened = ({ view, turn }: { view: AttemptView; turn: TurnView }) => {
  const card = useAgent(turn.agent)
  const votes = useWorld((world) => world.runs[turn.runId]?.run.policy.consensus ?? false)
  const gates = useWorld((world) => world.gates)
  const words = text.attemptScreen
  const asked = view.gates.map((gate) => gates.find(({ gateId }) => gateId === gate.gateId) ?? gate)
  return (
    <>
      {/* what scrolls must be reachable by keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="attempt" role="region" tabIndex={0} aria-label={words.title(card.name, turn.round)}>
        <AttemptHead turn={turn} />
        {asked.map((gate) => (
          <GateCard key={gate.gateId} gate={gate} />
        ))}
        <div className="attempt-columns">
          <section>
            <SectionHead title={words.path} hint={words.pathHint} />
            <AttemptChart view={view} />
          </section>
          <section>
            <SectionHead title={words.timeline} hint={words.events(view.events.length)} />
            <Timeline events={view.events} />
          </section>
        </div>
        <section>
          <SectionHead title={words.sent} hint={words.sentHint} />
          <Deliveries deliveries={view.deliveries} />
        </section>
        <section>
          <SectionHead title={words.did} hint="" />
          <AttemptTrace turn={turn} />
        </section>
        <section>
          <SectionHead title={words.said} hint={text.characters(turn.text.length)} />
          {turn.text === '' ? (
            <p className="dim">{text.transcript.nothingSaid}</p>
          ) : (
            <Markdown text={turn.text} streaming={turn.status === 'streaming'} />
          )}
          {turn.settledAt === null ? null : <TurnEnd turn={turn} votes={votes} name={card.name} />}
        </section>
      </div>
      <AttemptActions view={view} turn={turn} />
    </>
  )
}

const SectionHead = ({ title, hint }: { title: string; hint: string }) => (
  <header className="section-head">
    <h3 className="title">{title}</h3>
    <span className="meta">{hint}</span>
  </header>
)

const AttemptHead = ({ turn }: { turn: TurnView }) => {
  const card = useAgent(turn.agent)
  const now = useNow()
  const look = turnLook(turn)
  const words = text.attemptScreen
  const tokens = turn.usage.inputTokens + turn.usage.outputTokens
  const gate = useWorld((world) => world.gates.find(({ gateId }) => gateId === turn.gateId))
  const facts = [
    words.tries(turn.tries),
    words.inAll(length(turnMs(turn, now))),
    ...(tokens > 0 ? [text.tokens(short(tokens), turn.usage.provenance === 'estimated')] : []),
    ...(turn.usage.costUsd === null ? [] : [text.cost(turn.usage.costUsd.toFixed(3), turn.usage.provenance)]),
    ...(turn.settledAt === null ? lifeOf(turn, gate, now).slice(1) : [words.kept(text.characters(turn.textLength))]),
    ...(turn.settledAt !== null && !turn.vote ? [words.noVote] : []),
    ...(turn.denials > 0 ? [words.denials(turn.denials)] : []),
  ]
  return (
    <div className="attempt-head">
      <div className="row">
        <Mark card={card} large />
        <h2 className="view-title">{words.title(card.name, turn.round)}</h2>
        <Rehearsal card={card} />
        <span className="badge" data-tone={look.tone}>
          <Icon name={look.icon} small />
          {look.word}
        </span>
      </div>
      <ul className="attempt-facts">
        {facts.map((fact) => (
          <li key={fact.replace(/[\d:.]+/g, '')}>{fact}</li>
        ))}
      </ul>
      {turn.settledAt !== null && whyEnded(turn) !== '' ? (
        <p className="attempt-why">
          <b>{words.why}</b> {whyEnded(turn)}
        </p>
      ) : null}
    </div>
  )
}

/** What can be done now, as main allows it. */
const AttemptActions = ({ view, turn }: { view: AttemptView; turn: TurnView }) => {
  const { call, failure, busy } = useCommand()
  const card = useAgent(turn.agent)
  const { go } = useNavigation()
  const [done, setDone] = useState(false)
  const { runId, attemptId, seat } = turn
  const { can } = view
  const words = text.attemptScreen
  const live = can.cancel || can.retry || can.replace || can.kill
  const follow = async (replace: Record<string, TurnView['agent']>) => {
    if (!(await call('run.followUp', { runId, seats: [seat], replace }))) return
    setDone(true)
    go(conversationPlace(turn.conversationId))
  }
  const nothing = !live && !can.followUp
  return (
    <footer className="attempt-actions" data-region tabIndex={-1}>
      {can.cancel ? (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => void call('attempt.cancel', { runId, attemptId })}
        >
          <Icon name="stop" />
          {words.stop}
        </button>
      ) : null}
      {can.retry ? (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => void call('attempt.retry', { runId, attemptId })}
        >
          <Icon name="again" />
          {words.retry}
        </button>
      ) : null}
      {can.followUp ? (
        <button
          type="button"
          className="button solid"
          disabled={busy || done}
          title={words.retryFollowUp}
          onClick={() => void follow({})}
        >
          <Icon name="transcript" />
          {words.followUp}
        </button>
      ) : null}
      {can.replace || can.followUp ? (
        <AgentMenu
          label={words.replace(card.name)}
          items={[{ key: seat, name: card.name, not: turn.agent }]}
          disabled={busy}
          pick={(_, agent) =>
            void (can.replace ? call('attempt.replace', { runId, attemptId, agent }) : follow({ [seat]: agent }))
          }
        />
      ) : null}
      {can.kill ? (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() => void call('attempt.kill', { runId, attemptId })}
        >
          <Icon name="bolt" />
          {words.kill}
        </button>
      ) : null}
      <Refusal failure={failure} />
      <span className="grow" />
      <span className="meta">{nothing ? words.nothingNow : live ? words.untouched : words.retryFollowUp}</span>
    </footer>
  )
}
