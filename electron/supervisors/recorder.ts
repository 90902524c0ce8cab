import type { AnyActorRef, AnyMachineSnapshot, InspectionEvent } from 'xstate'
import { AppError, toFailure, type Failure } from '../../shared/errors.ts'
import { MachineName, type LedgerEvent, type StateValue } from '../../shared/ledger.ts'
import { cutGroupMs } from '../../shared/limits.ts'
import { causeOf, nameOf } from './cause.ts'

/** A root's state as it is stored: what a restart reads. */
export interface RootSnapshot {
  rootId: string
  machine: MachineName
  version: number
  /** JSON text. */
  snapshot: string
  live: boolean
}

/** A machine actor that moved, with where it is now. */
export interface Moved {
  machine: MachineName
  actor: string
  snapshot: AnyMachineSnapshot
}

/** Everything that one cascade changed, or several that nobody waited for: written as one cut. */
export interface Cut {
  events: LedgerEvent[]
  snapshots: RootSnapshot[]
  moved: Moved[]
}

interface RecorderPorts {
  /** Writes one cut in one transaction, or throws. It outlives the process at once. */
  commit: (cut: Cut) => void
  /** Resolves once what was written before is on the disk, and outlives a power cut as well. */
  sync: () => Promise<void>
  /** Called after a cut is written. */
  show: (cut: Cut) => void
  /** Called once a cut could not be written. */
  failed: (failure: Failure) => void
  /** The id by which the ledger knows a machine actor. */
  idOf: (snapshot: AnyMachineSnapshot) => string
  lastSeq: (rootId: string) => number
  now: () => number
}

interface Root {
  rootId: string
  machine: MachineName
  version: number
  actor: AnyActorRef | null
  seq: number
  /** Whether it has ever been somewhere that is worth a record. */
  recorded: boolean
  events: LedgerEvent[]
  moved: Map<string, Moved>
}

/** What a machine went through within one event; the number of the row that tells it. */
interface Steps {
  seq: number
  values: StateValue[]
}

interface Transition {
  event: { type: string }
  snapshot: AnyMachineSnapshot
  before: AnyMachineSnapshot | null
  seq: number
  via: StateValue[]
}

/**
 * Records every transition of every root before anybody is shown it, and never a part of a cascade. A cut is written
 * as soon as somebody waits for it, an effect or an answer to the window; what nobody waits for is written together
 * within `cutGroupMs`.
 */
export class Recorder {
  readonly #ports: RecorderPorts
  readonly #dirty = new Set<Root>()
  readonly #known = new WeakMap<AnyActorRef, AnyMachineSnapshot>()
  readonly #steps = new WeakMap<AnyActorRef, Steps>()
  #flush: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #isResting = false
  /** Why nothing can be written any more. */
  #broken: Failure | null = null

  constructor(ports: RecorderPorts) {
    this.#ports = ports
  }

  /**
   * Begins to record one root. Give `inspect` to `createActor`, then the actor to `attach` before it starts. `lastSeq`
   * is the number of the newest transition that has begun.
   */
  watch(rootId: string, machine: MachineName, version: number) {
    const root: Root = {
      rootId,
      machine,
      version,
      actor: null,
      seq: this.#ports.lastSeq(rootId),
      recorded: false,
      events: [],
      moved: new Map(),
    }
    return {
      inspect: (inspected: InspectionEvent) => this.#inspect(root, inspected),
      attach: (actor: AnyActorRef, restored: boolean) => {
        root.actor = actor
        root.recorded = restored
        if (restored) this.#remember(actor)
      },
      lastSeq: () => root.seq,
    }
  }

  /** Resolves once everything that has happened so far is on disk; rejects when it could not be written. */
  async durable(): Promise<void> {
    await this.#soon()
    try {
      await this.#ports.sync()
    } catch (error) {
      throw this.#breakOff(error)
    }
  }

  /** As `durable`, without waiting for the disk: enough for what a power cut undoes together with its record. */
  written(): Promise<void> {
    return this.#soon()
  }

  /** Writes what is left and then nothing more: actors that are stopped to be left as stored have not settled. */
  rest(): void {
    try {
      this.#write()
    } catch {
      // `failed` has been told, and there is nobody else to tell
    }
    this.#isResting = true
  }

