import type { AgentRun } from '../../../machines/blanks.ts'
import type { FileAttempt, FileEvent, RunRecording } from '../../../shared/run-file.ts'
import type { OutputRow } from '../../../shared/view.ts'
import type { VoteReading } from '../../../shared/vote.ts'
import type { Stores } from '../../stores/stores.ts'
import { keepTurn } from '../../turns/keep-turn.ts'

/** Feeds back what agents said, before anybody hears that they have finished, and keeps their turns as it was done. */
export class ReplayedTurns {
  readonly #file: RunRecording
  readonly #stores: Stores
  readonly #launched = new Map<string, AgentRun>()
  readonly #kept = new Set<string>()

  constructor(file: RunRecording, stores: Stores) {
    this.#file = file
    this.#stores = stores
  }

  launch(run: AgentRun): void {
    this.#launched.set(run.attemptId, run)
  }

  hear(event: FileEvent): void {
    if (event.type !== 'agent.finished' && event.type !== 'agent.gone') return
    const run = this.#launched.get(event.actor)
    const attempt = this.#file.attempts.find(({ record }) => record.attemptId === event.actor)
    if (!run || !attempt) return
    this.#say(attempt, run.try)
    if (this.#isKept(event, attempt, run)) this.#keep(attempt, run)
  }

  #say(attempt: FileAttempt, tries: number): void {
    const { attemptId } = attempt.record
    const known = this.#stores.outputs.lastSeq(attemptId)
    const rows = attempt.output.filter((row) => row.try <= tries && row.seq > known)
    this.#stores.outputs.append(rows.map((row) => ({ ...row, attemptId })))
    if (tries === attempt.record.tries) this.#sayWhatWasCompacted(attempt)
  }

  /** Where the pieces are gone, the text they came to is there. */
  #sayWhatWasCompacted({ record: { attemptId, tries, settledAt }, text, output }: FileAttempt): void {
    if (text === '' || output.some(({ item }) => item.type === 'text' || item.type === 'textReplaced')) return
    const seq = this.#stores.outputs.lastSeq(attemptId) + 1
    const row: OutputRow = { attemptId, seq, at: settledAt ?? 0, try: tries, item: { type: 'textReplaced', text } }
    this.#stores.outputs.append([row])
  }

  /** A turn is kept as it finishes; one that was told to end may have finished all the same. */
  #isKept({ type, cause }: FileEvent, { capsule, record }: FileAttempt, run: AgentRun): boolean {
    if (capsule === null || this.#kept.has(run.attemptId)) return false
    return type === 'agent.finished' ? cause['stop'] === 'completed' : run.try === record.tries
  }

  #keep({ record, text }: FileAttempt, run: AgentRun): void {
    this.#kept.add(run.attemptId)
    keepTurn(this.#stores, run, { text, reading: readingOf(record) }, this.#file.run.policy.consensus)
  }
}

const readingOf = ({ vote, noVote }: FileAttempt['record']): VoteReading =>
  vote ? { vote, noVote: null } : { vote: null, noVote: noVote ?? 'missing' }
