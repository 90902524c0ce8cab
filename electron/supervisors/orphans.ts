import { attemptSettled, type AttemptRecord } from '../../shared/attempt.ts'
import type { Failure } from '../../shared/errors.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { RunRecord } from '../../shared/run.ts'
import type { Stores } from '../stores/stores.ts'

interface Orphans {
  runs: readonly RunRecord[]
  attempts: readonly AttemptRecord[]
  gates: readonly GateRecord[]
}

/** Settles, in one cut, what no live root stands behind. `reasonOf` says why a run ended. */
export const settleOrphans = (
  { ledger }: Stores,
  { runs, attempts, gates }: Orphans,
  reasonOf: (runId: string) => Failure,
  at: number,
): void => {
  if (runs.length + attempts.length + gates.length === 0) return
  ledger.commit({
    runs: runs.map((run) => ({ ...run, status: 'interrupted', settledAt: at, reason: reasonOf(run.runId) })),
    attempts: attempts.map((attempt) => interrupted(attempt, reasonOf(attempt.runId), at)),
    gates: gates.map((gate) => ({ ...gate, status: 'expired', endReason: 'askerLost', settledAt: at })),
  })
}

/** What belongs to one run and has not ended. */
export const liveOf = (stores: Stores, run: RunRecord): Orphans => ({
  runs: [run],
  attempts: stores.attempts.ofRun(run.runId).filter(({ status }) => !attemptSettled(status)),
  gates: [],
})

const interrupted = (attempt: AttemptRecord, failure: Failure, at: number): AttemptRecord => ({
  ...attempt,
  status: 'interrupted',
  failure,
  settledAt: at,
  aliveSince: null,
  capAt: null,
  silenceAt: null,
  dueAt: null,
})
