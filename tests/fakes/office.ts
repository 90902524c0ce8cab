import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentAdapter } from '../../adapters/ports.ts'
import type { Processes } from '../../adapters/process.ts'
import { compose } from '../../electron/compose.ts'
import type { ComposeOptions, Composition } from '../../electron/shell.ts'
import type { Stores } from '../../electron/stores/stores.ts'
import type { AgentId } from '../../shared/agent.ts'
import type { AttemptStatus } from '../../shared/attempt.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { Input, Push, PushName } from '../../shared/ipc.ts'
import { settled, type RunStatus } from '../../shared/run.ts'
import { defaultSettings, type Settings } from '../../shared/settings.ts'
import type { TurnView } from '../../shared/view.ts'
import { quietShell } from './quiet-shell.ts'

export const testSettings: Settings = { ...defaultSettings, welcomed: true }

export const threeAgents: AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']

/** The agents of an office, or how they are made of its own processes. */
type Agents = readonly AgentAdapter[] | ((processes: Processes) => AgentAdapter[])

/** The whole composition over a folder of its own, with agents of the test's. */
export class TestOffice {
  readonly folder: string
  readonly pushes: { topic: PushName; body: unknown }[] = []
  readonly #adapters: Agents
  readonly #surroundings: Partial<ComposeOptions>
  #composition: Composition
  #waiting = new Set<() => void>()
  settings = testSettings

  constructor(
    adapters: Agents,
    folder = mkdtempSync(join(tmpdir(), 'parley-office-')),
    surroundings: Partial<ComposeOptions> = {},
  ) {
    this.#adapters = adapters
    this.#surroundings = surroundings
    this.folder = folder
    this.#composition = this.#compose()
  }

  get handlers() {
    return this.#composition.handlers
  }

  get composition() {
    return this.#composition
  }

  /** The stores behind the composition, to look into them and to let them fail. */
  get stores(): Stores {
    const { stores } = this.#composition as Composition & { stores?: Stores | null }
    if (!stores) throw new Error('the office is not open')
    return stores
  }

  start() {
    return this.#composition.start()
  }

  quit() {
    return this.#composition.quit('forced')
  }

  /** Opens the folder anew, as a next start would. The office before must have been quit or forgotten. */
  async next(adapters: Agents = this.#adapters): Promise<TestOffice> {
    const office = new TestOffice(adapters, this.folder)
    await office.start()
    return office
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async group(more: Partial<Input<'conversation.create'>> = {}): Promise<string> {
    const { conversationId } = await this.handlers['conversation.create']({
      kind: 'group', name: null, members: threeAgents, workdir: this.folder, allowWrite: false, settings: null, ...more,
    })
    return conversationId
  }

  async chat(agent: AgentId = 'rehearsal:bold', more: Partial<Input<'conversation.create'>> = {}): Promise<string> {
    return this.group({ kind: 'direct', members: [agent], ...more })
  }

  async send(conversationId: string, text: string, more: Partial<Input<'message.send'>> = {}): Promise<string> {
    const { runId } = await this.handlers['message.send']({
      conversationId, text, targets: null, settings: null, unlimitedConfirmed: false, ...more,
    })
    if (runId === null) throw new Error('the message was queued')
    return runId
  }

  /** Resolves once `look` gives something, looking again after every push; rejects after `atMostMs`. */
  async until<Found>(look: () => Promise<Found | null | undefined | false>, atMostMs = 10_000): Promise<Found> {
    const deadline = AbortSignal.timeout(atMostMs)
    for (;;) {
      const seen = this.pushes.length
      const found = await look()
      if (found) return found
      if (this.pushes.length > seen) continue
      if (deadline.aborted) throw new Error('what the test waits for did not happen')
      await this.#nextPush(deadline)
    }
  }

  /** Resolves once everything that is stored has been shown. */
  shown(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve)
    })
  }

  /** The newest turn of an agent once it has one of these statuses. */
  turn(runId: string, agent: AgentId, ...statuses: AttemptStatus[]): Promise<TurnView> {
    return this.until(async () => {
      const { turns } = await this.handlers['run.open']({ runId })
      const newest = turns.findLast((turn) => turn.agent === agent)
      return newest && statuses.includes(newest.status) && newest
    })
  }

  /** The first gate that waits. */
  gate(): Promise<GateRecord> {
    return this.until(async () => (await this.handlers['gate.list']({})).gates[0])
  }

  async runEnds(runId: string): Promise<RunStatus> {
    return this.until(async () => {
      const { run } = await this.handlers['run.open']({ runId })
      return settled(run.status) && run.status
    })
  }

  #nextPush(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      deadline.addEventListener('abort', wake, { once: true })
    })
  }

  #compose(): Composition {
    const composition = compose({
      dataFolder: this.folder,
      shell: quietShell,
      env: process.env,
      settings: {
        read: () => this.settings,
        save: (patch) => {
          this.settings = { ...this.settings, ...withoutGaps(patch) }
          return this.settings
        },
      },
      version: '0.0.0',
      log: silentLog,
      adapters: (processes) => (typeof this.#adapters === 'function' ? this.#adapters(processes) : [...this.#adapters]),
      ...this.#surroundings,
    })
    composition.onPush((topic, body) => this.#hear(topic, body))
    return composition
  }

  #hear<N extends PushName>(topic: N, body: Push<N>) {
    this.pushes.push({ topic, body })
    for (const wake of this.#waiting) wake()
  }
}

/** A patch as JSON would carry it. */
const withoutGaps = (patch: object): Partial<Settings> => JSON.parse(JSON.stringify(patch))

const silentLog = {
  info: () => undefined, warn: () => undefined, error: () => undefined,
  for: () => silentLog,
  close: async () => undefined,
}
