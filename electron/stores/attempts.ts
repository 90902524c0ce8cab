import { AttemptRecord, type AttemptStatus, attemptSettled } from '../../shared/attempt.ts'
import type { AgentId } from '../../shared/agent.ts'
import { textPerAttemptMaxCharacters } from '../../shared/limits.ts'
import { Usage } from '../../shared/usage.ts'
import { NoVote, Vote } from '../../shared/vote.ts'
import { numberIn, numberOrNullIn, textOrNullIn } from './columns.ts'
import { cutTo } from './cut.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import { ParsedRows } from './parsed-rows.ts'
import type { TurnTexts } from './turn-texts.ts'
import { unknownAttempt, unknownRun } from './unknown.ts'

/** What a finished turn leaves behind. */
interface Reply {
  attemptId: string
  text: string
  vote: Vote | null
  noVote: NoVote | null
  capsule: string | null
}

/** What later speakers receive of a turn. */
interface Capsule {
  attemptId: string
  round: number
  seat: string
  agent: AgentId
  status: AttemptStatus
  vote: Vote | null
  noVote: NoVote | null
  capsule: string
}

/** An attempt with what is stored beside its record. */
export interface StoredTurn {
  /** The attempt's row number, for the other tables. */
  attempt: number
  record: AttemptRecord
  outputSeq: number
  toolCount: number
}

/** Remembers every attempt as it last was, and the reply it left. */
export class Attempts {
  readonly #database: Database
  readonly #damage: Damage
  readonly #texts: TurnTexts
  readonly #parsed = new ParsedRows(turnParts, readTurn)

  constructor(database: Database, damage: Damage, texts: TurnTexts) {
    this.#database = database
    this.#damage = damage
    this.#texts = texts
  }

  /** Adds it or brings it up to date. Throws `run.unknown`. */
  put(attempt: AttemptRecord) {
    const record = toJson(AttemptRecord, attempt)
    const ended = attemptSettled(attempt.status)
    const live = ended ? 0 : 1
    this.#database.transaction(() => {
      const moved = this.#database.run(
        'update attempts set record = ? where attempt_id = ? and live = ?', record, attempt.attemptId, live,
      )
      // an index stands on `live`: it is written only where that changes
      const changed = moved || this.#database.run(
        'update attempts set live = ?, record = ? where attempt_id = ?', live, record, attempt.attemptId,
      )
      if (changed === 0) this.#insert(attempt, live, record)
      if (ended) this.#texts.finish(this.numberOf(attempt.attemptId))
    })
  }

  get(attemptId: string): AttemptRecord | null {
    return this.turn(attemptId)?.record ?? null
  }

  /** The gate that it last asked at. */
  gateOf(attemptId: string): string | null {
    const row = this.#database.get(`select record ->> '$.gateId' as gate from attempts where attempt_id = ?`, attemptId)
    return row ? textOrNullIn(row, 'gate') : null
  }

  /** When it last said anything; `null` before it did. */
  lastOutputAt(attemptId: string): number | null {
    const row = this.#database.get('select last_output_at from attempts where attempt_id = ?', attemptId)
    return row ? numberOrNullIn(row, 'last_output_at') : null
  }

  /** What was kept of a turn that has spoken; nothing of one that did not come so far. */
  replyOf(attemptId: string): Pick<AttemptRecord, 'vote' | 'noVote' | 'textLength'> {
    const row = this.#database.get('select vote, no_vote, text_length from attempts where attempt_id = ?', attemptId)
    if (!row) return { vote: null, noVote: null, textLength: 0 }
    return { ...verdictIn(row), textLength: numberIn(row, 'text_length') }
  }

  /** In the order they were called. */
  ofRun(runId: string): AttemptRecord[] {
    return this.turnsOf(runId).map(({ record }) => record)
  }

  nonTerminal(): AttemptRecord[] {
    const rows = this.#database.all(`${turnColumns} where live = 1 order by position`)
    return this.#read(rows).map(({ record }) => record)
  }

  turn(attemptId: string): StoredTurn | null {
    const row = this.#database.get(`${turnColumns} where attempt_id = ?`, attemptId)
    return this.#damage.one('attempts', 'attempt_id', row, (found) => this.#parsed.value(attemptId, found))
  }

  turnsOf(runId: string): StoredTurn[] {
    return this.#read(this.#database.all(
      `${turnColumns} where run = (select position from runs where run_id = ?) order by position`, runId,
    ))
  }

  /** The finished text, or the text so far. Throws `attempt.unknown`. */
  text(attemptId: string): string {
    return this.#texts.of(this.numberOf(attemptId))
  }

  /**
   * Keeps what the turn said, durable with the cut that says that it ended. Keeping the same again changes nothing.
   * Throws `attempt.unknown`.
   */
  keepReply({ attemptId, text, vote, noVote, capsule }: Reply) {
    const kept = cutTo(text, textPerAttemptMaxCharacters)
    const write = () => {
      const attempt = this.numberOf(attemptId)
      this.#texts.finish(attempt, kept)
      this.#database.run(
        'update attempts set vote = ?, no_vote = ?, capsule = ?, text_length = ? where position = ?',
        vote && toJson(Vote, vote), noVote && NoVote.parse(noVote), capsule, kept.length, attempt,
      )
    }
    this.#database.around({ kind: 'message', of: 'replied' }, () => this.#database.soon(write))
  }

  /** Of each turn of the run that left one, in the order of rounds and calls. */
  capsules(runId: string): Capsule[] {
    const rows = this.#database.all(
      `${turnColumns}
       where run = (select position from runs where run_id = ?) and capsule is not null order by position`,
      runId,
    )
    return this.#damage
      .sound('attempts', 'attempt_id', rows, readCapsule)
      .toSorted((one, other) => one.round - other.round)
  }

  /** What it left for later speakers, as JSON; `null` where it left nothing. */
  capsuleOf(attemptId: string): string | null {
    const row = this.#database.get('select capsule from attempts where attempt_id = ?', attemptId)
    return row ? textOrNullIn(row, 'capsule') : null
  }

  /** Lets go of live rows that cannot be read, so that they hold up nothing. What they hold stays as it is. */
  retireUnreadable() {
    for (const row of this.#database.all(`${turnColumns} where live = 1`)) {
      if (this.#read([row]).length > 0) continue
      this.#database.run('update attempts set live = 0 where position = ?', numberIn(row, 'position'))
    }
  }

  /** The row number of an attempt. Throws `attempt.unknown`. */
  numberOf(attemptId: string): number {
    const row = this.#database.get('select position from attempts where attempt_id = ?', attemptId)
    if (!row) throw unknownAttempt()
    return numberIn(row, 'position')
  }

  #insert(attempt: AttemptRecord, live: number, record: string) {
    const run = this.#database.get('select position from runs where run_id = ?', attempt.runId)
    if (!run) throw unknownRun()
    this.#database.run(
      'insert into attempts (attempt_id, run, live, record) values (?, ?, ?, ?)',
      attempt.attemptId, numberIn(run, 'position'), live, record,
    )
  }

  #read(rows: readonly Row[]) {
    return this.#damage.sound('attempts', 'attempt_id', rows, readTurn)
  }
}

