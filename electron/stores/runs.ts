import { RunRecord, settled } from '../../shared/run.ts'
import { numberIn, textIn } from './columns.ts'
import { readPositionCursor } from './cursor.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import { ParsedRows } from './parsed-rows.ts'

interface RunPage {
  /** Newest first. */
  runs: RunRecord[]
  /** Give this as `before` to read older ones; `null` when there are none. */
  older: string | null
}

/** Remembers every run as it last was. */
export class Runs {
  readonly #database: Database
  readonly #damage: Damage
  readonly #parsed = new ParsedRows(['record', 'topic'], readRun)

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  /** Adds it or brings it up to date. Its topic stays what it was first. */
  put(run: RunRecord) {
    const record = toJson(StoredRun, run)
    const live = settled(run.status) ? 0 : 1
    const moved = this.#database.run(
      'update runs set status = ?, record = ? where run_id = ? and live = ?', run.status, record, run.runId, live,
    )
    // an index stands on `live`: it is written only where that changes
    const changed = moved || this.#database.run(
      'update runs set status = ?, live = ?, record = ? where run_id = ?', run.status, live, record, run.runId,
    )
    if (changed === 0) this.#insert(run, live, record)
  }

  get(runId: string): RunRecord | null {
    const row = this.#database.get(`${runColumns} where r.run_id = ?`, runId)
    return this.#damage.one('runs', 'run_id', row, (found) => this.#parsed.value(runId, found))
  }

  ofConversation(conversationId: string, before: string | null, limit: number): RunPage {
    const found = this.#database.all(
      `${runColumns} where r.conversation_id = ? and r.position < ? order by r.position desc limit ?`,
      conversationId, before === null ? Number.MAX_SAFE_INTEGER : readPositionCursor(before), limit + 1,
    )
    const older = found.length > limit ? cursorOf(found[limit - 1]) : null
    return { runs: this.#read(found.slice(0, limit)), older }
  }

  /** Where a page that ends with this run goes on. */
  cursorAt(runId: string): string | null {
    return cursorOf(this.#database.get('select position from runs where run_id = ?', runId))
  }

  nonTerminal(): RunRecord[] {
    return this.#read(this.#database.all(`${runColumns} where r.live = 1 order by r.position`))
  }

  /** The run of this conversation that has not settled. */
  active(conversationId: string): RunRecord | null {
    const row = this.#database.get(
      `${runColumns} where r.conversation_id = ? and r.live = 1 order by r.position desc limit 1`, conversationId,
    )
    return this.#damage.one('runs', 'run_id', row, readRun)
  }

  /** Lets go of live rows that cannot be read, so that they hold up nothing. What they hold stays as it is. */
  retireUnreadable() {
    for (const row of this.#database.all(`${runColumns} where r.live = 1`)) {
      if (this.#read([row]).length > 0) continue
      this.#database.run(`update runs set live = 0, status = 'interrupted' where run_id = ?`, textIn(row, 'run_id'))
    }
  }

  /** Every run that is stored, oldest first, a page at a time. */
  *every(): Generator<RunRecord> {
    for (let after = 0; ;) {
      const page = this.#database.all(
        `${runColumns} where r.position > ? order by r.position limit ?`,
        after,
        everyPage,
      )
      yield* this.#read(page)
      const last = page.at(-1)
      if (!last) return
      after = numberIn(last, 'position')
    }
  }

  #insert(run: RunRecord, live: number, record: string) {
    const message = this.#database.get('select text from messages where message_id = ?', run.messageId)
    const ownTopic = message && textIn(message, 'text') === run.topic ? null : run.topic
    this.#database.run(
      `insert into runs (run_id, conversation_id, message_id, status, live, topic, record)
       values (?, ?, ?, ?, ?, ?, ?)`,
      run.runId,
      run.conversationId,
      run.messageId,
      run.status,
      live,
      ownTopic,
      record,
    )
  }

  #read(rows: readonly Row[]) {
    return this.#damage.sound('runs', 'run_id', rows, readRun)
  }
}

const everyPage = 200

/** The topic is the message's text and may be long: it is not written again at every step. */
const StoredRun = RunRecord.omit({ topic: true })

const runColumns = `
  select r.position, r.run_id, r.record, coalesce(r.topic, m.text) as topic
  from runs r join messages m on m.message_id = r.message_id`

const readRun = (row: Row): RunRecord =>
  ({ ...parsed(StoredRun, jsonIn(row, 'record')), topic: parsed(RunRecord.shape.topic, row['topic']) })

const cursorOf = (row: Row | undefined) => (row ? String(numberIn(row, 'position')) : null)
