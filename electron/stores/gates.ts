import { GateRecord } from '../../shared/gate.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row, Value } from './database.ts'

/** Remembers every gate and its one final decision. */
export class Gates {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  put(gate: GateRecord) {
    const record = toJson(GateRecord, gate)
    this.#database.run(
      `insert into gates (gate_id, conversation_id, run_id, asker_id, status, asked_at, record)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (gate_id) do update set status = excluded.status, record = excluded.record`,
      gate.gateId,
      gate.asker.conversationId,
      gate.asker.runId,
      gate.asker.id,
      gate.status,
      gate.askedAt,
      record,
    )
  }

  get(gateId: string): GateRecord | null {
    const row = this.#database.get('select gate_id, record from gates where gate_id = ?', gateId)
    return this.#damage.one('gates', 'gate_id', row, readGate)
  }

  /** Those that wait for the person, oldest first. */
  waiting(): GateRecord[] {
    return this.#list(`where status in ('waiting', 'answered', 'applying') and status = 'waiting'`)
  }

  /** Those that wait, and those whose answer has not reached the asker yet. */
  unsettled(): GateRecord[] {
    return this.#list(`where status in ('waiting', 'answered', 'applying')`)
  }

  ofAttempt(attemptId: string): GateRecord[] {
    return this.#list('where asker_id = ?', attemptId)
  }

  ofRun(runId: string): GateRecord[] {
    return this.#list('where run_id = ?', runId)
  }

  #list(where: string, ...values: Value[]) {
    const rows = this.#database.all(`select gate_id, record from gates ${where} order by asked_at, gate_id`, ...values)
    return this.#damage.sound('gates', 'gate_id', rows, readGate)
  }
}

const readGate = (row: Row): GateRecord => parsed(GateRecord, jsonIn(row, 'record'))
