import type { AgentRun } from '../../../machines/blanks.ts'
import { readPrompt } from '../../../shared/read-prompt.ts'
import type { ReplayFinding } from '../../../shared/replay.ts'
import type { FileAttempt, RunRecording } from '../../../shared/run-file.ts'
import type { Stores } from '../../stores/stores.ts'
import { wordTurn } from '../../turns/compose-turn.ts'

type Delivery = FileAttempt['deliveries'][number]

/** Words each prompt once more where an agent would be started, and compares it with what was sent. */
export class ReplayedPrompts {
  readonly #file: RunRecording
  readonly #stores: Stores
  #waiting: AgentRun[] = []
  /** How many came out as they were sent. */
  equal = 0

  constructor(file: RunRecording, stores: Stores) {
    this.#file = file
    this.#stores = stores
  }

  /** An agent would be started: its prompt is worded once that transition is written, as it was then. */
  launch(run: AgentRun): void {
    this.#waiting.push(run)
  }

  /** `at` is the newest transition. */
  compare(at: number): ReplayFinding | null {
    const launches = this.#waiting
    this.#waiting = []
    for (const run of launches) {
      const finding = this.#compareOne(run, at)
      if (finding) return finding
    }
    return null
  }

  #compareOne(run: AgentRun, seq: number): ReplayFinding | null {
    const place = { rootId: this.#file.run.runId, seq }
    const attempt = this.#file.attempts.find(({ record }) => record.attemptId === run.attemptId)
    const sent = attempt?.deliveries.find(({ record }) => record.try === run.try)
    // one that was stopped before its prompt was worded has none
    if (!sent) return this.#hasStarted(run, seq) ? { what: 'obstacle', ...place, because: 'promptUnknown' } : null
    const difference = firstDifference(sent.prompt, this.#word(run, sent))
    if (difference) return { what: 'prompt', ...place, deliveryId: sent.record.deliveryId, ...difference }
    this.equal += 1
    return null
  }

  #word(run: AgentRun, sent: Delivery): string {
    const { conversation, run: { runId }, earlier } = this.#file
    const record = this.#stores.runs.get(runId)
    if (!record) return ''
    const turn = { run, record, kind: conversation.kind, resumed: wasResumed(sent), nonce: nonceIn(record, sent) }
    return wordTurn(this.#stores, turn, earlier).text
  }

  #hasStarted({ attemptId }: AgentRun, seq: number): boolean {
    const later = this.#file.events.slice(seq).find(({ actor }) => actor === attemptId)
    return later?.type === 'agent.started'
  }
}

/** Whether a native session was gone on with: a fact of that moment, which is fed back. */
const wasResumed = ({ record: { session, sources } }: Delivery): boolean =>
  session === 'resumed' || (session === 'continued' && sources[0] === 'resumption')

/** The code word comes from a secret of the installation that recorded it. */
const nonceIn = ({ policy }: { policy: { consensus: boolean } }, { prompt }: Delivery): string | null =>
  policy.consensus ? readPrompt(prompt).nonce : null

const firstDifference = (sent: string, worded: string) => {
  if (sent === worded) return null
  const [expected, actual] = [sent.split('\n'), worded.split('\n')]
  const index = expected.findIndex((text, at) => text !== actual[at])
  const line = index < 0 ? expected.length : index
  return { line: line + 1, expected: shown(expected[line]), actual: shown(actual[line]) }
}

const shown = (line: string | undefined): string | null => line?.slice(0, shownCharacters) ?? null

const shownCharacters = 600
