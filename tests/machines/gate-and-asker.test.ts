import { createActor, type Actor } from 'xstate'
import { expect, test } from 'vitest'
import { fenceOf } from '../../electron/wiring/fence.ts'
import { followGate, gateEffects } from '../../electron/wiring/gate.ts'
import { Gates } from '../../electron/supervisors/gates.ts'
import { openRoot } from '../../electron/supervisors/open-root.ts'
import { idOfActor } from '../../electron/supervisors/project.ts'
import { Recorder, type Cut, type RootSnapshot } from '../../electron/supervisors/recorder.ts'
import type { attemptMachine } from '../../machines/attempt.ts'
import type { GateContext } from '../../machines/gate/memory.ts'
import type { GateAsk, GateRecord } from '../../shared/gate.ts'
import { straight } from '../../shared/steps.ts'
import { event, now } from './events.ts'
import { Stage } from './stage.ts'
import { leafOf } from './walk.ts'

const attemptId = 'run:1/1/codex/1'
const ask: GateAsk = {
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
class Disk {
  readonly roots = new Map<string, RootSnapshot>()
  readonly #gates = new Map<string, GateRecord>()
  commit = ({ snapshots, moved }: Cut) => {
    for (const snapshot of snapshots) this.roots.set(snapshot.rootId, snapshot)
    for (const { machine, actor, snapshot } of moved) {
      if (machine === 'gate') this.#gates.set(actor, { ...snapshot.context as GateContext, status: snapshot.value })
    }
  }
  gate(gateId: string): GateRecord | null {
    return this.#gates.get(gateId) ?? null
  }
}

/** One start of the application, with one attempt and its gates as live roots over a disk. */
class Start {
  readonly stage: Stage
  readonly recorder: Recorder
  readonly gates: Gates
  attempt: Actor<typeof attemptMachine> | null = null
  /** Lets a test hold a decision back on its way to the asker. */
  holdDelivery = false
  readonly disk: Disk

  constructor(boot: string, disk: Disk) {
    this.disk = disk
    this.stage = new Stage(boot)
    this.stage.now = now
    this.recorder = new Recorder({
      sync: async () => undefined,
      commit: disk.commit, show: () => undefined, failed: () => undefined, idOf: idOfActor, lastSeq: () => 0,
      now: () => now,
    })
    const askerLives = () => this.attempt?.getSnapshot().status === 'active'
    const wiring = {
      fence: fenceOf(boot, () => now),
      gates: () => this.gates,
      durable: () => (this.holdDelivery ? never : this.recorder.durable()),
      askerLives,
    }
    this.gates = new Gates({
      recorder: this.recorder,
      machine: this.stage.gate().provide({ actors: gateEffects(wiring) }),
      stored: (gateId) => disk.gate(gateId),
      askerLives,
      around: straight,
      now: () => now,
    })
    this.machine = this.stage.attempt({ alone: true }).provide({ actors: { followGate: followGate(wiring) } })
  }
  readonly machine: typeof attemptMachine

  /** An attempt that waits at its gate. */
  async wait(mayContinue = true) {
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
    this.say('agent.started', { pid: 7, startedAt: now })
    this.gates.open(ask)
    this.say('agent.asked', { gateId: ask.gateId })
    await this.calm()
  }

  /** What the disk holds, brought back: the gates first, then who asked, then all go on. */
  async restore() {
    for (const root of this.disk.roots.values()) {
      if (!root.live) continue
      if (root.machine === 'gate') this.gates.restore(root)
      else this.attempt = openRoot(this.machine, root, 1, this.recorder)
    }
    this.attempt?.start()
    this.gates.goOn()
    await this.calm()
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

test('an answer reaches the agent that asked', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  await start.gates.answer(ask.gateId, 'yes', null)
  await start.calm()
  expect(start.now).toEqual({ attempt: 'resuming', gate: 'applied' })
  start.say('lease.granted')
  expect(start.stage.one('runAgent')?.orders).toMatchObject([{ type: 'gate.deliver', decision: { effect: 'grant' } }])
})

test('a gate that waits at a crash is still there, and its answer lets the parked turn go on once', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait()
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'parked', gate: 'waiting' })
  expect(second.stage.begun.filter((actor) => actor === 'runAgent')).toEqual([])
  await second.gates.answer(ask.gateId, 'yes', null)
  await second.calm()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
  second.say('lease.granted')
  expect(second.stage.one('runAgent')?.input)
    .toMatchObject({ try: 2, continues: { gateId: ask.gateId, decision: { effect: 'grant' } } })
})

test('an answer that a crash caught before its delivery is delivered by the next start', async () => {
  const disk = new Disk()
  const first = new Start('first', disk)
  await first.wait()
  first.holdDelivery = true
  await first.gates.answer(ask.gateId, 'yes', null)
  await first.calm()
  expect(first.now).toEqual({ attempt: 'awaitingGate', gate: 'applying' })
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
})

test('an answer that was taken before the crash lets the turn go on, though the agent never heard it', async () => {
  const disk = new Disk()
  const first = new Start('first', disk)
  await first.wait()
  await first.gates.answer(ask.gateId, 'yes', null)
  await first.calm()
  expect(first.now).toEqual({ attempt: 'resuming', gate: 'applied' })
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
})

test('a turn that went on and was caught by a second crash is interrupted, not asked again', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait()
  const second = new Start('second', disk)
  await second.restore()
  await second.gates.answer(ask.gateId, 'yes', null)
  await second.calm()
  const third = new Start('third', disk)
  await third.restore()
  expect(third.now).toEqual({ attempt: 'interrupted', gate: 'applied' })
})

test('a gate whose asker cannot be continued after a crash expires with that reason', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait(false)
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'interrupted', gate: 'expired' })
  expect(disk.gate(ask.gateId)?.endReason).toBe('askerLost')
})

test('a gate whose agent dies expires at once, and refuses a late answer', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  start.say('agent.gone', { began: true })
  await start.calm()
  expect(start.now).toEqual({ attempt: 'settling', gate: 'expired' })
  await expect(start.gates.answer(ask.gateId, 'yes', null)).rejects.toMatchObject({ code: 'gate.closed' })
})

test('a gate whose asker is stopped by a person is withdrawn', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  start.say('attempt.stop', { reason: 'person' })
  await start.calm()
  expect(start.now).toEqual({ attempt: 'ending', gate: 'withdrawn' })
})

test('a second, different answer is refused and the first one stands', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  await start.gates.answer(ask.gateId, 'no', null)
  await expect(start.gates.answer(ask.gateId, 'yes', null)).rejects.toMatchObject({ code: 'gate.already-answered' })
  await expect(start.gates.answer(ask.gateId, 'no', null)).resolves.toMatchObject({ decision: { effect: 'deny' } })
})
