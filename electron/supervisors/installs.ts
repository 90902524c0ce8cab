import { homedir } from 'node:os'
import { sep } from 'node:path'
import { createActor, waitFor, type Actor } from 'xstate'
import { Installer } from '../../adapters/installer.ts'
import { tellsOfPackage } from '../../adapters/installer/npm-output.ts'
import type { Processes } from '../../adapters/process.ts'
import type { installMachine } from '../../machines/install.ts'
import { agentIds, type AgentId } from '../../shared/agent.ts'
import { AppError } from '../../shared/errors.ts'
import {
  InstallState, isInstallOver, type BegunInstall, type InstallOffer, type InstallView,
} from '../../shared/install.ts'
import { partsOf, type InstallPart } from '../../shared/install-parts.ts'
import { isVersionOf, recipeOf, type InstallRecipe } from '../../shared/install-recipes.ts'
import { installLogLinesMax, installPushMs } from '../../shared/limits.ts'
import type { QuitSurvey } from '../../shared/quit.ts'
import type { Fence } from '../wiring/fence.ts'
import { wiredInstall, type InstallSteps } from '../wiring/install.ts'
import type { Agents } from './agents.ts'
import type { AwakeClock } from './awake-clock.ts'

interface InstallsOptions {
  fence: Fence
  awake: AwakeClock
  agents: Agents
  processes: Processes
  env: Readonly<Record<string, string | undefined>>
  /** Parley's own folder of agents; detection looks there too. */
  folder: string
  changed: (install: InstallView) => void
  /** What was begun is kept here until it has ended: what is there at a start was cut off. */
  begun: { read(): BegunInstall | null; keep(begun: BegunInstall | null): void }
  newId: (prefix: string) => string
  now: () => number
  /** The recipes of this version unless said. */
  recipeOf?: (agent: AgentId) => InstallRecipe | null
  partsOf?: (agent: AgentId, system: string) => readonly InstallPart[]
  system?: string
}

/** Looks after the one installation that may go on, and what is shown of it. */
export class Installs {
  readonly #options: InstallsOptions
  readonly #actor: Actor<typeof installMachine>
  readonly #installer: Installer
  #log: string[] = []
  #fetched = 0
  #push: NodeJS.Timeout | null = null
  #ended = false

