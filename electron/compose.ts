import { WarmSessions } from '../adapters/agents/acp/warm.ts'
import { Processes } from '../adapters/process.ts'
import { LoginShell } from '../adapters/programs/login-shell.ts'
import { guardLaunches } from '../adapters/start-guard.ts'
import type { AgentKind } from '../shared/agent.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import type { Handlers, Push, PushName } from '../shared/ipc.ts'
import type { ProviderKind } from '../shared/provider.ts'
import { type Around, straight } from '../shared/steps.ts'
import type { AppState, ConversationRow } from '../shared/view.ts'
import { adaptersOf } from './adapters.ts'
import { handlersOf } from './handlers/handlers.ts'
import { showQueue } from './handlers/messages.ts'
import { servicesOf } from './handlers/services.ts'
import { newId } from './new-id.ts'
import { restoreWork } from './restore.ts'
import type { ComposeOptions, Composition, HearPush } from './shell.ts'
import { Backups } from './stores/backups.ts'
import { openReadOnly } from './stores/look.ts'
import { mayBeWritten, openStores } from './stores/open.ts'
import type { Stores } from './stores/stores.ts'
import { agentsFolder } from './start/data-folder.ts'
import { Agents } from './supervisors/agents.ts'
import { ConnectionTests } from './supervisors/connection-tests.ts'
import { AwakeClock } from './supervisors/awake-clock.ts'
import { CustomAgents } from './supervisors/custom-agents.ts'
import { DiskWatch } from './supervisors/disk-watch.ts'
import { Installs } from './supervisors/installs.ts'
import { keptLaunches } from './supervisors/kept-launches.ts'
import { Lifecycle } from './supervisors/lifecycle.ts'
import { Providers } from './supervisors/providers.ts'
import { Upkeep } from './supervisors/upkeep.ts'
import { fenceOf } from './wiring/fence.ts'
import { wiredLifecycle } from './wiring/lifecycle.ts'
import { buildWork, type Work } from './work.ts'

/** Builds everything behind the window, with no idea which shell shows it. Nothing is opened before `start`. */
export const compose = (options: ComposeOptions): Composition => new Office(options)

/** Keeps the stores and the work on them from opening to closing, as the lifecycle says. */
class Office implements Composition {
  readonly handlers: Handlers
  readonly agents: Agents
  readonly custom: CustomAgents
  readonly installs: Installs
  readonly providers: Providers
  readonly connectionTests: ConnectionTests
  readonly options: ComposeOptions
  stores: Stores | null = null
  work: Work | null = null
  /** Why nothing may be written, while that is so. */
  readOnly: Failure | null = null
  readonly #hearers = new Set<HearPush>()
  readonly #processes: Processes
  /** One for all agents: it bounds how many processes are kept. */
  readonly #warm = new WarmSessions()
  readonly #awake = new AwakeClock(Date.now)
  /** Ends our children if we are killed. */
  readonly #guard = guardLaunches()
  readonly #lifecycle: Lifecycle
  readonly #env: ComposeOptions['env']
  readonly #around: Around
  readonly #disk: DiskWatch
  readonly #backups: Backups
  #upkeep: Upkeep | null = null
  #recovered: AppState['recovered'] = null
  /** While what the disk interrupted is taken up again. */
  #isReopening = false
  #quitting: Promise<void> | null = null

