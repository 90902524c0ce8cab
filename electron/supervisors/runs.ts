import { createActor, waitFor, type Actor } from 'xstate'
import type { RunInput } from '../../machines/blanks.ts'
import type { runMachine } from '../../machines/run.ts'
import { machineVersions } from '../../machines/versions.ts'
import { AppError } from '../../shared/errors.ts'
import { preflightMs } from '../../shared/limits.ts'
import type { RunRecord } from '../../shared/run.ts'
import { openRoot } from './open-root.ts'
import { mustPassOn, type RunOrder } from './orders.ts'
import type { Recorder, RootSnapshot } from './recorder.ts'
import { restsWhole } from './resting.ts'

interface RunsPorts {
  recorder: Recorder
  /** The run machine with all blanks filled, those of its rounds and attempts too. */
  machine: typeof runMachine
  stored: (runId: string) => RunRecord | null
  /** Told once a run has settled and that is on disk. */
  settled: (conversationId: string) => void
  /** Told when a live run broke in a way that its chart does not know. */
  broke: (runId: string, error: unknown) => void
  now: () => number
}

type RunActor = Actor<typeof runMachine>

/** Keeps every live run as a root, and passes the person's orders to exactly the run they name. */
export class Runs {
  readonly #ports: RunsPorts
  readonly #live = new Map<string, RunActor>()

  constructor(ports: RunsPorts) {
    this.#ports = ports
  }

  /** Starts a run; resolves once its task is on disk. Throws what the preflight refuses: then nothing was recorded. */
  async start(input: RunInput): Promise<void> {
    const watched = this.#ports.recorder.watch(input.runId, 'run', machineVersions.run)
    const actor = createActor(this.#ports.machine, { input, id: 'run', inspect: watched.inspect })
    watched.attach(actor, false)
    this.#keep(input.runId, input.conversationId, actor)
    actor.start()
    await waitFor(actor, (snapshot) => snapshot.status !== 'active' || !snapshot.hasTag('unrecorded'), {
      timeout: 2 * preflightMs,
    })
    const snapshot = actor.getSnapshot()
    const { refusal } = snapshot.context
    if (refusal) throw new AppError(refusal.code, refusal.message, { params: refusal.params })
    if (snapshot.hasTag('unrecorded')) throw new AppError('app.shutting-down', 'Parley closed before this had begun.')
    await this.#ports.recorder.durable()
  }

  /** Brings a run back as it was stored; it waits for `goOn`. Throws `snapshot.unreadable`. */
  restore(stored: RootSnapshot): void {
    const actor = openRoot(this.#ports.machine, stored, machineVersions.run, this.#ports.recorder)
    this.#keep(stored.rootId, actor.getSnapshot().context.conversationId, actor)
  }

  goOn(): void {
    for (const actor of this.#live.values()) actor.start()
  }

  isLive(runId: string): boolean {
    return this.#live.has(runId)
  }

  get liveIds(): readonly string[] {
    return [...this.#live.keys()]
  }

  /** Whether the run only waits for a person, so that closing the application costs it nothing. */
  isResting(runId: string): boolean {
    const actor = this.#live.get(runId)
    return actor !== undefined && restsWhole(actor)
  }

  /**
   * Sends an order to a live run; resolves once its effect on the chart is on disk. Throws `run.unknown`,
   * `run.settled`, and `run.cannot` or `attempt.cannot` where it would change nothing.
   */
  async order(runId: string, order: RunOrder): Promise<void> {
    const actor = this.#live.get(runId)
    if (!actor) throw this.#absent(runId)
    const stamped = { ...order, at: this.#ports.now() }
    if (mustPassOn(actor.getSnapshot(), stamped)) actor.send(stamped as never)
    await this.#ports.recorder.durable()
  }

  /** Tells every run that the computer slept. */
  wake(sleptMs: number, at: number): void {
    for (const actor of this.#live.values()) actor.send({ type: 'computer.woke', sleptMs, at } as never)
  }

  /** Interrupts every run that is not at rest; resolves when all of them have settled. */
  async interruptAll(): Promise<void> {
    const busy = [...this.#live.values()].filter((actor) => !restsWhole(actor))
    for (const actor of busy) actor.send({ type: 'run.interrupt', at: this.#ports.now() } as never)
    await Promise.all(
      busy.map((actor) => waitFor(actor, (snapshot) => snapshot.status !== 'active' || restsWhole(actor))),
    )
    await this.#ports.recorder.durable()
  }

  /** Lets what is left rest as it is stored, for the end of the application. */
  rest(): void {
    for (const actor of this.#live.values()) actor.stop()
    this.#live.clear()
  }

  #keep(runId: string, conversationId: string, actor: RunActor): void {
    this.#live.set(runId, actor)
    actor.subscribe({
      complete: () => void this.#settle(runId, conversationId),
      error: (error) => {
        this.#live.delete(runId)
        // its round outlives it, and must not go on without an owner
        actor.getSnapshot().children.round?.send({ type: 'round.stop', reason: 'shutdown', at: this.#ports.now() })
        this.#ports.broke(runId, error)
      },
    })
  }

  async #settle(runId: string, conversationId: string): Promise<void> {
    const unrecorded = this.#live.get(runId)?.getSnapshot().context.refusal
    await this.#ports.recorder.durable().catch(() => undefined)
    this.#live.delete(runId)
    if (!unrecorded) this.#ports.settled(conversationId)
  }

  #absent(runId: string): AppError {
    return this.#ports.stored(runId)
      ? new AppError('run.settled', 'This run has ended already.')
      : new AppError('run.unknown', 'This run is not known here.')
  }
}
