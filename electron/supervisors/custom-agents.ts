import type { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import { customAdapter } from '../../adapters/agents/custom.ts'
import { programOfCustom } from '../../adapters/agents/custom/program.ts'
import type { Processes } from '../../adapters/process.ts'
import { nameOfAgent, type AgentId } from '../../shared/agent.ts'
import { checkCustomAgent } from '../../shared/check-custom-agent.ts'
import type { CustomAgentDefinition, CustomAgentWish } from '../../shared/custom-agent.ts'
import { AppError } from '../../shared/errors.ts'
import { customAgentsMax } from '../../shared/limits.ts'
import type { Stores } from '../stores/stores.ts'
import type { Agents } from './agents.ts'

/** Makes agents of the programs that the person named, when Parley starts and while it runs. */
export class CustomAgents {
  readonly #agents: Agents
  readonly #around: { processes: Processes; warm: WarmSessions }

  constructor(agents: Agents, around: { processes: Processes; warm: WarmSessions }) {
    this.#agents = agents
    this.#around = around
  }

  /** Every one that is stored. */
  register(stores: Stores): void {
    for (const definition of stores.customAgents.all()) void this.#add(definition)
  }

  /** Keeps a new or a changed one and makes it known. Throws `custom.*` for what is refused. */
  async save(stores: Stores, wish: CustomAgentWish): Promise<CustomAgentDefinition> {
    const definition = definitionOf(stores, wish)
    checkCustomAgent(definition)
    await programOfCustom(definition)
    // the same may have been asked twice while we looked
    definitionOf(stores, wish)
    stores.customAgents.keep(definition)
    await this.#add(definition)
    return definition
  }

  /** Throws `custom.unknown`, or `custom.in-use` while a conversation or a run has it. */
  remove(stores: Stores, agent: AgentId): void {
    if (!stores.customAgents.has(agent)) throw unknown()
    const conversations = stores.customAgents.conversationsWith(agent)
    const isSeated = stores.runs.nonTerminal().some(({ seats }) => seats.some((seat) => seat.agent === agent))
    if (conversations > 0 || isSeated) {
      throw new AppError(
        'custom.in-use',
        `${nameOfAgent(agent).name} is a member of a conversation. Take it out there first.`,
        { params: { conversations } },
      )
    }
    stores.customAgents.remove(agent)
    this.#agents.remove(agent)
    void this.#around.warm.leave((place) => place.agent === agent)
  }

  #add(definition: CustomAgentDefinition): Promise<void> {
    return this.#agents.add(customAdapter(definition, this.#around))
  }
}

/** What the wish comes to, with what is kept of the one that it changes. */
const definitionOf = (stores: Stores, wish: CustomAgentWish): CustomAgentDefinition => {
  const { agent, speech } = wish
  const before = agent === null ? null : stores.customAgents.get(agent)
  if (agent !== null && !before) throw unknown()
  const name = before?.name ?? wish.name
  if (before && wish.name !== before.name) {
    throw new AppError('custom.name-bad', 'A name stays what it is: conversations know the agent by it.')
  }
  if (!before && stores.customAgents.has(`custom:${name}`)) {
    throw new AppError('custom.name-taken', 'Another agent has this name. Choose a different one.')
  }
  if (!before && stores.customAgents.all().length >= customAgentsMax) {
    throw new AppError('custom.too-many', 'There are as many agents of your own as Parley keeps. Remove one first.')
  }
  return {
    name,
    file: wish.file ?? before?.file ?? '',
    args: wish.args ?? before?.args ?? [],
    envNames: wish.envNames ?? before?.envNames ?? [],
    speech,
  }
}

const unknown = () => new AppError('custom.unknown', 'This agent is not there any more.')
