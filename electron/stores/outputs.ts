import type { OutputItem } from '../../shared/agent-event.ts'
import {
  outputRowsPerAttemptMax, reasoningPerAttemptMaxCharacters, textPerAttemptMaxCharacters,
} from '../../shared/limits.ts'
import { Usage } from '../../shared/usage.ts'
import { OutputRow } from '../../shared/view.ts'
import { numberIn, textIn } from './columns.ts'
import { cutTo } from './cut.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import type { TurnTexts } from './turn-texts.ts'
import { unknownAttempt } from './unknown.ts'

interface OutputPage {
  rows: OutputRow[]
  more: boolean
}

/** Remembers what each agent put out, in order, and lets the turn's text grow with it. */
export class Outputs {
  readonly #database: Database
  readonly #damage: Damage
  readonly #texts: TurnTexts

  constructor(database: Database, damage: Damage, texts: TurnTexts) {
    this.#database = database
    this.#damage = damage
    this.#texts = texts
  }

  /**
   * Adds all rows at once. A row whose `seq` is not above the attempt's last is a repeat and is dropped.
   * Neighbouring pieces of text become one row under the last `seq`. Throws `attempt.unknown`.
   */
  append(rows: readonly OutputRow[]) {
    this.#database.soon(() => {
      for (const [attemptId, own] of Map.groupBy(rows, (row) => row.attemptId)) this.#appendTo(attemptId, own)
    })
  }

  /** Every kept row after `after`, oldest first. Throws `attempt.unknown`. */
  page(attemptId: string, after: number, limit: number): OutputPage {
    return this.#page('', attemptId, after, limit)
  }

  /** As `page`, without text and reasoning. */
  notes(attemptId: string, after: number, limit: number): OutputPage {
    return this.#page(`and o.type not in ('text', 'textReplaced', 'reasoning')`, attemptId, after, limit)
  }

  reasoning(attemptId: string): string {
    const rows = this.#database.all(
      `select item ->> 'delta' as delta from outputs
       where attempt = (select position from attempts where attempt_id = ?) and type = 'reasoning' order by seq`,
      attemptId,
    )
    return rows.map((row) => textIn(row, 'delta')).join('')
  }

  /** 0 before the first. */
  lastSeq(attemptId: string): number {
    const row = this.#database.get('select output_seq from attempts where attempt_id = ?', attemptId)
    return row ? numberIn(row, 'output_seq') : 0
  }

  hasTools(attemptId: string): boolean {
    return this.#database.get('select 1 from attempts where attempt_id = ? and tool_count > 0', attemptId) !== undefined
  }

  #appendTo(attemptId: string, rows: readonly OutputRow[]) {
    const before = this.#tallyOf(attemptId)
    const fresh = rising(rows, before.seq)
    const last = fresh.at(-1)
    if (!last) return
    const after = { ...before, seq: last.seq }
    const keptRows =
      before.text < textPerAttemptMaxCharacters ? fresh : fresh.filter(({ item }) => item.type !== 'text')
    this.#growText(after, fresh.map(({ item }) => item))
    for (const row of joined(keptRows)) this.#add(after, row)
    this.#database.run(
      `update attempts set output_seq = ?, output_rows = ?, tool_count = ?, text_length = ?, reasoning_length = ?,
         last_output_at = ?, usage = coalesce(?, usage)
       where position = ?`,
      after.seq, after.rows, after.tools, after.text, after.reasoning, last.at, latestUsage(fresh), after.attempt,
    )
  }

  #growText(tally: Tally, items: readonly OutputItem[]) {
    const { replaces, text } = textOf(items)
    if (!replaces && text === '') return
    const kept = cutTo(text, textPerAttemptMaxCharacters - (replaces ? 0 : tally.text))
    if (replaces) this.#texts.replace(tally.attempt, kept)
    else this.#texts.append(tally.attempt, kept)
    tally.text = replaces ? kept.length : tally.text + kept.length
  }

  #add(tally: Tally, row: OutputRow) {
    if (tally.rows > outputRowsPerAttemptMax) return
    const { item } = tally.rows === outputRowsPerAttemptMax ? { item: tooMany } : row
    if (item.type === 'reasoning' && !grows(tally, item.delta)) return
    if (item.type === 'tool') tally.tools += this.#countTool(tally.attempt, item.tool.toolId)
    tally.rows += 1
    this.#database.run(
      'insert into outputs (attempt, seq, at, try, type, item) values (?, ?, ?, ?, ?, ?)',
      tally.attempt, row.seq, row.at, row.try, item.type, toJson(OutputRow.shape.item, bounded(item)),
    )
  }

  #countTool(attempt: number, toolId: string) {
    return this.#database.run(
      'insert into attempt_tools (attempt, tool_id) values (?, ?) on conflict do nothing',
      attempt,
      toolId,
    )
  }

  #tallyOf(attemptId: string): Tally {
    const row = this.#database.get(
      `select position, output_seq, output_rows, tool_count, text_length, reasoning_length
       from attempts where attempt_id = ?`,
      attemptId,
    )
    if (!row) throw unknownAttempt()
    return {
      attempt: numberIn(row, 'position'),
      seq: numberIn(row, 'output_seq'),
      rows: numberIn(row, 'output_rows'),
      tools: numberIn(row, 'tool_count'),
      text: numberIn(row, 'text_length'),
      reasoning: numberIn(row, 'reasoning_length'),
    }
  }

  #page(kinds: string, attemptId: string, after: number, limit: number): OutputPage {
    const attempt = this.#tallyOf(attemptId).attempt
    const found = this.#database.all(
      `select o.seq, o.at, o.try, o.item from outputs o
       where o.attempt = ? and o.seq > ? ${kinds} order by o.seq limit ?`,
      attempt,
      after,
      limit + 1,
    )
    const rows = this.#damage.sound('outputs', 'seq', found.slice(0, limit), (row) => readOutput(attemptId, row))
    return { rows, more: found.length > limit }
  }
}

