import type { WarmSessions } from '../adapters/agents/acp/warm.ts'
import type { Processes } from '../adapters/process.ts'
import { guardLaunches } from '../adapters/start-guard.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import type { Handlers, Push, PushName } from '../shared/ipc.ts'
import type { ProviderKind } from '../shared/provider.ts'
import type { QuitSurvey, QuitWish } from '../shared/quit.ts'
import type { AppState } from '../shared/view.ts'
import { agentSide } from './agent-side.ts'
import { handlersOf } from './handlers/handlers.ts'
import { showQueue } from './handlers/messages.ts'
import { servicesOf } from './handlers/services.ts'
import { newId } from './new-id.ts'
import { restoreWork } from './restore.ts'
import type { ComposeOptions, Composition, HearPush } from './shell.ts'
import { begunInstallIn } from './stores/begun-install.ts'
import { openReadOnly } from './stores/look.ts'
import { openStores } from './stores/open.ts'
import { Backups } from './stores/backups.ts'
import type { Stores } from './stores/stores.ts'
import type { Agents } from './supervisors/agents.ts'
import type { ConnectionTests } from './supervisors/connection-tests.ts'
import { AwakeClock } from './supervisors/awake-clock.ts'
import type { CustomAgents } from './supervisors/custom-agents.ts'
import type { Installs } from './supervisors/installs.ts'
import { Lifecycle } from './supervisors/lifecycle.ts'
import { NextMessages } from './supervisors/next-messages.ts'
import type { Providers } from './supervisors/providers.ts'
import { numberIn, quitSurvey, whenRested } from './supervisors/quit-survey.ts'
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
  readonly #warm: WarmSessions
  readonly #awake = new AwakeClock(Date.now)
  /** Ends our children if we are killed. */
  readonly #guard = guardLaunches()
  readonly #lifecycle: Lifecycle
  readonly #env: ComposeOptions['env']
  readonly #backups: Backups
  #upkeep: Upkeep | null = null
  readonly #next = new NextMessages({
    may: () => this.#mayBegin(),
    begin: (conversationId) => this.#beginNext(conversationId),
  })
  #recovered: AppState['recovered'] = null
  #quitting: Promise<void> | null = null
  #shellTold = false

  constructor(options: ComposeOptions) {
    this.options = options
    this.#backups = new Backups(options.dataFolder)
    const fence = fenceOf(newId('boot'), Date.now)
    const side = agentSide({
      options,
      fence,
      awake: this.#awake,
      stores: () => (this.stores?.isOpen ? this.stores : null),
      launches: {
        launched: (launch) => {
          this.#guard.launched(launch)
          this.#keepOrFail(({ launches }) => launches.add(launch))
        },
        gone: (launch) => {
          this.#guard.gone(launch)
          this.#keepOrFail((stores) => stores.launches.remove(launch.token))
        },
      },
      begun: begunInstallIn(() => (this.stores?.isOpen && !this.readOnly ? this.stores : null)),
      providersChanged: (moved) => this.#providersChanged(moved),
      push: (topic, body) => this.push(topic, body),
    })
    this.agents = side.agents
    this.custom = side.custom
    this.installs = side.installs
    this.providers = side.providers
    this.connectionTests = side.connectionTests
    this.#env = side.env
    this.#processes = side.processes
    this.#warm = side.warm
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
        closeStores: () => this.#close(),
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

  #lifecycleMoved(): void {
    const app = this.appState()
    this.push('app.changed', { app })
    // it drains because what it waited for has ended, or because nothing runs: the shell goes with it
    if (app.lifecycle === 'draining' && !this.#quitting && !this.#shellTold) {
      this.#shellTold = true
      queueMicrotask(() => this.options.shell.quit())
    }
    if (this.mayServe()) this.#next.review()
  }

  #open(): void {
    if (this.options.readOnly) return this.#openToRead({ code: 'app.read-only', message: 'Opened only to look at.' })
    try {
      this.stores = openStores(this.options.dataFolder)
      this.custom.register(this.stores)
      this.work = this.#build(this.stores)
      const { stores, options } = this
      this.#upkeep = new Upkeep({ stores, backups: this.#backups, log: options.log, now: Date.now })
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
      runSettled: (conversationId) => this.#next.runSettled(conversationId),
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
    const goesOn = () => this.#quitting === null && !this.readOnly
    this.#recovered = await restoreWork(this.work, { log: this.options.log, goesOn, now: Date.now })
    if (goesOn()) this.#upkeep?.begin()
  }

  /** The ledger takes no more: nothing may happen that it does not know of. */
  #failClosed(failure: Failure): void {
    if (this.readOnly) return
    this.options.log.error(failure.code)
    this.readOnly = failure
    this.work?.rest()
    void this.#upkeep?.rest()
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
  async #close(): Promise<void> {
    this.work?.rest()
    await (this.readOnly ? this.#upkeep?.rest() : this.#upkeep?.end())
    this.stores?.close()
  }

  #mayBegin(): 'now' | 'later' | 'never' {
    if (!this.work || this.#quitting || this.readOnly) return 'never'
    return this.#lifecycle.quitting === 'waiting' ? 'later' : 'now'
  }

  async #beginNext(conversationId: string): Promise<void> {
    try {
      const begun = await this.work?.beginNext(conversationId)
      if (begun) showQueue(servicesOf(this), conversationId)
    } catch (error) {
      this.options.log.error(toFailure(error).code, { conversationId })
    }
  }
}
