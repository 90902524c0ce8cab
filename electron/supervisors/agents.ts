import type { AgentAdapter, Detection, Program } from '../../adapters/ports.ts'
import { tested } from '../../adapters/tested.ts'
import { agentIds, nameOfAgent, unchecked, type AgentCard, type AgentId } from '../../shared/agent.ts'
import { AppError, type Failure } from '../../shared/errors.ts'

/** Knows which agents there are on this computer, how that is known, and how each is started. */
export class Agents {
  readonly #adapters = new Map<AgentId, AgentAdapter>()
  readonly #changed: (cards: AgentCard[]) => void
  readonly #found = new Map<AgentAdapter, Detection>()
  #scan: Promise<AgentCard[]> | null = null

  constructor(adapters: readonly AgentAdapter[], changed: (cards: AgentCard[]) => void) {
    for (const adapter of adapters) this.#add(adapter)
    this.#changed = changed
  }

  get cards(): AgentCard[] {
    const known = agentIds.filter((agent) => this.#adapters.has(agent))
    const own = [...this.#adapters.keys()].filter((agent) => !agentIds.includes(agent))
    return [...known, ...own].map((agent) => {
      const adapter = this.adapterOf(agent)
      return cardOf(agent, adapter, this.#found.get(adapter))
    })
  }

  /** Looks for every agent at once; each card changes as soon as its own probe is done. Calls share one scan. */
  scan(): Promise<AgentCard[]> {
    this.#scan ??= this.#scanAll().finally(() => {
      this.#scan = null
    })
    return this.#scan
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

  versionOf(agent: AgentId): string | null {
    return this.#found.get(this.adapterOf(agent))?.program?.version ?? null
  }

  /** An attempt told us more than a probe can: it worked, or the agent refused our credentials. */
  learn(agent: AgentId, failure: Failure | null, at: number): void {
    const adapter = this.adapterOf(agent)
    const found = this.#found.get(adapter)
    if (!found || adapter.kind === 'rehearsal') return
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
    this.#keep(adapter, found)
    return found
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
  tested: tested[adapter.kind] ?? null,
  rehearsal: adapter.kind === 'rehearsal',
  ...(found?.card ?? unchecked),
})
