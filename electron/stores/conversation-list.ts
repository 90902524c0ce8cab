import { setImmediate as nextTurn } from 'node:timers/promises'
import { searchSliceMaxCharacters } from '../../shared/limits.ts'
import { ConversationRow } from '../../shared/view.ts'
import { numberIn, textIn } from './columns.ts'
import { listCursor, type ListPlace, readListCursor } from './cursor.ts'
import { type Damage, jsonIn, parsed } from './damage.ts'
import type { Database, Row, Value } from './database.ts'
import { likePatterns } from './like-patterns.ts'

interface ListRequest {
  /** A cursor that an earlier page gave, or `null` for the newest. */
  after: string | null
  limit: number
  /** Words that the name or one text of the conversation holds; empty for all. */
  query: string
}

interface ListPage {
  rows: ConversationRow[]
  /** Give this as `after` to read on; `null` at the end. */
  more: string | null
}

/** Reads the sidebar's rows, newest first. */
export class ConversationList {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  row(conversationId: string): ConversationRow | null {
    const row = this.#database.get(`${rowColumns} where c.conversation_id = ?`, conversationId)
    return this.#damage.one('conversations', 'conversation_id', row, readRow)
  }

  /** One bounded page. A search may end a page early: fewer rows than `limit` and a cursor to go on from. */
  page({ after, limit, query }: ListRequest): ListPage {
    const patterns = likePatterns(query)
    const place = after === null ? newest : readListCursor(after)
    return patterns.length === 0 ? this.#plainPage(place, limit) : this.#searchSlice(place, limit, patterns)
  }

  /** Searches all history for up to `limit` rows, letting the event loop breathe between slices. */
  async find(request: ListRequest, signal?: AbortSignal): Promise<ListPage> {
    const rows: ConversationRow[] = []
    for (let after = request.after; ;) {
      const page = this.page({ ...request, after, limit: request.limit - rows.length })
      rows.push(...page.rows)
      if (page.more === null || rows.length >= request.limit || signal?.aborted) return { rows, more: page.more }
      after = page.more
      await nextTurn()
    }
  }

  #plainPage(place: ListPlace, limit: number): ListPage {
    const found = this.#database.all(`${rowColumns} ${pageEnd}`, place.updatedAt, place.conversationId, limit + 1)
    return { rows: this.#read(found.slice(0, limit)), more: found.length > limit ? cursorOf(found[limit - 1]) : null }
  }

  #searchSlice(place: ListPlace, limit: number, patterns: readonly (readonly string[])[]): ListPage {
    const matching: Row[] = []
    let characters = 0
    let last: Row | undefined
    for (const candidate of this.#candidates(place)) {
      if (matching.length >= limit || characters >= searchSliceMaxCharacters) {
        return { rows: this.#read(matching), more: cursorOf(last) }
      }
      last = candidate
      const id = textIn(candidate, 'conversation_id')
      characters += this.#sizeOf(id)
      if (!this.#holds(id, patterns)) continue
      matching.push(...this.#database.all(`${rowColumns} where c.conversation_id = ?`, id))
    }
    return { rows: this.#read(matching), more: null }
  }

  /** Names and places only, in batches, so that a long list is not read for a short answer. */
  *#candidates(from: ListPlace): Generator<Row> {
    let place = from
    for (;;) {
      const batch = this.#database.all(`select conversation_id, updated_at from conversations c ${pageEnd}`,
        place.updatedAt, place.conversationId, candidateBatch)
      yield* batch
      const last = batch.at(-1)
      if (!last || batch.length < candidateBatch) return
      place = { updatedAt: numberIn(last, 'updated_at'), conversationId: textIn(last, 'conversation_id') }
    }
  }

  #sizeOf(conversationId: string): number {
    const row = this.#database.get(sizeOfConversation, conversationId, conversationId)
    return row ? numberIn(row, 'characters') : 0
  }

  #holds(conversationId: string, patterns: readonly (readonly string[])[]): boolean {
    const values = patterns.flat()
    return searches(patterns).some(
      (sql) => this.#database.get(sql, conversationId, ...values satisfies Value[]) !== undefined,
    )
  }

  #read(rows: readonly Row[]) {
    return this.#damage.sound('conversations', 'conversation_id', rows, readRow)
  }
}

const newest: ListPlace = { updatedAt: Number.MAX_SAFE_INTEGER, conversationId: '' }

const candidateBatch = 200

const pageEnd = `
  where (c.updated_at, c.conversation_id) < (?, ?) order by c.updated_at desc, c.conversation_id desc limit ?`

const rowColumns = `
  select c.conversation_id, c.kind, c.name, c.members, c.updated_at,
    (select r.status from runs r where r.conversation_id = c.conversation_id
      order by r.position desc limit 1) as status,
    (select r.run_id from runs r where r.conversation_id = c.conversation_id and r.live = 1
      order by r.position desc limit 1) as active_run,
    (select count(*) from gates g where g.conversation_id = c.conversation_id and g.status = 'waiting'
      and g.status in ('waiting', 'answered', 'applying')) as gates_waiting,
    (select count(*) from queue q where q.conversation_id = c.conversation_id) as queued,
    exists (select 1 from drafts d where d.conversation_id = c.conversation_id) as has_draft,
    exists (select 1 from meta where key = 'import:' || c.conversation_id) as imported
  from conversations c`

const readRow = (row: Row): ConversationRow =>
  parsed(ConversationRow, {
    conversationId: row['conversation_id'],
    kind: row['kind'],
    name: row['name'],
    members: jsonIn(row, 'members'),
    status: row['status'],
    activeRunId: row['active_run'],
    gatesWaiting: row['gates_waiting'],
    queued: row['queued'],
    hasDraft: row['has_draft'] === 1,
    ...(row['imported'] === 1 ? { imported: true } : {}),
    updatedAt: row['updated_at'],
  })

const cursorOf = (row: Row | undefined): string | null =>
  row ? listCursor({ updatedAt: numberIn(row, 'updated_at'), conversationId: textIn(row, 'conversation_id') }) : null

// the agents' texts are measured by a column, so that they are not read twice
const sizeOfConversation = `
  select coalesce((select sum(length(m.text)) from messages m where m.conversation_id = ?), 0)
    + coalesce((select sum(a.text_length) from runs r join attempts a on a.run = r.position
      where r.conversation_id = ?), 0) as characters`

/** The same words asked of the name, of what the person wrote, and of what the agents wrote. */
const searches = (patterns: readonly (readonly string[])[]) => {
  const holding = (column: string) =>
    patterns.map((spellings) => `(${spellings.map(() => `${column} like ? escape '\\'`).join(' or ')})`).join(' and ')
  return [
    `select 1 from conversations c where c.conversation_id = ? and ${holding('c.name')}`,
    `select 1 from messages m where m.conversation_id = ? and ${holding('m.text')}`,
    `select 1 from runs r join attempts a on a.run = r.position join turn_texts t on t.attempt = a.position
     where r.conversation_id = ? and ${holding('t.text')}`,
  ]
}
