import { WarmSessions } from '../adapters/agents/acp/warm.ts'
import type { AgentAdapter } from '../adapters/ports.ts'
import { Processes } from '../adapters/process.ts'
import { LoginShell } from '../adapters/programs/login-shell.ts'
import { guardLaunches } from '../adapters/start-guard.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import type { Handlers, Push, PushName } from '../shared/ipc.ts'
import type { ProviderKind } from '../shared/provider.ts'
import type { QuitSurvey, QuitWish } from '../shared/quit.ts'
import type { AppState } from '../shared/view.ts'
import { adaptersOf } from './adapters.ts'
import { handlersOf } from './handlers/handlers.ts'
import { showQueue } from './handlers/messages.ts'
import { servicesOf } from './handlers/services.ts'
import { newId } from './new-id.ts'
import { restoreWork } from './restore.ts'
import type { ComposeOptions, Composition, HearPush } from './shell.ts'
import { begunInstallIn } from './stores/begun-install.ts'
import { openReadOnly, openStores } from './stores/open.ts'
import type { Stores } from './stores/stores.ts'
import { agentsFolder } from './start/data-folder.ts'
import { Agents } from './supervisors/agents.ts'
import { ConnectionTests } from './supervisors/connection-tests.ts'
import { AwakeClock } from './supervisors/awake-clock.ts'
import { CustomAgents } from './supervisors/custom-agents.ts'
import { Installs } from './supervisors/installs.ts'
import { Lifecycle } from './supervisors/lifecycle.ts'
import { numberIn, quitSurvey, whenRested } from './supervisors/quit-survey.ts'
import { Providers } from './supervisors/providers.ts'
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
  /** Conversations whose queue waits because quitting waits for what runs. */
  readonly #heldQueues = new Set<string>()
  #recovered: AppState['recovered'] = null
  #quitting: Promise<void> | null = null
  #shellTold = false

  constructor(options: ComposeOptions) {
    this.options = options
    const folder = agentsFolder(options.env, options.dataFolder)
    this.#env = { ...options.env, PARLEY_AGENTS: folder }
    this.#processes = new Processes({
      launched: (launch) => {
        this.#guard.launched(launch)
        this.#keepOrFail((stores) => stores.launches.add(launch))
      },
      gone: (launch) => {
        this.#guard.gone(launch)
        this.#keepOrFail((stores) => stores.launches.remove(launch.token))
      },
    })
    this.providers = new Providers({
      stores: () => (this.stores?.isOpen ? this.stores : null),
      secrets: options.shell.secrets,
      changed: (moved) => this.#providersChanged(moved),
      newId,
      now: Date.now,
    })
    const shell = new LoginShell(this.#env)
    this.agents = new Agents(this.#adapters(shell), (agents) => this.push('agents.changed', { agents }), {
      shell,
      providerOf: (kind) => this.providers.nameFor(kind),
    })
    this.connectionTests = new ConnectionTests(this.agents, {
      env: this.#env,
      accessFor: (kind) => this.providers.accessFor(kind),
      now: Date.now,
    })
    this.custom = new CustomAgents(this.agents, { processes: this.#processes, warm: this.#warm })
    const fence = fenceOf(newId('boot'), Date.now)
    this.installs = new Installs({
      fence,
      awake: this.#awake,
      agents: this.agents,
      processes: this.#processes,
      env: this.#env,
      folder,
      changed: (install) => this.push('install.changed', { install }),
      begun: begunInstallIn(() => (this.stores?.isOpen && !this.readOnly ? this.stores : null)),
      newId,
      now: Date.now,
    })
    this.#lifecycle = new Lifecycle(
      wiredLifecycle({
        fence,
        awake: this.#awake,
        openStores: async () => this.#open(),
        restoreWork: async () => this.#restore(),
        countRunning: () => numberIn(this.survey()),
        whenRested: (rested) => whenRested(this, rested),
        endWork: async () => this.#endWork(),
        killChildren: () => this.#processes.killAll(),
        closeStores: async () => this.#close(),
      }),
      () => this.#lifecycleMoved(),
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

  quit(how: 'asked' | 'forced'): Promise<void> {
    this.#quitting ??= this.#quit(how)
    return this.#quitting
  }

  push<N extends PushName>(topic: N, body: Push<N>): void {
    for (const hear of this.#hearers) hear(topic, body)
  }

  survey(): QuitSurvey {
    return quitSurvey(this.readOnly ? null : this.work, this.installs)
  }

  decideQuit(wish: QuitWish): AppState['quitting'] {
    this.#lifecycle.decide(wish)
    return this.#lifecycle.quitting
  }

  appState(): AppState {
    return {
      shell: this.options.shell.kind,
      version: this.options.version,
      lifecycle: this.#lifecycle.word,
      quitting: this.#lifecycle.quitting,
      readOnly: this.readOnly,
      recovered: this.#recovered,
      now: Date.now(),
    }
  }

  async #quit(how: 'asked' | 'forced'): Promise<void> {
    await this.#lifecycle.quit(how)
    this.#guard.end()
    this.#awake.stop()
  }

  #lifecycleMoved(): void {
    const app = this.appState()
    this.push('app.changed', { app })
    // it drains because what it waited for has ended, or because nothing runs: the shell goes with it
    if (app.lifecycle === 'draining' && !this.#quitting && !this.#shellTold) {
      this.#shellTold = true
      queueMicrotask(() => this.options.shell.quit())
    }
    if (app.quitting === 'waiting' || !this.mayServe()) return
    const held = [...this.#heldQueues]
    this.#heldQueues.clear()
    for (const conversationId of held) void this.#beginNext(conversationId)
  }

  #open(): void {
    if (this.options.readOnly) return this.#openToRead({ code: 'app.read-only', message: 'Opened only to look at.' })
    try {
      this.stores = openStores(this.options.dataFolder)
      this.custom.register(this.stores)
      this.work = this.#build(this.stores)
      this.installs.recall()
    } catch (error) {
      this.#openToRead(toFailure(error))
      throw error
    }
  }

  #openToRead(failure: Failure): void {
    this.readOnly = failure
    this.stores = openReadOnly(this.options.dataFolder)
    if (this.stores) this.custom.register(this.stores)
  }

  #build(stores: Stores): Work {
    const { settings, log, shell } = this.options
    return buildWork({
      stores,
      env: this.#env,
      settings,
      log,
      newId,
      agents: this.agents,
      providers: this.providers,
      awake: this.#awake,
      push: (topic, body) => this.push(topic, body),
      notify: (notice) => settings.read().notifications && shell.notify?.(notice),
      now: Date.now,
      ledgerFailed: (failure) => this.#failClosed(failure),
      runSettled: (conversationId) => void this.#beginNext(conversationId),
    })
  }

  #adapters(shell: LoginShell): AgentAdapter[] {
    const around = { processes: this.#processes, env: this.#env, shell, warm: this.#warm }
    return this.options.adapters?.(this.#processes) ?? adaptersOf(around)
  }

  /** A native session was begun with the provider before: the next turn begins anew, from our own transcript. */
  #providersChanged(moved: readonly ProviderKind[]): void {
    for (const kind of moved) this.stores?.sessions.clearOf(kind)
    this.push('providers.changed', { profiles: this.providers.list() })
    this.push('agents.changed', { agents: this.agents.cards })
  }

  async #restore(): Promise<void> {
    if (!this.work) return
    const goesOn = () => this.#quitting === null && !this.readOnly
    this.#recovered = await restoreWork(this.work, { log: this.options.log, goesOn, now: Date.now })
  }

  /** The ledger takes no more: nothing may happen that it does not know of. */
  #failClosed(failure: Failure): void {
    if (this.readOnly) return
    this.options.log.error(failure.code)
    this.readOnly = failure
    this.work?.rest()
    void this.#processes.endAll()
    this.#lifecycle.fail(failure)
  }

  /** What is known of processes must be kept before they do anything, and nobody waits for the word. */
  #keepOrFail(keep: (stores: Stores) => void): void {
    if (!this.stores?.isOpen || this.stores.readOnly || this.readOnly) return
    try {
      keep(this.stores)
    } catch (error) {
      this.#failClosed(toFailure(error))
    }
  }

  async #endWork(): Promise<void> {
    try {
      await Promise.all([this.work?.runs.interruptAll(), this.installs.end()])
    } finally {
      this.work?.rest()
      await this.#processes.close()
    }
  }

  /** Also when what had to end before has not: nothing may speak to a closed store. */
  #close(): void {
    this.work?.rest()
    this.stores?.close()
  }

  async #beginNext(conversationId: string): Promise<void> {
    if (!this.work || this.#quitting || this.readOnly) return
    if (this.#lifecycle.quitting === 'waiting') return void this.#heldQueues.add(conversationId)
    try {
      const begun = await this.work.beginNext(conversationId)
      if (begun) showQueue(servicesOf(this), conversationId)
    } catch (error) {
      this.options.log.error(toFailure(error).code, { conversationId })
    }
  }
}
