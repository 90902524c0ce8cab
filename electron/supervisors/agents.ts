import type { AgentAdapter, AgentSession, Detection, OpenSession, Program } from '../../adapters/ports.ts'
import type { LoginShell } from '../../adapters/programs/login-shell.ts'
import { agentIds, kindOfAgent, nameOfAgent, type AgentCard, type AgentId, type AgentKind } from '../../shared/agent.ts'
import { AppError, type Failure } from '../../shared/errors.ts'
import { scanMs } from '../../shared/limits.ts'
import { cardOf, isOutdated, lateDetection, withProvider, type Learned } from './agent-cards.ts'
import { StartGate } from './start-gate.ts'

interface AgentsOptions {
  /** What the login shell said is asked again at each new look. */
  shell?: Pick<LoginShell, 'forget'>
  /** Names the provider by which an agent can answer without a login of its own. */
  providerOf?: (kind: AgentKind) => string | null
}

/** Knows which agents there are on this computer, how that is known, and how each is started. */
export class Agents {
  readonly #adapters = new Map<AgentId, AgentAdapter>()
  readonly #changed: (cards: AgentCard[]) => void
  readonly #options: AgentsOptions
  readonly #found = new Map<AgentAdapter, { detection: Detection; order: number }>()
  readonly #starts = new StartGate()
  readonly #learned = new Map<AgentAdapter, Learned>()
  #order = 0
  #scan: Promise<AgentCard[]> | null = null

  constructor(
    adapters: readonly AgentAdapter[],
    changed: (cards: AgentCard[]) => void,
    options: AgentsOptions = {},
  ) {
    for (const adapter of adapters) this.#add(adapter)
    this.#changed = changed
    this.#options = options
  }

  get cards(): AgentCard[] {
    return this.#inOrder().map((agent) => this.#cardOf(agent))
  }

