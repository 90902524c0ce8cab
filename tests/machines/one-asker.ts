import { createActor, type Actor } from 'xstate'
import { fenceOf, type Fence } from '../../electron/wiring/fence.ts'
import { attemptEffects } from '../../electron/wiring/attempt.ts'
import { followGate, gateEffects } from '../../electron/wiring/gate.ts'
import { Gates } from '../../electron/supervisors/gates.ts'
import { openRoot } from '../../electron/supervisors/open-root.ts'
import { idOfActor } from '../../electron/supervisors/project.ts'
import { Recorder, type Cut, type RootSnapshot } from '../../electron/supervisors/recorder.ts'
import type { LaunchPorts } from '../../electron/turns/launch.ts'
import type { attemptMachine } from '../../machines/attempt.ts'
import type { GateContext } from '../../machines/gate/memory.ts'
import { awaitsAnswer, type AttemptStatus } from '../../shared/attempt.ts'
import type { GateAsk, GateRecord } from '../../shared/gate.ts'
import { straight } from '../../shared/steps.ts'
import { event, now } from './events.ts'
import { Stage } from './stage.ts'
import { leafOf } from './walk.ts'

const attemptId = 'run:1/1/codex/1'
export const ask: GateAsk = {
  gateId: 'gate:one', kind: 'permission',
  asker: { kind: 'attempt', id: attemptId, runId: 'run:1', conversationId: 'talk:1', seat: 'codex', agent: 'codex' },
  toolKind: 'execute', title: 'run a command', detail: 'make', reason: null, askedAt: now, expiresAt: null,
  options: [
    { optionId: 'yes', effect: 'grant', name: 'allowOnce', takesNote: false, position: null },
    { optionId: 'no', effect: 'deny', name: 'deny', takesNote: false, position: null },
  ],
}

const never = Promise.withResolvers<void>().promise

/** What a disk would hold: the newest snapshot of each root and the row of each gate, all of one cut together. */
export class Disk {
  roots = new Map<string, RootSnapshot>()
  gates = new Map<string, GateRecord>()
  attempt: { status: AttemptStatus; gateId: string | undefined } | null = null
  /** Called before and after each cut. */
  aroundCut = () => {}
  commit = ({ snapshots, moved }: Cut) => {
    this.aroundCut()
    for (const snapshot of snapshots) this.roots.set(snapshot.rootId, snapshot)
    for (const { machine, actor, snapshot } of moved) {
      if (machine === 'gate') this.gates.set(actor, { ...snapshot.context as GateContext, status: snapshot.value })
      if (machine !== 'attempt') continue
      this.attempt = { status: leafOf(snapshot.value) as AttemptStatus, gateId: snapshot.context.gate?.gateId }
    }
    this.aroundCut()
  }
  gate(gateId: string): GateRecord | null {
    return this.gates.get(gateId) ?? null
  }
  /** What a crash would leave at this moment. */
  copy(): Disk {
    const { roots, gates, attempt } = this
    return Object.assign(new Disk(), { roots: new Map(roots), gates: new Map(gates), attempt })
  }
}

interface Surroundings {
  sync?: () => Promise<void>
  /** With these, the attempt's process is begun by the real launch; else the stage plays it. */
  launches?: (start: Start) => LaunchPorts
}

/** One start of the application, with one attempt and its gates as live roots over a disk. */
export class Start {
  readonly stage: Stage
  readonly recorder: Recorder
  readonly gates: Gates
  attempt: Actor<typeof attemptMachine> | null = null
  /** Lets a test hold a decision back on its way to the asker. */
  holdDelivery = false
  readonly disk: Disk

  constructor(boot: string, disk: Disk, { sync = async () => undefined, launches }: Surroundings = {}) {
    this.disk = disk
    this.stage = new Stage(boot)
    this.stage.now = now
    this.recorder = new Recorder({
      sync,
      commit: disk.commit, show: () => undefined, failed: () => undefined, idOf: idOfActor, lastSeq: () => 0,
      now: () => now,
    })
    const askerWaits = (_asker: unknown, gateId: string) =>
      disk.attempt?.gateId === gateId && awaitsAnswer(disk.attempt.status)
    const wiring = {
      fence: fenceOf(boot, () => now),
      gates: () => this.gates,
      durable: () => (this.holdDelivery ? never : this.recorder.durable()),
      askerWaits,
    }
    this.gates = new Gates({
      recorder: this.recorder,
      machine: this.stage.gate().provide({ actors: gateEffects(wiring) }),
      around: straight,
      stored: (gateId) => disk.gate(gateId),
      askerWaits,
      now: () => now,
    })
    const agent = launches ? this.#realAgent(wiring.fence, launches(this)) : {}
    const actors = { followGate: followGate(wiring), ...agent }
    this.machine = this.stage.attempt({ alone: true }).provide({ actors })
  }
  readonly machine: typeof attemptMachine

  #realAgent(fence: Fence, launches: LaunchPorts) {
    const nowhere = { stores: null as never, slots: null as never, directoryOf: () => '' }
    const { runAgent } = attemptEffects({ fence, launches, ...nowhere })
    return { runAgent }
  }

  /** An attempt that has the floor. */
  begin(mayContinue = true) {
    const watched = this.recorder.watch(attemptId, 'attempt', 1)
    this.attempt = createActor(this.machine, {
      inspect: watched.inspect,
      input: {
        attemptId, runId: 'run:1', conversationId: 'talk:1', round: 1, seat: 'codex', agent: 'codex', allowWrite: false,
        mayContinue, maxTries: 3, launchesLeft: 5, capMs: 60_000, silenceMs: 60_000, at: now,
      },
    })
    watched.attach(this.attempt, false)
    this.attempt.start()
    this.say('lease.granted')
  }

  /** An attempt that waits at its gate. */
  async wait(mayContinue = true) {
    this.begin(mayContinue)
    this.say('agent.started', { pid: 7, startedAt: now })
    this.gates.open(ask)
    this.say('agent.asked', { gateId: ask.gateId })
    await this.calm()
  }

  /** What the disk holds, brought back: the gates first, then who asked, then all go on. */
  async restore() {
    await this.restoreAll()
    await this.calm()
  }

  async restoreAll() {
    for (const root of this.disk.roots.values()) {
      if (!root.live) continue
      if (root.machine === 'gate') this.gates.restore(root)
      else this.attempt = openRoot(this.machine, root, 1, this.recorder)
    }
    this.attempt?.start()
    await this.recorder.written()
    this.gates.goOn()
  }

  say(type: string, more: Record<string, unknown> = {}) {
    this.attempt?.send(event(type, more) as never)
  }

  /** Waits until everything that was set off is on the disk. */
  async calm() {
    for (let turn = 0; turn < 5; turn += 1) {
      await this.recorder.durable()
      await Promise.resolve()
    }
  }

  get now() {
    return { attempt: leafOf(this.attempt?.getSnapshot().value), gate: this.disk.gate(ask.gateId)?.status }
  }
}

