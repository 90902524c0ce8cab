import { useEffect, useMemo } from 'react'
import type { GateRecord } from '../../shared/gate.ts'
import { attemptSettled } from '../../shared/attempt.ts'
import { Mark, useAgent, useNames } from '../components/Agent.tsx'
import { AskerLabel, Deadline, GateCard } from '../components/GateCard.tsx'
import { gateAskerName, gateHeading, gateIcon, waitingGates } from '../components/gate-words.ts'
import { settledSentence } from '../components/GateSettled.tsx'
import { focusGate } from '../components/focus.ts'
import { Icon } from '../components/icons.tsx'
import { State } from '../components/State.tsx'
import { useNow } from '../state/clock.ts'
import { useNavigation } from '../state/place.ts'
import { lastOfSeats, turnMs } from '../state/rounds.ts'
import { voteLook } from '../state/status.ts'
import { clock, length, moment, shortPath } from '../state/time.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import type { TurnView } from '../../shared/view.ts'
import { text } from '../text/text.ts'

/** All gates that wait, soonest first, and the one that is looked at with all that speaks for and against. */
export const Inbox = ({ gateId }: { gateId: string | null }) => {
  const all = useWorld((world) => world.gates)
  const waiting = useMemo(() => waitingGates(all), [all])
  const lately = useMemo(
    () =>
      all
        .filter(({ status }) => status !== 'waiting')
        .toSorted((a, b) => (b.settledAt ?? 0) - (a.settledAt ?? 0))
        .slice(0, latelyMax),
    [all],
  )
  const picked = all.find((gate) => gate.gateId === gateId) ?? waiting[0]
  return (
    <main className="inbox" aria-label={text.inbox.title}>
      <section className="inbox-side" data-region tabIndex={-1}>
        <header className="bar">
          <h1 className="title">{text.inbox.title}</h1>
          <span className="quiet-text">{text.inbox.gates(waiting.length)}</span>
          <span className="grow" />
          <span className="meta">{text.inbox.order}</span>
        </header>
        <ul className="inbox-list" aria-label={text.inbox.list} data-list>
          {waiting.map((gate) => (
            <GateRow key={gate.gateId} gate={gate} picked={gate.gateId === picked?.gateId} />
          ))}
        </ul>
        {lately.length > 0 ? <Lately gates={lately} /> : null}
        <footer className="inbox-keys meta">
          <span>
            <kbd className="key">J</kbd> <kbd className="key">K</kbd> {text.inbox.next}
          </span>
          <span>
            <kbd className="key">1</kbd>–<kbd className="key">9</kbd> {text.inbox.answer}
          </span>
          <span>
            <kbd className="key">Esc</kbd> {text.inbox.close}
          </span>
        </footer>
      </section>
      {picked ? <GateDetail key={picked.gateId} gate={picked} /> : <Nothing />}
    </main>
  )
}

const latelyMax = 5

const GateRow = ({ gate, picked }: { gate: GateRecord; picked: boolean }) => {
  const { go } = useNavigation()
  const name = gateAskerName(gate, useNames())
  const conversation = useWorld(
    (world) => world.rows.find((row) => row.conversationId === gate.asker.conversationId)?.name ?? '',
  )
  const about = [text.gateKind[gate.kind], conversation, ...(gate.asker.agent ? [name] : [])]
  const show = () => go({ view: 'inbox', gateId: gate.gateId })
  return (
    <li>
      <button
        type="button"
        className="inbox-row"
        data-item
        aria-current={picked || undefined}
        onClick={show}
        onFocus={picked ? undefined : show}
      >
        <Icon name={gateIcon(gate.kind)} />
        <span className="inbox-words">
          <span className="row">
            <b className="grow cut">{gateHeading(gate, name)}</b>
            <AskerLabel gate={gate} />
            <Deadline gate={gate} />
          </span>
          <span className="meta cut">{about.join(text.common.dot)}</span>
          {gate.detail === '' ? null : <code className="mono cut">{gate.detail.split('\n')[0]}</code>}
          <TimeLeft gate={gate} />
        </span>
      </button>
    </li>
  )
}

/** How much of its time is gone, as a bar. */
const TimeLeft = ({ gate }: { gate: GateRecord }) => {
  const now = useNow()
  if (gate.expiresAt === null) return null
  const part = Math.min(1, Math.max(0, (gate.expiresAt - now) / (gate.expiresAt - gate.askedAt)))
  return (
    <span className="time-left" aria-hidden="true">
      <span style={{ width: `${part * 100}%` }} />
    </span>
  )
}