  /** Looks for every agent at once; each card changes as soon as its own probe is done. Calls share one scan. */
  scan(): Promise<AgentCard[]> {
    this.#scan ??= this.#scanAll().finally(() => {
      this.#scan = null
    })
    return this.#scan
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

  /** Looks for one agent anew, as after an installation; what a slower look began before finds is not kept. */
  async refresh(agent: AgentId): Promise<AgentCard> {
    this.#options.shell?.forget()
    await this.#detect(this.adapterOf(agent), AbortSignal.timeout(scanMs))
    return this.#cardOf(agent)
  }

  /** Its provider is another one, so what a look leaves out is another thing too. */
  async refreshKind(kind: AgentKind): Promise<void> {
    const adapter = [...this.#adapters.values()].find((one) => one.kind === kind)
    if (adapter) await this.#detect(adapter, AbortSignal.timeout(scanMs))
  }

  /** One more agent from now on, with a card of its own; one of that id is replaced. Looks for it at once. */
  async add(adapter: AgentAdapter): Promise<void> {
    this.#add(adapter)
    this.#changed(this.cards)
    await this.#detect(adapter, AbortSignal.timeout(scanMs))
  }

  /** Forgets an agent and its card. What goes on with it is its owner's to end. */
  remove(agent: AgentId): void {
    const adapter = this.#adapters.get(agent)
    if (!adapter) return
    this.#adapters.delete(agent)
    if (!this.#isOurs(adapter)) {
      this.#found.delete(adapter)
      this.#learned.delete(adapter)
    }
    this.#changed(this.cards)
  }

  adapterOf(agent: AgentId): AgentAdapter {
    const adapter = this.#adapters.get(agent)
    if (!adapter) throw new AppError('agent.not-found', 'This agent is not part of this version of Parley.')
    return adapter
  }

  /** How to start an agent. Throws why it cannot be started, or that Parley cannot speak with it. */
  async programOf(agent: AgentId, signal: AbortSignal): Promise<Program> {
    const adapter = this.adapterOf(agent)
    const { name } = nameOfAgent(agent)
    if (adapter.transport === 'none') {
      throw new AppError('agent.not-spoken-with', `Parley cannot speak with ${name}. Choose another agent.`, {
        params: { agent: name },
      })
    }
    const program = this.#found.get(adapter)?.detection.program
    if (program) return program
    const again = await this.#detect(adapter, signal)
    if (again?.program) return again.program
    const failure = again?.card.failure
    throw new AppError(failure?.code ?? 'agent.not-found', failure?.message ?? `${name} is not installed here.`, {
      params: { agent: name, ...failure?.params },
    })
  }

  /**
   * Opens a session of an agent with its program as it was found, one start of a program after another, for whatever it
   * is opened. Throws as `programOf` and the adapter do.
   */
  async open(request: Omit<OpenSession, 'program'>, signal: AbortSignal): Promise<AgentSession> {
    const program = await this.programOf(request.agent, signal)
    const adapter = this.adapterOf(request.agent)
    const env = { ...request.env, ...program.env }
    const open = () => adapter.open({ ...request, program, env }, signal)
    // the rehearsal has no login
    return adapter.kind === 'rehearsal' ? open() : this.#starts.through(program.file, open, signal)
  }

  versionOf(agent: AgentId): string | null {
    const adapter = this.#adapters.get(agent)
    return (adapter && this.#found.get(adapter)?.detection.program?.version) ?? null
  }

  /**
   * An attempt told us more than a probe can: it worked, or the agent refused our credentials. Whatever else keeps a
   * test from its answer is in the card too, until the next look.
   */
  learn(agent: AgentId, failure: Failure | null, at: number, by: 'turn' | 'test' = 'turn'): void {
    const adapter = this.#adapters.get(agent)
    if (!adapter || adapter.kind === 'rehearsal' || !this.#found.has(adapter)) return
    if (failure?.code === 'agent.cancelled') return
    if (by === 'turn' && failure !== null && failure.code !== 'agent.unauthorized') return
    this.#order += 1
    this.#learned.set(adapter, { failure, at, order: this.#order, version: this.versionOf(agent) })
    this.#changed(this.cards)
  }

  async #scanAll(): Promise<AgentCard[]> {
    const signal = AbortSignal.timeout(scanMs)
    this.#options.shell?.forget()
    this.#changed(this.cards)
    await Promise.all([...new Set(this.#adapters.values())].map((adapter) => this.#detect(adapter, signal)))
    return this.cards
  }

  /** What is known afterwards; a look that failed, or that a newer one has overtaken, changes nothing. */
  async #detect(adapter: AgentAdapter, signal: AbortSignal): Promise<Detection | null> {
    this.#order += 1
    const order = this.#order
    const hasProvider = (this.#options.providerOf?.(adapter.kind) ?? null) !== null
    const looked = await adapter.detect(signal, hasProvider).catch(() => null)
    const detection = looked && !(signal.aborted && looked.program === null) ? looked : null
    const before = this.#found.get(adapter)
    if (!this.#isOurs(adapter)) return detection
    if (before && (detection === null || before.order > order)) return before.detection
    // the first look must come to an end, whatever it has found
    this.#keep(adapter, detection ?? lateDetection(Date.now()), order)
    return detection
  }

  #keep(adapter: AgentAdapter, detection: Detection, order: number): void {
    this.#found.set(adapter, { detection, order })
    const learned = this.#learned.get(adapter)
    if (learned && isOutdated(learned, detection, order)) this.#learned.delete(adapter)
    this.#changed(this.cards)
  }

  #cardOf(agent: AgentId): AgentCard {
    const adapter = this.adapterOf(agent)
    const card = cardOf(agent, adapter, this.#found.get(adapter)?.detection, this.#learned.get(adapter))
    return withProvider(card, this.#options.providerOf?.(adapter.kind) ?? null)
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

  #isOurs(adapter: AgentAdapter): boolean {
    return adapter.agents.some((agent) => this.#adapters.get(agent) === adapter)
  }
}