  #soon(): Promise<void> {
    this.#flush ??= Promise.resolve().then(() => {
      this.#flush = null
      this.#write()
    })
    return this.#flush
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      // A failure is told by `failed`; who needs to wait for the write calls `durable` itself.
      this.#soon().catch(() => undefined)
    }, cutGroupMs)
  }

  /** What a restart brought back is where it was: only what moves from now on is news. */
  #remember(actor: AnyActorRef): void {
    const snapshot: unknown = actor.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    this.#known.set(actor, snapshot)
    for (const child of Object.values(snapshot.children)) if (isActorRef(child)) this.#remember(child)
  }

  #inspect(root: Root, inspected: InspectionEvent): void {
    if (inspected.type !== '@xstate.microstep' && inspected.type !== '@xstate.snapshot') return
    const { actorRef, event, snapshot } = inspected
    // a root that is laid to rest at the end of the application is where it was, not stopped
    if (event.type === 'xstate.stop' || !isMachineSnapshot(snapshot) || !isActorRef(actorRef)) return
    if (inspected.type === '@xstate.microstep') return this.#noteStep(root, actorRef, snapshot)
    const before = this.#known.get(actorRef) ?? null
    const steps = this.#steps.get(actorRef)
    this.#steps.delete(actorRef)
    if (before === snapshot) return
    this.#known.set(actorRef, snapshot)
    this.#note(root, {
      event,
      snapshot,
      before,
      seq: steps?.seq ?? nextSeq(root),
      via: steps?.values.slice(0, -1) ?? [],
    })
  }

  /** A transition takes its number at its first step, so that it stands before what it causes in its children. */
  #noteStep(root: Root, actorRef: AnyActorRef, snapshot: AnyMachineSnapshot): void {
    // a word passed on to a child changes nothing here, and is told where it arrives
    if (this.#known.get(actorRef) === snapshot) return
    const steps = this.#steps.get(actorRef) ?? { seq: nextSeq(root), values: [] }
    steps.values.push(snapshot.value)
    this.#steps.set(actorRef, steps)
  }

  #note(root: Root, { event, snapshot, before, seq, via }: Transition): void {
    const machine = MachineName.parse(snapshot.machine.id)
    const actor = this.#ports.idOf(snapshot)
    root.moved.set(actor, { machine, actor, snapshot })
    root.events.push({
      rootId: root.rootId,
      seq,
      at: atOf(event) ?? this.#ports.now(),
      machine,
      actor,
      type: nameOf(machine, event),
      cause: causeOf(event, via),
      value: snapshot.value,
      from: before?.value ?? null,
    })
    this.#dirty.add(root)
    this.#later()
  }

  #write(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#isResting) return
    if (this.#broken) throw new AppError(this.#broken.code, this.#broken.message)
    for (const root of this.#dirty) if (leavesNoTrace(root)) this.#dirty.delete(root)
    const roots = [...this.#dirty].filter(mayBeRecorded)
    if (roots.length === 0) return
    const cut: Cut = {
      events: roots.flatMap((root) => root.events.toSorted((one, other) => one.seq - other.seq)),
      snapshots: roots.map(snapshotOf),
      moved: roots.flatMap((root) => [...root.moved.values()]),
    }
    try {
      this.#ports.commit(cut)
    } catch (error) {
      throw this.#breakOff(error)
    }
    for (const root of roots) {
      this.#dirty.delete(root)
      root.events = []
      root.moved = new Map()
    }
    this.#ports.show(cut)
  }

  /** Says once that nothing can be written any more: what comes after a gap would be no history. */
  #breakOff(error: unknown): unknown {
    if (!this.#broken) {
      this.#broken = toFailure(error)
      this.#ports.failed(this.#broken)
    }
    return error
  }
}

const nextSeq = (root: Root): number => {
  root.seq += 1
  return root.seq
}

/** Nobody comes back to one that has settled: it is not persisted. */
const snapshotOf = (root: Root): RootSnapshot => {
  const live = root.actor?.getSnapshot().status === 'active'
  return {
    rootId: root.rootId,
    machine: root.machine,
    version: root.version,
    snapshot: live ? JSON.stringify(root.actor?.getPersistedSnapshot()) : 'null',
    live,
  }
}

const mayBeRecorded = (root: Root): boolean => {
  const snapshot: unknown = root.actor?.getSnapshot()
  if (!isMachineSnapshot(snapshot)) return false
  root.recorded ||= snapshot.status === 'active' && !snapshot.hasTag('unrecorded')
  return root.recorded
}

/** It ended before it had been anywhere worth a record, as a run that was refused. */
const leavesNoTrace = (root: Root): boolean => !mayBeRecorded(root) && root.actor?.getSnapshot().status !== 'active'

const isMachineSnapshot = (value: unknown): value is AnyMachineSnapshot =>
  typeof value === 'object' && value !== null && 'machine' in value && 'value' in value

const isActorRef = (value: unknown): value is AnyActorRef =>
  typeof value === 'object' && value !== null && 'getSnapshot' in value

const atOf = (event: { type: string }): number | null => {
  if ('at' in event && typeof event.at === 'number') return event.at
  if (!('output' in event) || typeof event.output !== 'object' || event.output === null) return null
  return 'at' in event.output && typeof event.output.at === 'number' ? event.output.at : null
}