const Lately = ({ gates }: { gates: readonly GateRecord[] }) => {
  const names = useNames()
  const now = useNow()
  return (
    <section className="lately">
      <h2 className="title">{text.inbox.settled}</h2>
      <ul>
        {gates.map((gate) => (
          <li key={gate.gateId}>
            <time className="meta">{gate.settledAt === null ? '' : moment(gate.settledAt, now)}</time>
            <span className="grow cut">{gateHeading(gate, gateAskerName(gate, names))}</span>
            <span className="meta cut">{settledSentence(gate)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const GateDetail = ({ gate }: { gate: GateRecord }) => {
  const session = useSession()
  const { go } = useNavigation()
  const name = gateAskerName(gate, useNames())
  const { conversationId, runId } = gate.asker
  const conversation = useWorld((world) => world.conversations[conversationId])
  const row = useWorld((world) => world.rows.find((one) => one.conversationId === conversationId))
  const missing = conversation === undefined
  useEffect(() => {
    if (missing) void session.openConversation(conversationId)
  }, [missing, session, conversationId])
  const open = () => {
    go({ view: 'conversation', conversationId, runId, attemptId: null })
    requestAnimationFrame(() => focusGate(gate.gateId))
  }
  return (
    <section className="inbox-detail" data-region tabIndex={-1}>
      <header className="bar">
        <span className="tone" data-tone="needs">
          <Icon name={gateIcon(gate.kind)} />
        </span>
        <b>{text.gateKind[gate.kind]}</b>
        <span className="quiet-text cut">{row?.name}</span>
        <span className="grow" />
        <button type="button" className="button plain" onClick={open}>
          <Icon name="out" small />
          {text.gate.openConversation}
        </button>
      </header>
      <div className="scroll">
        <div className="gate-detail">
          <AskerTitle gate={gate} name={name} />
          <GateCard gate={gate} spacious />
          <dl className="facts-list">
            {conversation ? (
              <Fact term={text.gate.where} fact={<Where path={conversation.conversation.workdir} />} />
            ) : null}
            {conversation ? (
              <Fact
                term={text.gate.access}
                fact={conversation.conversation.allowWrite ? text.bar.mayWriteTip : text.bar.readOnlyTip}
              />
            ) : null}
            <Fact
              term={text.gate.asked}
              fact={gate.asker.kind === 'attempt' ? text.gate.bound(clock(gate.askedAt)) : clock(gate.askedAt)}
            />
          </dl>
          {gate.status === 'waiting' ? (
            <p className="meta">
              {gate.expiresAt === null ? text.gate.unansweredEver : text.gate.unanswered(clock(gate.expiresAt))}
            </p>
          ) : null}
          <WhoWaits runId={runId} />
        </div>
      </div>
    </section>
  )
}

const AskerTitle = ({ gate, name }: { gate: GateRecord; name: string }) => (
  <div className="row asker">
    {gate.asker.agent ? <AskerMark agent={gate.asker.agent} /> : <Icon name={gateIcon(gate.kind)} />}
    <h2 className="view-title">{gateHeading(gate, name)}</h2>
    <AskerLabel gate={gate} />
  </div>
)

const AskerMark = ({ agent }: { agent: NonNullable<GateRecord['asker']['agent']> }) => (
  <Mark card={useAgent(agent)} large />
)

const Fact = ({ term, fact }: { term: string; fact: React.ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{fact}</dd>
  </div>
)

const Where = ({ path }: { path: string }) =>
  shortPath(
    path,
    useWorld((world) => world.home),
  )

/** Who else is in the round, and whether the gate holds them up. */
const WhoWaits = ({ runId }: { runId: string }) => {
  const run = useWorld((world) => world.runs[runId])
  if (!run) return null
  const turns = lastOfSeats(run.turns.filter((turn) => turn.round === run.run.round))
  if (turns.length < 2) return null
  return (
    <section className="who-waits">
      <h3 className="title">{text.gate.whoWaits}</h3>
      <ul>
        {turns.map((turn) => (
          <Waiter key={turn.attemptId} turn={turn} votes={run.run.policy.consensus} />
        ))}
      </ul>
    </section>
  )
}

const Waiter = ({ turn, votes }: { turn: TurnView; votes: boolean }) => {
  const card = useAgent(turn.agent)
  const now = useNow()
  const look = voteLook(turn, votes)
  const free = !attemptSettled(turn.status) && look.tone !== 'needs'
  return (
    <li>
      <Mark card={card} />
      <b>{card.name}</b>
      <State look={free ? { ...look, word: `${look.word}, ${text.gate.notHeld}` } : look} small />
      <span className="grow" />
      <time className="meta">{length(turnMs(turn, now))}</time>
    </li>
  )
}

const Nothing = () => (
  <section className="inbox-detail" data-region tabIndex={-1}>
    <header className="bar" />
    <div className="empty">
      <h2 className="empty-title">{text.inbox.empty}</h2>
      <p>{text.inbox.emptyText}</p>
    </div>
  </section>
)
