import type { AttemptRecord } from '../../../shared/attempt.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import type { Push } from '../../../shared/ipc.ts'
import { settled, type RunRecord } from '../../../shared/run.ts'
import type { Composition } from '../../shell.ts'
import { Outline } from './outline.ts'
import type { OutlineLine } from './paint.ts'
import type { RunSoFar } from './outcome.ts'
import { leafOf } from './words.ts'

interface FollowEars {
  lines(lines: readonly OutlineLine[]): void
  /** A gate of this run that waits for an answer, told once. */
  gateOpened(gate: GateRecord): void
  /** A gate of this run that waits no longer. */
  gateClosed(gateId: string): void
  /** The run holds because too few agents are left, and asks nothing: it waits for a person's order. */
  paused(): void
}

/** Follows one run from its pushes alone, as a window does. Begins to listen before the run has an id. */
export class Follow {
  readonly #outline = new Outline()
  readonly #ears: FollowEars
  readonly #settled = Promise.withResolvers<void>()
  readonly #turns = new Map<string, AttemptRecord>()
  readonly #gates = new Map<string, GateRecord>()
  readonly #open = new Set<string>()
  readonly #stop: () => void
  #early: (() => void)[] | null = []
  #runId: string | null = null
  #run: RunRecord | null = null
  #paused = false

  constructor(source: Composition['onPush'], ears: FollowEars) {
    this.#ears = ears
    this.#stop = source((topic, body) => {
      if (topic === 'run.changed') this.#later(() => this.#runChanged(body as Push<'run.changed'>))
      if (topic === 'output.added') this.#later(() => this.#outputAdded(body as Push<'output.added'>))
      if (topic === 'gates.changed') this.#later(() => this.#gatesChanged(body as Push<'gates.changed'>))
    })
  }

  /** Names the run; what was pushed of it before is told now. */
  begin(runId: string): void {
    this.#runId = runId
    const early = this.#early ?? []
    this.#early = null
    for (const tell of early) tell()
  }

  /** Resolves when the run has settled. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** The run as far as it was pushed; `null` before anything was. */
  get soFar(): RunSoFar | null {
    return this.#run && { run: this.#run, turns: [...this.#turns.values()], gates: this.gates }
  }

  /** What this run has asked, as it was pushed last. */
  get gates(): readonly GateRecord[] {
    return [...this.#gates.values()]
  }

  close(): void {
    this.#stop()
  }

  #later(tell: () => void) {
    if (this.#early) this.#early.push(tell)
    else tell()
  }

  #runChanged(body: Push<'run.changed'>) {
    if (body.run.runId !== this.#runId) return
    this.#run = body.run
    for (const turn of body.turns) this.#turns.set(turn.attemptId, turn)
    this.#ears.lines(this.#outline.runChanged(body))
    this.#noticePause(body)
    if (settled(body.run.status)) this.#settled.resolve()
  }

  #noticePause({ actors }: Push<'run.changed'>) {
    const run = actors.find(({ machine }) => machine === 'run')
    if (!run) return
    const paused = leafOf(run.value) === 'paused'
    if (paused && !this.#paused) this.#ears.paused()
    this.#paused = paused
  }

  #outputAdded(body: Push<'output.added'>) {
    if (body.runId === this.#runId) this.#ears.lines(this.#outline.outputAdded(body))
  }

  #gatesChanged({ gates }: Push<'gates.changed'>) {
    for (const gate of gates) if (gate.asker.runId === this.#runId) this.#gateChanged(gate)
  }

  #gateChanged(gate: GateRecord) {
    this.#gates.set(gate.gateId, gate)
    this.#ears.lines(this.#outline.gateChanged(gate))
    const waits = gate.status === 'waiting'
    if (waits && !this.#open.has(gate.gateId)) {
      this.#open.add(gate.gateId)
      this.#ears.gateOpened(gate)
    }
    if (!waits) this.#ears.gateClosed(gate.gateId)
  }
}
