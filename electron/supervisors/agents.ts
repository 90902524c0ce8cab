import type { AgentAdapter, Detection, Program } from '../../adapters/ports.ts'
import {
  agentIds, agentNames, kindOfAgent, unchecked, type AgentCard, type AgentId, type AgentKind,
} from '../../shared/agent.ts'
import { AppError, type Failure } from '../../shared/errors.ts'

/** Knows which agents there are on this computer, how that is known, and how each is started. */
export class Agents {
  readonly #adapters: ReadonlyMap<AgentKind, AgentAdapter>
  readonly #changed: (cards: AgentCard[]) => void
  readonly #found = new Map<AgentKind, Detection>()
  #scan: Promise<AgentCard[]> | null = null

  constructor(adapters: readonly AgentAdapter[], changed: (cards: AgentCard[]) => void) {
    this.#adapters = new Map(adapters.map((adapter) => [adapter.kind, adapter]))
    this.#changed = changed
  }

  get cards(): AgentCard[] {
    return agentIds.flatMap((agent) => {
      const adapter = this.#adapters.get(kindOfAgent(agent))
      return adapter ? [cardOf(agent, adapter, this.#found.get(adapter.kind))] : []
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
    const adapter = this.#adapters.get(kindOfAgent(agent))
    if (!adapter) throw new AppError('agent.not-found', 'This agent is not part of this version of Parley.')
    return adapter
  }

  /** How to start an agent. Throws why it cannot be started. */
  async programOf(agent: AgentId, signal: AbortSignal): Promise<Program> {
    const adapter = this.adapterOf(agent)
    const found = this.#found.get(adapter.kind)
    if (found?.program) return found.program
    const again = await this.#detect(adapter, signal)
    if (again.program) return again.program
    const { failure } = again.card
    throw new AppError(
      failure?.code ?? 'agent.not-found',
      failure?.message ?? `${agentNames[agent].name} is not installed here.`,
      {
        params: { agent: agentNames[agent].name, ...failure?.params },
      },
    )
  }

  versionOf(agent: AgentId): string | null {
    return this.#found.get(kindOfAgent(agent))?.program?.version ?? null
  }

  /** An attempt told us more than a probe can: it worked, or the agent refused our credentials. */
  learn(agent: AgentId, failure: Failure | null, at: number): void {
    const kind = kindOfAgent(agent)
    const found = this.#found.get(kind)
    if (!found || kind === 'rehearsal') return
    const card = { ...found.card, checkedAt: at }
    if (failure === null) {
      this.#keep(kind, {
        ...found,
        card: { ...card, readiness: 'recentlyVerified', evidence: 'answered a turn', failure: null },
      })
    } else if (failure.code === 'agent.unauthorized') {
      this.#keep(kind, {
        ...found,
        card: { ...card, readiness: 'needsLogin', evidence: 'refused our credentials', failure },
      })
    }
  }

  async #scanAll(): Promise<AgentCard[]> {
    const signal = AbortSignal.timeout(60_000)
    this.#changed(this.cards)
    await Promise.all([...this.#adapters.values()].map((adapter) => this.#detect(adapter, signal)))
    return this.cards
  }

  async #detect(adapter: AgentAdapter, signal: AbortSignal): Promise<Detection> {
    const found = await adapter.detect(signal)
    this.#keep(adapter.kind, found)
    return found
  }

  #keep(kind: AgentKind, found: Detection): void {
    this.#found.set(kind, found)
    this.#changed(this.cards)
  }
}

const cardOf = (agent: AgentId, adapter: AgentAdapter, found: Detection | undefined): AgentCard => ({
  agent,
  kind: adapter.kind,
  name: agentNames[agent].name,
  mark: agentNames[agent].mark,
  transport: adapter.transport,
  rehearsal: adapter.kind === 'rehearsal',
  ...(found?.card ?? unchecked),
})
