import type { AgentCard, Conformance, ReadinessStage } from '../../shared/agent.ts'
import { useNow } from '../state/clock.ts'
import { readinessLook, stageLook, verdictLook } from '../state/status.ts'
import { moment } from '../state/time.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { compareVersions } from '../state/version.ts'
import { text } from '../text/text.ts'
import { Mark, Rehearsal, speaks, Talk, usable } from './Agent.tsx'
import { CopyCommand } from './CopyCommand.tsx'
import { Icon } from './icons.tsx'
import { InstallSection } from './InstallSection.tsx'
import { ProviderSection } from './ProviderSection.tsx'
import { State } from './State.tsx'
import { TestConnection } from './TestConnection.tsx'

/** All that is known of one agent, and what can be done about it. */
export const AgentDetail = ({ card }: { card: AgentCard }) => (
  <article className="agent-detail" aria-label={card.name}>
    <Head card={card} />
    <Mending card={card} />
    <InstallSection card={card} />
    <Stages card={card} />
    <ProviderSection card={card} />
    <Abilities card={card} />
    <InSidebar card={card} />
    {card.rehearsal ? null : <Tested card={card} />}
  </article>
)

const Head = ({ card }: { card: AgentCard }) => (
  <header className="agent-head">
    <div className="row">
      <Mark card={card} large />
      <h2 className="view-title">{card.name}</h2>
      <Rehearsal card={card} />
      <span className="meta">{card.version}</span>
      <span className="grow" />
      <TestConnection card={card} />
      <Talk card={card} />
    </div>
    <div className="row">
      <State look={readinessLook(card.readiness)} />
      {card.evidence ? <span className="quiet-text">{card.evidence}</span> : null}
    </div>
    {card.failure ? <p>{text.errors[card.failure.code]}</p> : null}
  </header>
)

const Mending = ({ card }: { card: AgentCard }) =>
  card.remedy ? (
    <section className="row agent-mending">
      <h3 className="title">{text.welcome.mends}</h3>
      <CopyCommand command={card.remedy} />
    </section>
  ) : null

const Stages = ({ card }: { card: AgentCard }) => {
  const now = useNow()
  return (
    <section>
      <h3 className="title">{text.agents.stages}</h3>
      {card.stages.length > 0 ? (
        <ol className="stages">
          {card.stages.map((stage) => (
            <Stage key={stage.stage} stage={stage} />
          ))}
        </ol>
      ) : null}
      <p className="meta">
        {card.checkedAt === null ? text.agents.notChecked : text.agents.checked(moment(card.checkedAt, now))}
      </p>
    </section>
  )
}

const Stage = ({ stage }: { stage: ReadinessStage }) => (
  <li>
    <State look={stageLook(stage)} />
    <span className="quiet-text">{stage.how}</span>
  </li>
)

const Abilities = ({ card: { abilities, transport, skillFolders } }: { card: AgentCard }) => {
  const words = text.agents
  const { readOnly, write, asks, resume, imagesMax, usage } = abilities
  const facts = [
    words.readOnly[readOnly],
    ...(write ? [words.write] : []),
    asks ? words.asks : words.asksNot,
    resume ? words.resume : words.resumeNot,
    words.images(imagesMax),
    usage ? words.usage : words.usageNot,
  ]
  return (
    <section>
      <dl className="facts-list">
        <div>
          <dt>{words.how}</dt>
          <dd>{words.transports[transport]}</dd>
        </div>
        {transport === 'none' ? null : (
          <div>
            <dt>{words.can}</dt>
            <dd>
              <ul className="abilities">
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {skillFolders.length === 0 ? null : (
          <div>
            <dt>{words.skills}</dt>
            <dd className="mono">{skillFolders.join('  ')}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** Whether the sidebar has it. Its chats stay, and one that cannot be used is not put back. */
const InSidebar = ({ card }: { card: AgentCard }) => {
  const session = useSession()
  const hidden = useWorld((world) => world.settings.hiddenAgents)
  const words = text.agents
  if (!speaks(card)) return null
  const isHidden = hidden.includes(card.agent)
  const isHeld = isHidden && !usable(card)
  const others = hidden.filter((agent) => agent !== card.agent)
  return (
    <section className="agent-sidebar">
      <label className="check">
        <input
          type="checkbox"
          checked={!isHidden}
          disabled={isHeld}
          onChange={() => void session.saveSettings({ hiddenAgents: isHidden ? others : [...others, card.agent] })}
        />
        {words.inSidebar}
      </label>
      {isHidden ? <p className="meta">{isHeld ? words.unhideLater : words.hidden}</p> : null}
    </section>
  )
}

/** What was tried on which version, beside the version that is here. */
const Tested = ({ card }: { card: AgentCard }) => (
  <section>
    <h3 className="title">{text.agents.tested}</h3>
    {card.tested ? <TestedTable tested={card.tested} version={card.version} /> : (
      <p className="quiet-text">{text.agents.untested}</p>
    )}
  </section>
)

const TestedTable = ({ tested, version }: { tested: Conformance; version: string | null }) => {
  const order = version === null ? 0 : compareVersions(version, tested.version)
  return (
    <>
      <p className="quiet-text">{text.agents.testedOn(tested.version, tested.on)}</p>
      {version !== null && order !== 0 ? (
        <p className="row newer">
          <Icon name="warning" small />
          {order > 0 ? text.agents.newer(version) : text.agents.older(version)}
        </p>
      ) : null}
      <ul className="verdicts">
        {tested.cases.map(({ name, verdict }) => (
          <li key={name}>
            <State look={verdictLook(verdict)} small wordless />
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