/** What a turn is read from. */
const turnParts = [
  'position', 'record', 'vote', 'no_vote', 'output_seq', 'tool_count', 'text_length', 'last_output_at', 'usage',
  'silence_ms',
]

const turnColumns = `
  select position, attempt_id, record, vote, no_vote, capsule, output_seq, tool_count, text_length, last_output_at,
    usage, (select r.record ->> '$.policy.silenceMs' from runs r where r.position = attempts.run) as silence_ms
  from attempts`

const readTurn = (row: Row): StoredTurn => {
  const record = parsed(AttemptRecord, jsonIn(row, 'record'))
  const kept = verdictIn(row)
  const vote = record.vote ?? kept.vote
  const noVote = vote ? null : record.noVote ?? kept.noVote
  return {
    attempt: numberIn(row, 'position'),
    record: { ...record, ...outputOf(row, record), vote, noVote },
    outputSeq: numberIn(row, 'output_seq'),
    toolCount: numberIn(row, 'tool_count'),
  }
}

const verdictIn = (row: Row) => ({
  vote: row['vote'] === null ? null : parsed(Vote, jsonIn(row, 'vote')),
  noVote: row['no_vote'] === null ? null : parsed(NoVote, row['no_vote']),
})

/** Output does not go through the machine, so what it changes is newer beside the record than in it. */
const outputOf = (row: Row, record: AttemptRecord) => {
  const lastOutputAt = numberOrNullIn(row, 'last_output_at') ?? record.lastOutputAt
  const silenceMs = numberOrNullIn(row, 'silence_ms')
  return {
    lastOutputAt,
    silenceAt: silenceAfter(record.silenceAt, lastOutputAt, silenceMs),
    usage: row['usage'] === null ? record.usage : parsed(Usage, jsonIn(row, 'usage')),
    textLength: numberIn(row, 'text_length'),
  }
}

/** Silence is counted from the last output, and only while it is watched. */
const silenceAfter = (watchedUntil: number | null, lastOutputAt: number | null, silenceMs: number | null) => {
  if (watchedUntil === null || lastOutputAt === null || silenceMs === null) return watchedUntil
  return Math.max(watchedUntil, lastOutputAt + silenceMs)
}

const readCapsule = (row: Row): Capsule => {
  const { attemptId, round, seat, agent, status, vote, noVote } = readTurn(row).record
  return { attemptId, round, seat, agent, status, vote, noVote, capsule: textOrNullIn(row, 'capsule') ?? '' }
}
