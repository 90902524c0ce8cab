import type { AnyActorRef, AnyMachineSnapshot, InspectionEvent } from 'xstate'
import { toFailure, type Failure } from '../../shared/errors.ts'
import { MachineName, type LedgerEvent, type StateValue } from '../../shared/ledger.ts'
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

/** Everything that one cascade changed: written as one cut. */
export interface Cut {
  events: LedgerEvent[]
  snapshots: RootSnapshot[]
  moved: Moved[]
}

export interface RecorderPorts {
  /** Writes one cut in one transaction, or throws. */
  commit: (cut: Cut) => void
  /** Called after a cut is durable. */
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

/** Records every transition of every root in one transaction per cascade, before anybody is shown it. */
export class Recorder {
  readonly #ports: RecorderPorts
  readonly #dirty = new Set<Root>()
  readonly #known = new WeakMap<AnyActorRef, AnyMachineSnapshot>()
  readonly #via = new WeakMap<AnyActorRef, StateValue[]>()
  #flush: Promise<void> | null = null

  constructor(ports: RecorderPorts) {
    this.#ports = ports
  }

  /** Begins to record one root. Give `inspect` to `createActor`, then the actor to `attach` before it starts. */
  watch(rootId: string, machine: MachineName, version: number) {
    const root: Root = {
      rootId, machine, version, actor: null, seq: this.#ports.lastSeq(rootId), recorded: false, events: [], moved: new Map(),
    }
    return {
      inspect: (inspected: InspectionEvent) => this.#inspect(root, inspected),
      attach: (actor: AnyActorRef, restored: boolean) => {
        root.actor = actor
        root.recorded = restored
        if (restored) this.#remember(actor)
      },
    }
  }

  /** Resolves once everything that has happened so far is on disk; rejects when it could not be written. */
  durable(): Promise<void> {
    this.#flush ??= Promise.resolve().then(() => {
      this.#flush = null
      this.#write()
    })
    return this.#flush
  }

  /** What a restart brought back is where it was: only what moves from now on is news. */
  #remember(actor: AnyActorRef): void {
    const snapshot: unknown = actor.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    this.#known.set(actor, snapshot)
    for (const child of Object.values(snapshot.children)) if (isActorRef(child)) this.#remember(child)
  }

  #inspect(root: Root, inspected: InspectionEvent): void {
    if (inspected.type === '@xstate.microstep') return this.#noteStep(inspected.actorRef, inspected.snapshot)
    if (inspected.type !== '@xstate.snapshot') return
    const { actorRef, event, snapshot } = inspected
    if (!isMachineSnapshot(snapshot) || !isActorRef(actorRef)) return
    const before = this.#known.get(actorRef)
    if (before === snapshot) return
    this.#known.set(actorRef, snapshot)
    const via = this.#via.get(actorRef) ?? []
    this.#via.delete(actorRef)
    this.#note(root, { event, snapshot, before: before ?? null, via })
  }

  #noteStep(actorRef: unknown, snapshot: unknown): void {
    if (!isMachineSnapshot(snapshot) || !isActorRef(actorRef)) return
    const via = this.#via.get(actorRef) ?? []
    via.push(snapshot.value)
    this.#via.set(actorRef, via)
  }

  #note(root: Root, step: { event: { type: string }; snapshot: AnyMachineSnapshot; before: AnyMachineSnapshot | null; via: StateValue[] }): void {
    const machine = MachineName.parse(step.snapshot.machine.id)
    const actor = this.#ports.idOf(step.snapshot)
    root.seq += 1
    root.moved.set(actor, { machine, actor, snapshot: step.snapshot })
    root.events.push({
      rootId: root.rootId,
      seq: root.seq,
      at: atOf(step.event) ?? this.#ports.now(),
      machine,
      actor,
      type: nameOf(machine, step.event),
      cause: causeOf(step.event, step.via.slice(0, -1)),
      value: step.snapshot.value,
      from: step.before?.value ?? null,
    })
    this.#dirty.add(root)
    // A failure is told by `failed`; who needs to wait for the write calls `durable` itself.
    this.durable().catch(() => undefined)
  }

  #write(): void {
    const roots = [...this.#dirty].filter(mayBeRecorded)
    if (roots.length === 0) return
    const cut: Cut = {
      events: roots.flatMap((root) => root.events),
      snapshots: roots.map(snapshotOf),
      moved: roots.flatMap((root) => [...root.moved.values()]),
    }
    try {
      this.#ports.commit(cut)
    } catch (error) {
      this.#ports.failed(toFailure(error))
      throw error
    }
    for (const root of roots) {
      this.#dirty.delete(root)
      root.events = []
      root.moved = new Map()
    }
    this.#ports.show(cut)
  }
}

const snapshotOf = (root: Root): RootSnapshot => ({
  rootId: root.rootId,
  machine: root.machine,
  version: root.version,
  snapshot: JSON.stringify(root.actor?.getPersistedSnapshot() ?? null),
  live: root.actor?.getSnapshot().status === 'active',
})

const mayBeRecorded = (root: Root): boolean => {
  const snapshot: unknown = root.actor?.getSnapshot()
  if (!isMachineSnapshot(snapshot)) return false
  root.recorded ||= snapshot.status === 'active' && !snapshot.hasTag('unrecorded')
  return root.recorded
}

const isMachineSnapshot = (value: unknown): value is AnyMachineSnapshot =>
  typeof value === 'object' && value !== null && 'machine' in value && 'value' in value

const isActorRef = (value: unknown): value is AnyActorRef =>
  typeof value === 'object' && value !== null && 'getSnapshot' in value

const atOf = (event: { type: string }): number | null => {
  if ('at' in event && typeof event.at === 'number') return event.at
  if (!('output' in event) || typeof event.output !== 'object' || event.output === null) return null
  return 'at' in event.output && typeof event.output.at === 'number' ? event.output.at : null
}