  constructor(options: InstallsOptions) {
    this.#options = options
    const { processes, env, folder } = options
    this.#installer = new Installer({ processes, env, folder, heard: (line) => this.#hear(line) })
    const machine = wiredInstall(options.fence, options.awake, this.#steps())
    this.#actor = createActor(machine, { input: { at: options.now() } })
    this.#actor.subscribe(() => this.#moved())
    this.#actor.start()
  }

  /** The installation that goes on or went on last; `null` before the first. */
  get view(): InstallView | null {
    const { context, value } = this.#actor.getSnapshot()
    const { task, failure, startedAt, endedAt } = context
    const recipe = task && this.#recipeOf(task.agent)
    if (!recipe) return null
    const state = InstallState.parse(typeof value === 'string' ? value : Object.values(value)[0])
    const { package: name, version } = recipe
    const { taskId, agent } = task
    const [log, fetched] = [[...this.#log], this.#fetched]
    return { agent, taskId, state, package: name, version, fetched, log, failure, startedAt, endedAt }
  }

  /** What quitting now would cut off. */
  get goingOn(): QuitSurvey['install'] {
    const { view } = this
    return view && !isInstallOver(view.state) && view.state !== 'clearing'
      ? { agent: view.agent, package: view.package, version: view.version }
      : null
  }

  /** What can be installed here: agents with a recipe for this system that this version can also speak with. */
  get offers(): InstallOffer[] {
    return agentIds.flatMap((agent) => {
      const recipe = this.#recipeOf(agent)
      if (!recipe || !this.#suits(recipe) || !this.#options.agents.knows(agent)) return []
      const { package: name, version, scripts } = recipe
      return [{ agent, package: name, version, scripts, folder: shortened(this.#options.folder) }]
    })
  }

  /** Begins and gives the id of it. Throws `install.unknown-agent` or `install.busy`; the rest is in the view. */
  start(agent: AgentId): string {
    if (this.#ended) throw new AppError('app.shutting-down', 'Parley is closing and takes nothing new.')
    if (!this.#recipeOf(agent) || !this.#options.agents.knows(agent)) {
      throw new AppError('install.unknown-agent', 'There is no recipe for this agent.')
    }
    if (!this.#rests()) throw new AppError('install.busy', 'Another installation is going on.')
    const taskId = this.#options.newId('install')
    this.#log = []
    this.#fetched = 0
    const at = this.#options.now()
    this.#options.begun.keep({ taskId, agent, startedAt: at })
    this.#actor.send({ type: 'install.start', taskId, agent, at })
    return taskId
  }

  /** Says so where an earlier start did not finish one. */
  recall(): void {
    const left = this.#options.begun.read()
    if (left) this.#actor.send({ type: 'install.left', ...left, at: this.#options.now() })
  }

  /**
   * Cancels and waits until nothing of it is left; one that was interrupted is let be.
   * Throws `install.unknown-task` for one that does not go on.
   */
  async cancel(taskId: string): Promise<void> {
    const isOver = this.#rests() && this.view?.state !== 'interrupted'
    if (isOver || this.#actor.getSnapshot().context.task?.taskId !== taskId) {
      throw new AppError('install.unknown-task', 'This installation does not go on any more.')
    }
    this.#actor.send({ type: 'install.cancel', taskId, at: this.#options.now() })
    await this.settled()
  }

  /** Resolves once no installation goes on. */
  async settled(): Promise<void> {
    await waitFor(this.#actor, (snapshot) => snapshot.hasTag('resting'))
  }

  /** Parley closes: what goes on is cancelled, and nothing begins any more. */
  async end(): Promise<void> {
    this.#ended = true
    const taskId = this.#actor.getSnapshot().context.task?.taskId
    if (!this.#rests() && taskId !== undefined) await this.cancel(taskId)
  }

  #steps(): InstallSteps {
    const { agents } = this.#options
    const recipe = (agent: AgentId) => this.#requireRecipe(agent)
    return {
      check: async ({ agent }, signal) => {
        this.#installer.begin()
        if (!this.#suits(recipe(agent))) {
          throw new AppError('install.unsupported-system', 'There is no package for this system.')
        }
        const card = await agents.refresh(agent)
        // a file of that name that says no version is not in the way: ours is found as well
        if (card.version !== null || !['notInstalled', 'incompatible'].includes(card.readiness)) {
          const version = (card.version ?? '').slice(0, 100)
          throw new AppError('install.already-installed', 'It is installed already.', { params: { version } })
        }
        await this.#installer.prepare(recipe(agent), signal)
      },
      verify: ({ agent }, signal) => this.#installer.verify(recipe(agent), this.#partsOf(agent), signal),
      fetch: ({ agent }, signal) => this.#installer.fetch(recipe(agent), signal),
      install: ({ agent }, signal) => this.#installer.install(recipe(agent), signal),
      confirm: async ({ agent }) => {
        const { version, readiness } = await agents.refresh(agent)
        if (readiness !== 'incompatible' && isVersionOf(recipe(agent), version)) return
        throw new AppError('install.unconfirmed', 'The expected version did not answer.')
      },
      clear: async ({ agent }) => {
        // what a look found of it is gone again
        if (await this.#installer.clear()) await agents.refresh(agent)
      },
    }
  }

  #hear(line: string): void {
    if (tellsOfPackage(line)) this.#fetched += 1
    this.#log = [...this.#log, line].slice(-installLogLinesMax)
    this.#push ??= setTimeout(() => this.#show(), installPushMs)
  }

  #moved(): void {
    this.#show()
    const state = this.view?.state
    // what the end of Parley cancels is told at the next start
    if (state && isInstallOver(state) && state !== 'interrupted' && !this.#ended) this.#options.begun.keep(null)
    if (state === 'installed') void this.#options.agents.scan()
  }

  #show(): void {
    if (this.#push) clearTimeout(this.#push)
    this.#push = null
    if (this.view) this.#options.changed(this.view)
  }

  #rests(): boolean {
    return this.#actor.getSnapshot().hasTag('resting')
  }

  #recipeOf(agent: AgentId): InstallRecipe | null {
    return (this.#options.recipeOf ?? recipeOf)(agent)
  }

  #requireRecipe(agent: AgentId): InstallRecipe {
    const recipe = this.#recipeOf(agent)
    if (!recipe) throw new AppError('install.unknown-agent', 'There is no recipe for this agent.')
    return recipe
  }

  #partsOf(agent: AgentId): readonly InstallPart[] {
    return (this.#options.partsOf ?? partsOf)(agent, this.#system)
  }

  #suits({ systems }: InstallRecipe): boolean {
    return systems.some((system) => system === this.#system)
  }

  get #system(): string {
    return this.#options.system ?? `${process.platform}-${process.arch}`
  }
}

const shortened = (folder: string): string => {
  const home = homedir()
  return folder.startsWith(`${home}${sep}`) ? `~${folder.slice(home.length)}` : folder
}