  constructor(options: ComposeOptions) {
    this.options = options
    this.#around = options.around ?? straight
    this.#disk = new DiskWatch(() => mayBeWritten(options.dataFolder, this.#around))
    this.#backups = new Backups(options.dataFolder)
    const folder = agentsFolder(options.env, options.dataFolder)
    this.#env = { ...options.env, PARLEY_AGENTS: folder }
    const kept = keptLaunches({
      around: this.#around,
      stores: () => (this.readOnly || !this.stores?.isOpen ? null : this.stores),
      failed: (error) => this.#failClosed(toFailure(error)),
    })
    this.#processes = new Processes(this.#guard, kept)
    this.providers = new Providers({
      stores: () => (this.stores?.isOpen ? this.stores : null),
      secrets: options.shell.secrets,
      changed: (moved) => this.#providersChanged(moved),
      newId, now: Date.now,
    })
    const shell = new LoginShell(this.#env)
    const around = { processes: this.#processes, env: this.#env, shell, warm: this.#warm }
    const adapters = options.adapters?.(this.#processes) ?? adaptersOf(around)
    this.agents = new Agents(adapters, (agents) => this.push('agents.changed', { agents }), {
      shell,
      providerOf: (kind) => this.providers.nameFor(kind),
    })
    const accessFor = (kind: AgentKind) => this.providers.accessFor(kind)
    this.connectionTests = new ConnectionTests(this.agents, { env: this.#env, accessFor, now: Date.now })
    this.custom = new CustomAgents(this.agents, { processes: this.#processes, warm: this.#warm })
    const fence = fenceOf(newId('boot'), Date.now)
    this.installs = new Installs({
      fence, awake: this.#awake, agents: this.agents, processes: this.#processes, env: this.#env, folder, newId,
      changed: (install) => this.push('install.changed', { install }),
      now: Date.now,
    })
    this.#lifecycle = new Lifecycle(
      wiredLifecycle({
        fence,
        awake: this.#awake,
        openStores: async () => this.#open(),
        restoreWork: async () => this.#restore(),
        awaitDisk: (left) => this.#disk.writable(left),
        reopenWork: () => this.#reopen(),
        countRunning: () => this.runningNow().length,
        endWork: async () => this.#endWork(),
        closeStores: () => this.#close(),
      }),
      () => this.push('app.changed', { app: this.appState() }),
      Date.now,
    )
    this.handlers = handlersOf(servicesOf(this))
  }

  onPush(hear: HearPush): () => void {
    this.#hearers.add(hear)
    return () => this.#hearers.delete(hear)
  }

  start(): Promise<void> {
    return this.#lifecycle.start()
  }

  /** What its agents keep between two turns would still know of it. */
  conversationLeft(conversationId: string): void {
    void this.#warm.leave(({ scope }) => scope.includes(JSON.stringify(conversationId)))
  }

  mayServe(): boolean {
    return this.#quitting === null && ['ready', 'readOnly'].includes(this.appState().lifecycle)
  }

  async running(): Promise<ConversationRow[]> {
    return this.runningNow()
  }

  quit(how: 'asked' | 'forced'): Promise<void> {
    this.#quitting ??= this.#quit(how)
    return this.#quitting
  }

  push<N extends PushName>(topic: N, body: Push<N>): void {
    for (const hear of this.#hearers) hear(topic, body)
  }

  /** The conversations whose run would be interrupted by quitting; one that waits for a person would not. */
  runningNow(): ConversationRow[] {
    return this.readOnly ? [] : this.work?.underWay() ?? []
  }

  appState(): AppState {
    return {
      shell: this.options.shell.kind,
      version: this.options.version,
      lifecycle: this.#lifecycle.word,
      readOnly: this.readOnly,
      recovered: this.#recovered,
      restored: this.readOnly || !this.stores?.isOpen ? null : this.stores.restored.get(),
      now: Date.now(),
    }
  }

  copiesKept() {
    return this.#backups.kept
  }

  /** Something was deleted, and the log and the backups are to follow. */
  erased(): void {
    void this.#upkeep?.erased()
  }

  async #quit(how: 'asked' | 'forced'): Promise<void> {
    await this.#lifecycle.quit(how)
    this.#guard.end()
    this.#awake.stop()
  }

  #open(): void {
    if (this.options.readOnly) return this.#openToRead({ code: 'app.read-only', message: 'Opened only to look at.' })
    try {
      this.stores?.close()
      this.stores = openStores(this.options.dataFolder, { around: this.#around, refused: this.#refused })
      this.custom.register(this.stores)
      this.work = this.#build(this.stores)
    } catch (error) {
      this.#openToRead(toFailure(error))
      throw error
    }
  }

  #openToRead(failure: Failure): void {
    this.readOnly = failure
    this.stores?.close()
    this.stores = openReadOnly(this.options.dataFolder)
    if (this.stores) this.custom.register(this.stores)
  }

  /**
   * The disk takes writes again: everything goes on from what is stored, as after a restart, before the window's eyes.
   */
  async #reopen(): Promise<void> {
    this.#isReopening = true
    try {
      await this.#processes.endAll()
      if (this.work) this.work = this.#build(this.work.stores.settle(), this.readOnly)
      else this.#open()
      await this.#restore()
      this.readOnly = null
      this.#disk.reset()
    } finally {
      this.#isReopening = false
    }
  }

  /** `because`: what ended the work before, where that was not the end of Parley. */
  #build(stores: Stores, because: Failure | null = null): Work {
    const { settings, log } = this.options
    return buildWork({
      stores, because, settings, log, newId,
      env: this.#env,
      agents: this.agents, providers: this.providers,
      awake: this.#awake,
      around: this.#around,
      push: (topic, body) => this.push(topic, body),
      now: Date.now,
      ledgerFailed: (failure) => this.#failClosed(failure),
      runSettled: (conversationId) => void this.#beginNext(conversationId),
    })
  }

  /** A native session was begun with the provider before: the next turn begins anew, from our own transcript. */
  #providersChanged(moved: readonly ProviderKind[]): void {
    for (const kind of moved) {
      this.stores?.sessions.clearOf(kind)
      void this.agents.refreshKind(kind)
    }
    this.push('providers.changed', { profiles: this.providers.list() })
    this.push('agents.changed', { agents: this.agents.cards })
  }

  async #restore(): Promise<void> {
    if (!this.work) return
    const { log } = this.options
    const goesOn = () => this.#quitting === null && (this.#isReopening || !this.readOnly)
    const recovered = await restoreWork(this.work, { log, goesOn, now: Date.now })
    if (this.work.because === null) this.#recovered = recovered
    if (!goesOn()) return
    this.#upkeep = new Upkeep({ stores: this.work.stores, backups: this.#backups, log, now: Date.now })
    this.#upkeep.begin()
  }

  /** The ledger takes no more: nothing may happen that it does not know of. */
  #failClosed(failure: Failure): void {
    if (this.readOnly && !this.#isReopening) return
    this.options.log.error(failure.code)
    this.readOnly = failure
    this.work?.rest()
    void this.#upkeep?.rest()
    void this.#processes.endAll()
    this.#lifecycle.fail(failure)
  }

  /** Whoever wanted the write is told first. */
  readonly #refused = (error: unknown): void => queueMicrotask(() => this.#failClosed(toFailure(error)))

  async #endWork(): Promise<void> {
    try {
      await Promise.all([this.work?.runs.interruptAll(), this.installs.end()])
    } finally {
      this.work?.rest()
      await this.#processes.endAll()
    }
  }

  /** Also when what had to end before has not: nothing may speak to a closed store. */
  async #close(): Promise<void> {
    this.work?.rest()
    await (this.readOnly ? this.#upkeep?.rest() : this.#upkeep?.end())
    this.stores?.close()
  }

  async #beginNext(conversationId: string): Promise<void> {
    if (!this.work || this.#quitting || this.readOnly) return
    try {
      const begun = await this.work.beginNext(conversationId)
      if (begun) showQueue(servicesOf(this), conversationId)
    } catch (error) {
      this.options.log.error(toFailure(error).code, { conversationId })
    }
  }
}
