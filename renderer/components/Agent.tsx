import { agentIds, nameOfAgent, kindOfAgent, unchecked, type AgentCard, type AgentId } from '../../shared/agent.ts'
import { useNavigation } from '../state/place.ts'
import { isReady } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

/** What is known of an agent, also before main has looked for it. */
export const useAgent = (agent: AgentId): AgentCard => {
  const agents = useWorld((world) => world.agents)
  return agents.find((card) => card.agent === agent) ?? unknownAgent(agent)
}

/** Every agent that can be spoken with, in main's order; before main has told of any, those of this version. */
export const useAgentIds = (): readonly AgentId[] => {
  const agents = useWorld((world) => world.agents)
  return agents.length > 0 ? agents.filter(speaks).map(({ agent }) => agent) : agentIds
}

/** Names of agents, by id. */
export const useNames = () => {
  const agents = useWorld((world) => world.agents)
  return (agent: AgentId) => (agents.find((card) => card.agent === agent) ?? unknownAgent(agent)).name
}

/** An agent in two letters; a person hears its name from the text beside it. */
export const Mark = ({ card, large = false }: { card: AgentCard; large?: boolean }) => (
  <span className={`mark${large ? ' large' : ''}${usable(card) ? '' : ' off'}`} aria-hidden="true">
    {card.mark}
  </span>
)

/** The label that a rehearsal always wears. */
export const Rehearsal = ({ card }: { card: AgentCard }) =>
  card.rehearsal ? <span className="tag">{text.common.rehearsal}</span> : null

/** Whether an agent could take a turn as far as anybody knows; readiness alone never hides one. */
export const usable = (card: AgentCard) =>
  card.readiness !== 'notInstalled' && card.readiness !== 'incompatible' && speaks(card)

/** Whether a short question to it can show that it answers, or that it does so again. */
export const speakable = (card: AgentCard) =>
  usable(card) && card.readiness !== 'checking' && (card.readiness !== 'needsLogin' || card.failure !== null)

/** Whether a person may expect an answer of it. */
export const canTalk = (card: AgentCard) => isReady(card) || (card.readiness === 'installed' && speaks(card))

/** The way to a conversation with this agent alone. */
export const Talk = ({ card, plain = false }: { card: AgentCard; plain?: boolean }) => {
  const { show } = useNavigation()
  return canTalk(card) ? (
    <button
      type="button"
      className={plain ? 'button plain' : 'button'}
      onClick={() => show({ name: 'create', kind: 'direct', members: [card.agent] })}
    >
      {text.welcome.talk}
    </button>
  ) : null
}

/** Whether Parley speaks with it at all. */
export const speaks = (card: AgentCard) => card.transport !== 'none'

function unknownAgent(agent: AgentId): AgentCard {
  return {
    agent,
    kind: kindOfAgent(agent),
    ...nameOfAgent(agent),
    transport: 'acp',
    abilities: { readOnly: 'none', write: false, asks: false, resume: false, imagesMax: 0, usage: false },
    skillFolders: [],
    sessionFolders: [],
    tested: null,
    rehearsal: kindOfAgent(agent) === 'rehearsal',
    ...unchecked,
  }
}
