import type { AgentCard } from '../../shared/agent.ts'
import { AgentDetail } from '../components/AgentDetail.tsx'
import { Mark, Rehearsal } from '../components/Agent.tsx'
import { CustomAgents } from '../components/CustomAgents.tsx'
import { LookAgain } from '../components/LookAgain.tsx'
import { State } from '../components/State.tsx'
import { type AgentPlace, useNavigation } from '../state/place.ts'
import { isReady, readinessLook } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

/** Every agent with what is known of it, how that is known and when, and what to do about what is missing. */
export const Agents = ({ agent }: { agent: AgentPlace['agent'] }) => {
  const cards = useWorld((world) => world.agents)
  const real = cards.filter(({ rehearsal }) => !rehearsal)
  const picked = cards.find((card) => card.agent === agent) ?? real[0] ?? cards[0]
  return (
    <main className="agents-screen" aria-label={text.agents.title}>
      <section className="agents-side" data-region tabIndex={-1}>
        <header className="bar">
          <h1 className="title">{text.agents.title}</h1>
          <span className="quiet-text">{text.agents.ready(real.filter(isReady).length, real.length)}</span>
          <span className="grow" />
        </header>
        <ul className="agents-list" aria-label={text.agents.list} data-list>
          {cards.map((card) => (
            <AgentRow key={card.agent} card={card} picked={card.agent === picked?.agent} />
          ))}
        </ul>
      </section>
      <section className="agents-detail" data-region tabIndex={-1}>
        <header className="bar">
          <span className="grow" />
          <LookAgain agents={cards} />
        </header>
        <div className="scroll">
          {picked ? <AgentDetail key={picked.agent} card={picked} /> : null}
          <CustomAgents />
        </div>
      </section>
    </main>
  )
}

const AgentRow = ({ card, picked }: { card: AgentCard; picked: boolean }) => {
  const { go } = useNavigation()
  const show = () => go({ view: 'agents', agent: card.agent })
  return (
    <li>
      <button
        type="button"
        className="agents-row"
        data-item
        aria-current={picked || undefined}
        onClick={show}
        onFocus={picked ? undefined : show}
      >
        <Mark card={card} large />
        <span className="agents-words">
          <span className="row">
            <b className="grow cut">{card.name}</b>
            <Rehearsal card={card} />
          </span>
          <State look={readinessLook(card.readiness)} small />
        </span>
        <span className="meta">{card.version}</span>
      </button>
    </li>
  )
}
