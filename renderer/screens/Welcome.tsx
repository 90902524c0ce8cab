import type { AgentCard } from '../../shared/agent.ts'
import { canTalk, Mark, Rehearsal, Talk } from '../components/Agent.tsx'
import { CopyCommand } from '../components/CopyCommand.tsx'
import { Icon } from '../components/icons.tsx'
import { LookAgain } from '../components/LookAgain.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { State } from '../components/State.tsx'
import { TestConnection } from '../components/TestConnection.tsx'
import { useRehearsal } from '../components/use-rehearsal.ts'
import { useNavigation } from '../state/place.ts'
import { isReady, readinessLook } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

/** The first screen: which agents are here and what mends the others; a rehearsal; nothing blocks. */
export const Welcome = () => {
  const agents = useWorld((world) => world.agents)
  const { show } = useNavigation()
  const real = agents.filter(({ rehearsal }) => !rehearsal)
  const ready = real.filter(isReady).length
  const words = text.welcome
  return (
    <main className="main wide-main" data-region tabIndex={-1}>
      <header className="bar">
        <h1 className="title">{words.title}</h1>
        <span className="grow" />
        <LookAgain agents={agents} />
      </header>
      <div className="scroll">
        <div className="welcome">
          <h2 className="welcome-title">{words.ready(ready)}</h2>
          <p className="quiet-text">{words.readyText(ready, real.length - ready)}</p>
          <AgentTable agents={agents} />
          <div className="welcome-cards">
            <section className="card">
              <h3 className="card-title">{words.askTitle}</h3>
              <p className="quiet-text grow">{words.askText}</p>
              <div className="row">
                <button
                  type="button"
                  className="button solid"
                  onClick={() => show({ name: 'create', kind: 'group', members: [] })}
                >
                  <Icon name="plus" />
                  {words.newGroup}
                </button>
                <button
                  type="button"
                  className="button"
                  onClick={() => show({ name: 'create', kind: 'direct', members: [] })}
                >
                  {words.talkToOne}
                </button>
              </div>
            </section>
            <RehearsalCard />
          </div>
        </div>
      </div>
    </main>
  )
}

const AgentTable = ({ agents }: { agents: readonly AgentCard[] }) => (
  <table className="table agents">
    <thead>
      <tr>
        <th scope="col">{text.welcome.agent}</th>
        <th scope="col">{text.welcome.version}</th>
        <th scope="col">{text.welcome.state}</th>
        <th scope="col" className="right">
          {text.welcome.mends}
        </th>
      </tr>
    </thead>
    <tbody>
      {agents.map((card) => (
        <AgentLine key={card.agent} card={card} />
      ))}
    </tbody>
  </table>
)

const AgentLine = ({ card }: { card: AgentCard }) => {
  const { go } = useNavigation()
  const why = card.failure ? text.errors[card.failure.code] : card.evidence
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <Mark card={card} large />
          <button type="button" className="button link" onClick={() => go({ view: 'agents', agent: card.agent })}>
            <b>{card.name}</b>
          </button>
          <Rehearsal card={card} />
        </span>
      </th>
      <td className={card.version ? '' : 'dim'}>{card.version ?? text.welcome.noVersion}</td>
      <td>
        <State look={readinessLook(card.readiness)} />
        {why ? <p className="meta evidence">{why}</p> : null}
      </td>
      <td className="right">
        <span className="remedy">
          {card.remedy ? <CopyCommand command={card.remedy} /> : null}
          <TestConnection card={card} />
          <Talk card={card} plain />
          {!canTalk(card) && !card.remedy && card.readiness !== 'checking' ? (
            <span className="dim">{text.welcome.noRemedy}</span>
          ) : null}
        </span>
      </td>
    </tr>
  )
}

const RehearsalCard = () => {
  const { start, busy, failure } = useRehearsal()
  const agents = useWorld((world) => world.agents).filter(({ rehearsal }) => rehearsal)
  return (
    <section className="card rehearsal-card">
      <div className="card-words">
        <h3 className="card-title">{text.welcome.rehearsalTitle}</h3>
        <p className="quiet-text grow">{text.welcome.rehearsalText}</p>
        <div className="row">
          <button type="button" className="button" disabled={busy} onClick={() => void start()}>
            <Icon name="play" small />
            {text.welcome.startRehearsal}
          </button>
        </div>
        <Refusal failure={failure} />
      </div>
      <div className="rehearsal-board" aria-hidden="true">
        {agents.map((card, row) => (
          <div key={card.agent} className="row">
            <Mark card={card} />
            {[0, 1, 2].map((round) => {
              const agreed = round === 2 || (round === 1 && row !== 1)
              return (
                <span key={round} className="tone" data-tone={agreed ? 'done' : 'idle'}>
                  <Icon name={agreed ? 'agreed' : 'continues'} />
                </span>
              )
            })}
          </div>
        ))}
      </div>
    </section>
  )
}
