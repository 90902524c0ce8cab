import type { AgentAdapter, Detection, Program } from '../../adapters/ports.ts'
import { skillFolders } from '../../adapters/skill-folders.ts'
import {
  agentIds, kindOfAgent, nameOfAgent, unchecked, type AgentCard, type AgentId, type AgentKind,
} from '../../shared/agent.ts'
import { AppError, type Failure } from '../../shared/errors.ts'

/** Knows which agents there are on this computer, how that is known, and how each is started. */
export class Agents {
  readonly #adapters = new Map<AgentId, AgentAdapter>()
  readonly #changed: (cards: AgentCard[]) => void
  readonly #providerOf: (kind: AgentKind) => string | null
  readonly #found = new Map<AgentAdapter, Detection>()
  #scan: Promise<AgentCard[]> | null = null

  /** `providerOf` names the provider by which an agent can answer without a login of its own. */
  constructor(
    adapters: readonly AgentAdapter[],
    changed: (cards: AgentCard[]) => void,
    providerOf: (kind: AgentKind) => string | null = () => null,
  ) {
    this.#providerOf = providerOf
    for (const adapter of adapters) this.#add(adapter)
    this.#changed = changed
  }

  get cards(): AgentCard[] {
    return this.#inOrder().map((agent) => {
      const adapter = this.adapterOf(agent)
      return withProvider(cardOf(agent, adapter, this.#found.get(adapter)), this.#providerOf(adapter.kind))
    })
  }

  /** Looks for every agent at once; each card changes as soon as its own probe is done. Calls share one scan. */
  scan(): Promise<AgentCard[]> {
    this.#scan ??= this.#scanAll().finally(() => {
      this.#scan = null
    })
    return this.#scan
  }

  /** One more agent from now on, with a card of its own; one of that id is replaced. Looks for it at once. */
  async add(adapter: AgentAdapter): Promise<void> {
    this.#add(adapter)
    this.#changed(this.cards)
    await this.#detect(adapter, AbortSignal.timeout(60_000))
  }

  /** Forgets an agent and its card. What goes on with it is its owner's to end. */
  remove(agent: AgentId): void {
    const adapter = this.#adapters.get(agent)
    if (!adapter) return
    this.#adapters.delete(agent)
    if (![...this.#adapters.values()].includes(adapter)) this.#found.delete(adapter)
    this.#changed(this.cards)
  }

  /** Throws `agent.not-held` for the first that nothing would keep from writing, where nobody may write. */
  requireHeld(agents: readonly AgentId[], allowWrite: boolean): void {
    const loose = agents.find((agent) => this.#adapters.get(agent)?.abilities.readOnly === 'none')
    if (allowWrite || loose === undefined) return
    const { name } = nameOfAgent(loose)
    throw new AppError(
      'agent.not-held',
      `${name} cannot be held to reading. Allow writing in this conversation, or choose another agent.`,
      { params: { agent: name } },
    )
  }

  knows(agent: AgentId): boolean {
    return this.#adapters.has(agent)
  }

  adapterOf(agent: AgentId): AgentAdapter {
    const adapter = this.#adapters.get(agent)
    if (!adapter) throw new AppError('agent.not-found', 'This agent is not part of this version of Parley.')
    return adapter
  }

  /** How to start an agent. Throws why it cannot be started. */
  async programOf(agent: AgentId, signal: AbortSignal): Promise<Program> {
    const adapter = this.adapterOf(agent)
    const found = this.#found.get(adapter)
    if (found?.program) return found.program
    const again = await this.#detect(adapter, signal)
    if (again.program) return again.program
    const { failure } = again.card
    throw new AppError(
      failure?.code ?? 'agent.not-found',
      failure?.message ?? `${nameOfAgent(agent).name} is not installed here.`,
      {
        params: { agent: nameOfAgent(agent).name, ...failure?.params },
      },
    )
  }

  /** Looks for one agent anew, as before and after an installation. */
  async refresh(agent: AgentId): Promise<AgentCard> {
    const adapter = this.adapterOf(agent)
    return cardOf(agent, adapter, await this.#detect(adapter, AbortSignal.timeout(60_000)))
  }

  versionOf(agent: AgentId): string | null {
    const adapter = this.#adapters.get(agent)
    return (adapter && this.#found.get(adapter)?.program?.version) ?? null
  }

  /** An attempt told us more than a probe can: it worked, or the agent refused our credentials. */
  learn(agent: AgentId, failure: Failure | null, at: number): void {
    const adapter = this.#adapters.get(agent)
    const found = adapter && this.#found.get(adapter)
    if (!adapter || !found || adapter.kind === 'rehearsal') return
    const card = { ...found.card, checkedAt: at }
    if (failure === null) {
      this.#keep(adapter, {
        ...found,
        card: { ...card, readiness: 'recentlyVerified', evidence: 'answered a turn', failure: null },
      })
    } else if (failure.code === 'agent.unauthorized') {
      this.#keep(adapter, {
        ...found,
        card: { ...card, readiness: 'needsLogin', evidence: 'refused our credentials', failure },
      })
    }
  }

  async #scanAll(): Promise<AgentCard[]> {
    const signal = AbortSignal.timeout(60_000)
    this.#changed(this.cards)
    await Promise.all([...new Set(this.#adapters.values())].map((adapter) => this.#detect(adapter, signal)))
    return this.cards
  }

  async #detect(adapter: AgentAdapter, signal: AbortSignal): Promise<Detection> {
    const found = await adapter.detect(signal)
    // it may have been removed or replaced meanwhile
    if (!adapter.agents.some((agent) => this.#adapters.get(agent) === adapter)) return found
    this.#keep(adapter, found)
    return found
  }

  /** Those that ship with Parley, then the person's own, then the rehearsal. */
  #inOrder(): AgentId[] {
    const own = [...this.#adapters.keys()].filter((agent) => !agentIds.includes(agent))
    const known = agentIds.filter((agent) => this.#adapters.has(agent))
    const rehearsal = known.filter((agent) => kindOfAgent(agent) === 'rehearsal')
    return [...known.filter((agent) => !rehearsal.includes(agent)), ...own, ...rehearsal]
  }

  #add(adapter: AgentAdapter): void {
    for (const agent of adapter.agents) this.#adapters.set(agent, adapter)
  }

  #keep(adapter: AgentAdapter, found: Detection): void {
    this.#found.set(adapter, found)
    this.#changed(this.cards)
  }
}

const cardOf = (agent: AgentId, adapter: AgentAdapter, found: Detection | undefined): AgentCard => ({
  agent,
  kind: adapter.kind,
  ...nameOfAgent(agent),
  transport: adapter.transport,
  abilities: adapter.abilities,
  skillFolders: skillFolders(adapter.kind),
  tested: null,
  rehearsal: adapter.kind === 'rehearsal',
  ...(found?.card ?? unchecked),
})

/** A key of a provider stands in for a login, but not for one that an agent's own turn found refused. */
const withProvider = (card: AgentCard, provider: string | null): AgentCard =>
  provider === null || card.readiness !== 'needsLogin' || card.failure?.code === 'agent.unauthorized'
    ? card
    : { ...card, readiness: 'ready', evidence: `has the provider profile “${provider}”`, remedy: null }
