import * as z from 'zod'
import type { AttemptRecord } from '../../shared/attempt.ts'
import { Failure } from '../../shared/errors.ts'
import type { GateRecord } from '../../shared/gate.ts'
import { ActorView, LedgerEvent, MachineName, StateValue } from '../../shared/ledger.ts'
import { eventPayloadMaxBytes, eventsPageMax } from '../../shared/limits.ts'
import { type RunRecord, settled } from '../../shared/run.ts'
import { numberIn, textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import { packed, unpacked } from './packed.ts'

export const StoredSnapshot = z.object({
  rootId: z.string(),
  machine: MachineName,
  version: z.number().int().nonnegative(),
  /** JSON as the machine persisted it. */
  snapshot: z.string(),
  /** `false` once the machine has settled: the snapshot is forgotten, the events stay. */
  live: z.boolean(),
})
export type StoredSnapshot = z.infer<typeof StoredSnapshot>

/** Everything that became true at one moment. */
interface Cut {
  events: readonly LedgerEvent[]
  snapshots: readonly StoredSnapshot[]
  runs: readonly RunRecord[]
  attempts: readonly AttemptRecord[]
  gates: readonly GateRecord[]
}

/** A snapshot that this version could not go on from. */
interface Quarantined {
  rootId: string
  machine: MachineName
  version: number
  failure: Failure
}

interface EventPage {
  events: LedgerEvent[]
  more: boolean
}

/** What the ledger writes beside its own rows, in the same transaction. */
interface Projections {
  run(run: RunRecord): void
  attempt(attempt: AttemptRecord): void
  gate(gate: GateRecord): void
}

/** Remembers every transition of every machine, and where each live machine is. */
export class Ledger {
  readonly #database: Database
  readonly #damage: Damage
  readonly #projections: Projections

  constructor(database: Database, damage: Damage, projections: Projections) {
    this.#database = database
    this.#damage = damage
    this.#projections = projections
  }

  /** Makes the whole cut durable in one transaction, or nothing of it. Its cost does not depend on what is stored. */
  commit(cut: Partial<Cut>) {
    this.#database.transaction(() => this.#write(cut))
  }

  /** As `commit`, without waiting for the disk: it outlives the process at once, a power cut once `sync` resolves. */
  commitSoon(cut: Partial<Cut>) {
    this.#database.soon(() => this.#write(cut))
  }

  /** Resolves once all that was written before is safe from a power cut. Throws `ledger.unwritable`. */
  sync(): Promise<void> {
    return this.#database.synced()
  }

  /** Of every machine that has not settled, oldest first. */
  liveSnapshots(): StoredSnapshot[] {
    const rows = this.#database.all(
      'select root_id, machine, version, snapshot, packed from roots where live = 1 order by root',
    )
    return this.#damage.sound('roots', 'root_id', rows, (row) =>
      parsed(StoredSnapshot, {
        rootId: row['root_id'], machine: row['machine'], version: row['version'], snapshot: snapshotIn(row), live: true,
      }))
  }

  /** The machine has settled; its events stay. */
  forget(rootId: string) {
    this.#database.run('update roots set live = 0, snapshot = null, packed = null where root_id = ?', rootId)
  }

  /** The snapshot could not be gone on from: it is kept for inspection and does not come back at a start. */
  quarantine(rootId: string, failure: Failure) {
    this.#database.run('update roots set live = 0, failure = ? where root_id = ?', toJson(Failure, failure), rootId)
  }

  quarantined(): Quarantined[] {
    const rows = this.#database.all(
      'select root_id, machine, version, failure from roots where failure is not null order by root',
    )
    return this.#damage.sound('roots', 'root_id', rows, (row) => ({
      rootId: textIn(row, 'root_id'),
      machine: parsed(MachineName, row['machine']),
      version: numberIn(row, 'version'),
      failure: parsed(Failure, jsonIn(row, 'failure')),
    }))
  }

  /** Those of one root after `after`, oldest first. */
  events(rootId: string, after: number, limit: number): EventPage {
    const found = this.#database.all(
      `${eventColumns} where e.root = (select root from roots where root_id = ?) and e.seq > ? order by e.seq limit ?`,
      rootId, after, limit + 1,
    )
    return { events: this.#readEvents(found.slice(0, limit)), more: found.length > limit }
  }

  /** The newest of one machine, oldest first, at most `eventsPageMax`. */
  eventsOf(actor: string): LedgerEvent[] {
    const found = this.#database.all(
      `${eventColumns} where a.actor = ? order by e.seq desc limit ?`,
      actor,
      eventsPageMax,
    )
    return this.#readEvents(found.toReversed())
  }

  /** 0 before the first. */
  lastSeq(rootId: string): number {
    const row = this.#database.get(
      'select coalesce(max(seq), 0) as seq from events where root = (select root from roots where root_id = ?)', rootId,
    )
    return row ? numberIn(row, 'seq') : 0
  }

  /** The version of the chart that a root was last recorded by; 0 for an unknown one. */
  versionOf(rootId: string): number {
    const row = this.#database.get('select version from roots where root_id = ?', rootId)
    return row ? numberIn(row, 'version') : 0
  }

  /** Where each machine of a root is, in the order they first appeared. */
  actors(rootId: string): ActorView[] {
    const rows = this.#database.all(
      'select * from actors where root = (select root from roots where root_id = ?) order by actor_number', rootId,
    )
    return this.#damage.sound('actors', 'actor', rows, readActor)
  }

  /** Where one machine is. */
  actor(actor: string): ActorView | null {
    return this.#damage.one(
      'actors',
      'actor',
      this.#database.get('select * from actors where actor = ?', actor),
      readActor,
    )
  }

  /** What an index stands on is written only where it changes, so that the index is not written at each step. */
  #keep({ rootId, machine, version, snapshot, live }: StoredSnapshot) {
    const kept = live ? packed(snapshot) : null
    const moved = this.#database.run(
      'update roots set version = ?, snapshot = null, packed = ? where root_id = ? and machine = ? and live = ?',
      version, kept, rootId, machine, live ? 1 : 0,
    )
    if (moved > 0) return
    this.#database.run(
      `insert into roots (root_id, machine, version, live, packed) values (?, ?, ?, ?, ?)
       on conflict (root_id) do update set machine = excluded.machine, version = excluded.version,
       live = excluded.live, snapshot = null, packed = excluded.packed`,
      rootId, MachineName.parse(machine), version, live ? 1 : 0, kept,
    )
  }

  #write({ events = [], snapshots = [], runs = [], attempts = [], gates = [] }: Partial<Cut>) {
    for (const run of runs) this.#projections.run(run)
    for (const attempt of attempts) this.#projections.attempt(attempt)
    for (const gate of gates) this.#projections.gate(gate)
    for (const snapshot of snapshots) this.#keep(snapshot)
    this.#record(events)
  }

  /** Each root is looked up once, and each actor moved once, to where the last of its events has brought it. */
  #record(events: readonly LedgerEvent[]) {
    const roots = new Map<string, number>()
    for (const event of events) {
      if (!roots.has(event.rootId)) roots.set(event.rootId, this.#rootOf(event))
    }
    const latest = new Map(events.map((event) => [`${event.rootId} ${event.actor}`, event]))
    const actors = new Map<string, number>()
    for (const [key, event] of latest) actors.set(key, this.#moveActor(event, roots.get(event.rootId) ?? 0))
    for (const event of events) {
      this.#database.run(
        `insert into events (root, seq, at, actor_number, type, cause, value, from_value)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
        roots.get(event.rootId) ?? null,
        event.seq,
        event.at,
        actors.get(`${event.rootId} ${event.actor}`) ?? null,
        event.type,
        boundedCause(event.cause),
        JSON.stringify(event.value),
        fromOf(event),
      )
    }
  }

  #moveActor(event: LedgerEvent, root: number): number {
    const moved = this.#database.get(
      `insert into actors (actor, root, machine, value, type, at, from_value) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (actor, root) do update set machine = excluded.machine, value = excluded.value, type = excluded.type,
       at = excluded.at, from_value = excluded.from_value returning actor_number`,
      event.actor,
      root,
      MachineName.parse(event.machine),
      JSON.stringify(event.value),
      event.type,
      event.at,
      fromOf(event),
    )
    return numberIn(moved ?? {}, 'actor_number')
  }

  #rootOf({ rootId, machine }: LedgerEvent): number {
    const known = this.#database.get('select root from roots where root_id = ?', rootId)
    if (known) return numberIn(known, 'root')
    return this.#database.insert('insert into roots (root_id, machine) values (?, ?)', rootId, machine)
  }

  #readEvents(rows: readonly Row[]) {
    return this.#damage.sound('events', 'seq', rows, readEvent)
  }
}

/** A run moves its conversation up the list when it settles. */
export const settledAtOf = (run: RunRecord) => (settled(run.status) ? run.settledAt : null)

const eventColumns = `
  select r.root_id, e.seq, e.at, a.machine, a.actor, e.type, e.cause, e.value, e.from_value
  from events e join actors a using (actor_number) join roots r on r.root = e.root`

const fromOf = ({ from }: LedgerEvent) => (from === null ? null : JSON.stringify(from))

const boundedCause = (cause: LedgerEvent['cause']) => {
  const json = JSON.stringify(cause)
  const bytes = Buffer.byteLength(json)
  return bytes <= eventPayloadMaxBytes ? json : JSON.stringify({ omittedBytes: bytes })
}

const readEvent = (row: Row): LedgerEvent =>
  parsed(LedgerEvent, {
    rootId: row['root_id'], seq: row['seq'], at: row['at'], machine: row['machine'], actor: row['actor'],
    type: row['type'], cause: jsonIn(row, 'cause'), value: jsonIn(row, 'value'), from: readFrom(row),
  })

const readActor = (row: Row): ActorView =>
  parsed(ActorView, {
    machine: row['machine'], actor: row['actor'], value: jsonIn(row, 'value'),
    last: { type: row['type'], at: row['at'], from: readFrom(row) },
  })

/**
 * What an earlier version wrote is not packed, until it is written again. What cannot be unpacked is no snapshot, and
 * whoever restores it says so.
 */
const snapshotIn = (row: Row): string =>
  row['packed'] === null ? textIn(row, 'snapshot') : unpacked(row['packed']) ?? ''

const readFrom = (row: Row): StateValue | null =>
  row['from_value'] === null ? null : parsed(StateValue, jsonIn(row, 'from_value'))
