import { guardLaunches } from '../adapters/start-guard.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import type { Handlers, Push, PushName } from '../shared/ipc.ts'
import type { ProviderKind } from '../shared/provider.ts'
import { type Around, straight } from '../shared/steps.ts'
import type { QuitSurvey, QuitWish } from '../shared/quit.ts'
import type { AppState } from '../shared/view.ts'
import { agentSide, type AgentSide } from './agent-side.ts'
import { handlersOf } from './handlers/handlers.ts'
import { showQueue } from './handlers/messages.ts'
import { servicesOf } from './handlers/services.ts'
import { newId } from './new-id.ts'
import { restoreWork } from './restore.ts'
import type { ComposeOptions, Composition, HearPush } from './shell.ts'
import { begunInstallIn } from './stores/begun-install.ts'
import { openReadOnly } from './stores/look.ts'
import { mayBeWritten, openStores } from './stores/open.ts'
import { Backups } from './stores/backups.ts'
import type { Stores } from './stores/stores.ts'
import { AwakeClock } from './supervisors/awake-clock.ts'
import { DiskWatch } from './supervisors/disk-watch.ts'
import { keptLaunches } from './supervisors/kept-launches.ts'
import { Lifecycle } from './supervisors/lifecycle.ts'
import { NextMessages } from './supervisors/next-messages.ts'
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
  readonly options: ComposeOptions
  readonly side: AgentSide
  stores: Stores | null = null
  work: Work | null = null
  /** Why nothing may be written, while that is so. */
  readOnly: Failure | null = null
  readonly #hearers = new Set<HearPush>()
  readonly #awake = new AwakeClock(Date.now)
  /** Ends our children if we are killed. */
  readonly #guard = guardLaunches()
  readonly #lifecycle: Lifecycle
  readonly #around: Around
  readonly #disk: DiskWatch
  readonly #backups: Backups
  #upkeep: Upkeep | null = null
  readonly #next = new NextMessages({
    may: () => this.#mayBegin(),
    begin: (conversationId) => this.#beginNext(conversationId),
  })
  #recovered: AppState['recovered'] = null
  /** While what the disk interrupted is taken up again. */
  #isReopening = false
  #quitting: Promise<void> | null = null
  #shellTold = false

  constructor(options: ComposeOptions) {
    this.options = options
    this.#around = options.around ?? straight
    this.#disk = new DiskWatch(() => mayBeWritten(options.dataFolder, this.#around))
    this.#backups = new Backups(options.dataFolder)
    const fence = fenceOf(newId('boot'), Date.now)
    const writable = () => (this.stores?.isOpen && !this.readOnly ? this.stores : null)
    this.side = agentSide({
      options,
      fence,
      awake: this.#awake,
      stores: () => (this.stores?.isOpen ? this.stores : null),
      launches: [
        this.#guard,
        keptLaunches({ around: this.#around, stores: writable, failed: (error) => this.#failClosed(toFailure(error)) }),
      ],
      begun: begunInstallIn(writable),
      providersChanged: (moved) => this.#providersChanged(moved),
      push: (topic, body) => this.push(topic, body),
    })
    this.#lifecycle = new Lifecycle(
      wiredLifecycle({
        fence,
        awake: this.#awake,
        openStores: async () => this.#open(),
        restoreWork: async () => this.#restore(),
        awaitDisk: (left) => this.#disk.writable(left),
        reopenWork: () => this.#reopen(),
        countRunning: () => numberIn(this.survey()),
        whenRested: (rested) => whenRested(this, rested),
        endWork: async () => this.#endWork(),
        killChildren: () => this.side.processes.killAll(),
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
    void this.side.warm.leave(({ scope }) => scope.includes(JSON.stringify(conversationId)))
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
    return quitSurvey(this.readOnly ? null : this.work, this.side.installs)
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
      this.stores?.close()
      this.stores = openStores(this.options.dataFolder, { around: this.#around, refused: this.#refused })
      this.side.custom.register(this.stores)
      this.work = this.#build(this.stores)
      this.side.installs.recall()
    } catch (error) {
      this.#openToRead(toFailure(error))
      throw error
    }
  }

  #openToRead(failure: Failure): void {
    this.readOnly = failure
    this.stores?.close()
    this.stores = openReadOnly(this.options.dataFolder)
    if (this.stores) this.side.custom.register(this.stores)
  }

  /**
   * The disk takes writes again: everything goes on from what is stored, as after a restart, before the window's eyes.
   */
  async #reopen(): Promise<void> {
    this.#isReopening = true
    try {
      await this.side.processes.endAll()
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
    const { settings, log, shell } = this.options
    return buildWork({
      stores, because, settings, log, newId,
      env: this.side.env,
      agents: this.side.agents, providers: this.side.providers,
      awake: this.#awake,
      around: this.#around,
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
      void this.side.agents.refreshKind(kind)
    }
    this.push('providers.changed', { profiles: this.side.providers.list() })
    this.push('agents.changed', { agents: this.side.agents.cards })
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
    void this.side.processes.endAll()
    this.#lifecycle.fail(failure)
  }

  /** Whoever wanted the write is told first. */
  readonly #refused = (error: unknown): void => queueMicrotask(() => this.#failClosed(toFailure(error)))

  async #endWork(): Promise<void> {
    try {
      await Promise.all([this.work?.runs.interruptAll(), this.side.installs.end()])
    } finally {
      this.work?.rest()
      await this.side.processes.close()
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
