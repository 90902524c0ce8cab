import type { RunDetail } from '../../shared/view.ts'
import {
  compactionSliceRows, compactionSliceRuns, freedPagesKept, freedPagesPerSlice, runsKeptWholeMax,
} from '../../shared/limits.ts'
import { numberIn, textIn } from './columns.ts'
import type { Database, Row } from './database.ts'
import { unknownRun } from './unknown.ts'

/**
 * Keeps the details of what agents put out for the newest runs and for those that the person has pinned, and lets go
 * of them in all others: reasoning, plans, the single pieces of a text, and what tools gave back. What stays for ever
 * is every transition, the whole text of each turn, votes and minutes, gates, what was sent, and which tools were used.
 */
export class Details {
  readonly #database: Database
  #hasTable: boolean | null = null
  /** Up to which run, and in it up to which attempt and row, everything is as it should be. */
  #done = { run: 0, attempt: 0, seq: 0 }

  constructor(database: Database) {
    this.#database = database
  }

  of(runId: string): RunDetail {
    if (!this.#isKnown()) return 'whole'
    const row = this.#database.get(
      `select pinned, compacted from run_details where run = (select position from runs where run_id = ?)`, runId,
    )
    if (row?.['compacted'] === 1) return 'compacted'
    return row?.['pinned'] === 1 ? 'pinned' : 'whole'
  }

  /** A pinned run keeps what it has; what is gone does not come back. Throws `run.unknown`. */
  pin(runId: string, pinned: boolean) {
    const run = this.#database.get('select position from runs where run_id = ?', runId)
    if (!run) throw unknownRun()
    this.#database.run(
      `insert into run_details (run, pinned) values (?, ?) on conflict (run) do update set pinned = excluded.pinned`,
      numberIn(run, 'position'), pinned ? 1 : 0,
    )
    // an older one may be due now
    if (!pinned) this.#done = { run: 0, attempt: 0, seq: 0 }
  }

  /** Does a little of what is due; `false` when nothing was. */
  compactSome(): boolean {
    const run = this.#nextDue()
    if (run === null) return this.#giveBackPages()
    this.#database.soon(() => this.#compactSomeOf(run))
    return true
  }

  /** The oldest run that is neither among the newest, nor pinned, nor done; looked for in a few at a time. */
  #nextDue(): number | null {
    const newest = this.#database.get(
      'select position from runs order by position desc limit 1 offset ?', runsKeptWholeMax,
    )
    const last = newest ? numberIn(newest, 'position') : 0
    while (this.#done.run < last) {
      const looked = this.#database.all(
        `select r.position, r.live = 0 and coalesce(d.pinned, 0) = 0 and coalesce(d.compacted, 0) = 0 as due
         from runs r left join run_details d on d.run = r.position
         where r.position > ? and r.position <= ? order by r.position limit ?`,
        this.#done.run, last, compactionSliceRuns,
      )
      const due = looked.find((row) => row['due'] === 1)
      if (due) return numberIn(due, 'position')
      this.#done = { run: looked.length > 0 ? numberIn(looked.at(-1) ?? {}, 'position') : last, attempt: 0, seq: 0 }
    }
    return null
  }

  #compactSomeOf(run: number) {
    const { attempt, seq } = this.#done
    const rows = this.#database.all(
      `select o.attempt, o.seq, o.type, octet_length(o.item) as bytes
       from attempts a join outputs o on o.attempt = a.position
       where a.run = ? and (o.attempt, o.seq) > (?, ?) order by o.attempt, o.seq limit ?`,
      run, attempt, seq, compactionSliceRows,
    )
    for (const [of, own] of Map.groupBy(rows, (row) => numberIn(row, 'attempt'))) this.#compactRows(of, own)
    const last = rows.at(-1)
    if (last) this.#done = { ...this.#done, attempt: numberIn(last, 'attempt'), seq: numberIn(last, 'seq') }
    if (rows.length < compactionSliceRows) this.#markCompacted(run)
  }

  #compactRows(attempt: number, rows: readonly Row[]) {
    const gone = rows.filter((row) => details.has(textIn(row, 'type')))
    const [first, ...others] = gone
    for (const row of others) {
      this.#database.run('delete from outputs where attempt = ? and seq = ?', attempt, numberIn(row, 'seq'))
    }
    for (const row of rows.filter((one) => one['type'] === 'tool')) {
      this.#database.run(withoutResult, attempt, numberIn(row, 'seq'))
    }
    if (!first) return
    const bytes = gone.reduce((sum, row) => sum + numberIn(row, 'bytes'), 0)
    this.#database.run(
      `update outputs set type = 'omitted', item = ? where attempt = ? and seq = ?`,
      JSON.stringify({ type: 'omitted', what: compactedWords, bytes, sha256: null }), attempt, numberIn(first, 'seq'),
    )
  }

  #markCompacted(run: number) {
    this.#database.run(
      'insert into run_details (run, compacted) values (?, 1) on conflict (run) do update set compacted = 1', run,
    )
    this.#done = { run, attempt: 0, seq: 0 }
  }

  /** Hands pages that nothing fills back to the disk, where the file was made for that. */
  #giveBackPages(): boolean {
    const free = numberIn(this.#database.get('pragma freelist_count') ?? {}, 'freelist_count')
    if (free < freedPagesKept || !this.#mayShrink()) return false
    this.#database.script(`pragma incremental_vacuum(${freedPagesPerSlice})`)
    return true
  }

  #mayShrink() {
    return this.#database.get('pragma auto_vacuum')?.['auto_vacuum'] === incremental
  }

  /** A file that an older Parley wrote is looked at as it is: everything in it is whole. */
  #isKnown(): boolean {
    this.#hasTable ??= this.#database.get(`select 1 from sqlite_schema where name = 'run_details'`) !== undefined
    return this.#hasTable
  }
}

const details = new Set(['text', 'textReplaced', 'reasoning', 'plan', 'usage'])

/** What stands in the place of details that are gone. */
const compactedWords = 'the details of an older run'

const withoutResult = `
  update outputs set item = json_set(item, '$.tool.detail', json('null'))
  where attempt = ? and seq = ? and item ->> '$.tool.detail' is not null`

/** SQLite's word for a file that shrinks when it is asked to. */
const incremental = 2