/** What the attempt has used so far, by the newest report among these rows. */
const latestUsage = (rows: readonly OutputRow[]): string | null => {
  const item = rows.map((row) => row.item).findLast(({ type }) => type === 'usage')
  return item?.type === 'usage' ? toJson(Usage, item.usage) : null
}

/** How much of an attempt's output is stored. */
interface Tally {
  attempt: number
  seq: number
  rows: number
  tools: number
  text: number
  reasoning: number
}

/** Without repeats: each `seq` is above all before it. */
const rising = (rows: readonly OutputRow[], after: number): OutputRow[] => {
  let last = after
  return rows.filter(({ seq }) => {
    if (seq <= last) return false
    last = seq
    return true
  })
}

const textOf = (items: readonly OutputItem[]) => {
  const all = { replaces: false, text: '' }
  for (const item of items) {
    if (item.type === 'text') all.text += item.delta
    if (item.type === 'textReplaced') Object.assign(all, { replaces: true, text: item.text })
  }
  return all
}

/** Joins neighbouring deltas of one kind and try. */
const joined = (rows: readonly OutputRow[]): OutputRow[] => {
  const result: OutputRow[] = []
  for (const row of rows) {
    const delta = joinedDelta(result.at(-1), row)
    if (delta) result.splice(-1, 1, delta)
    else result.push(row)
  }
  return result
}

const joinedDelta = (before: OutputRow | undefined, row: OutputRow): OutputRow | null => {
  if (!before || before.try !== row.try) return null
  const { item } = before
  if (item.type === 'text' && row.item.type === 'text') {
    return { ...row, item: { type: 'text', delta: item.delta + row.item.delta } }
  }
  if (item.type === 'reasoning' && row.item.type === 'reasoning') {
    return { ...row, item: { type: 'reasoning', delta: item.delta + row.item.delta } }
  }
  return null
}

const grows = (tally: Tally, reasoning: string) => {
  tally.reasoning += reasoning.length
  return tally.reasoning <= reasoningPerAttemptMaxCharacters
}

const bounded = (item: OutputItem): OutputItem => {
  if (item.type === 'text') return { ...item, delta: cutTo(item.delta, textPerAttemptMaxCharacters) }
  if (item.type === 'textReplaced') return { ...item, text: cutTo(item.text, textPerAttemptMaxCharacters) }
  return item
}

const tooMany: OutputItem = {
  type: 'omitted',
  what: 'everything after this, because there was too much',
  bytes: 0,
  sha256: null,
}

const readOutput = (attemptId: string, row: Row): OutputRow =>
  parsed(OutputRow, { attemptId, seq: row['seq'], at: row['at'], try: row['try'], item: jsonIn(row, 'item') })
