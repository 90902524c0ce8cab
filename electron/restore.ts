import { reap } from '../adapters/process.ts'
import { attemptSettled } from '../shared/attempt.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import type { GateRecord } from '../shared/gate.ts'
import { settled } from '../shared/run.ts'
import type { AppState } from '../shared/view.ts'
import type { Log } from './log.ts'
import type { StoredSnapshot } from './stores/ledger.ts'
import type { Stores } from './stores/stores.ts'
import type { Work } from './work.ts'

/** What a start found and did about it, for the person; `null` when the last end was orderly. */
type Recovered = AppState['recovered']

/**
 * Brings back what was alive: gates and runs as they were stored, with the lost parts of each run told so by their
 * fences.
 * What cannot be brought back is settled as interrupted, exactly once; nothing is left without an owner.
 */
export const restoreWork = async (work: Work, log: Log, now: () => number): Promise<Recovered> => {
  const processesEnded = await endLeftovers(work.stores)
  const before = work.stores.runs.nonTerminal().map(({ runId }) => runId)
  const snapshots = work.stores.ledger.liveSnapshots()
  for (const stored of snapshots) bringBack(work, stored, log)
  work.runs.goOn()
  await work.recorder.durable()
  work.gates.goOn()
  await work.recorder.durable()
  settleOrphans(work, now())
  work.stores.retireUnreadable()
  const gatesKept = work.stores.gates.waiting().length
  const interrupted = before.filter((runId) => !stillWaits(work, runId)).length
  if (before.length === 0 && processesEnded === 0) return null
  return { runsInterrupted: interrupted, gatesKept, processesEnded, at: now() }
}

/** Whether a run has come through the restart and waits for its person. One that is on its way to its end has not. */
const stillWaits = ({ runs, stores }: Work, runId: string): boolean => {
  const status = stores.runs.get(runId)?.status
  return status !== undefined && !settled(status) && runs.isLive(runId) && runs.isResting(runId)
}

/** Ends what an earlier start left running, and nothing that is not ours. */
const endLeftovers = async ({ launches }: Stores): Promise<number> => {
  const left = launches.all()
  const ended = await reap(left)
  for (const { token } of left) launches.remove(token)
  return ended
}

const bringBack = (work: Work, stored: StoredSnapshot, log: Log): void => {
  try {
    if (stored.machine === 'gate') work.gates.restore(stored)
    else work.runs.restore(stored)
  } catch (error) {
    const failure = toFailure(error)
    work.stores.ledger.quarantine(stored.rootId, failure)
    log.error(failure.code, { rootId: stored.rootId, version: stored.version })
  }
}

/** Records that no live root stands behind: they belong to what a crash or another version left. */
const settleOrphans = ({ stores, runs, gates }: Work, at: number): void => {
  const reasons = new Map(stores.ledger.quarantined().map(({ rootId, failure }) => [rootId, failure]))
  for (const run of stores.runs.nonTerminal()) {
    if (runs.isLive(run.runId)) continue
    stores.runs.put({ ...run, status: 'interrupted', settledAt: at, reason: reasons.get(run.runId) ?? restarted })
  }
  for (const attempt of stores.attempts.nonTerminal()) {
    if (runs.isLive(attempt.runId) || attemptSettled(attempt.status)) continue
    stores.attempts.put({
      ...attempt,
      status: 'interrupted',
      settledAt: at,
      aliveSince: null,
      capAt: null,
      silenceAt: null,
      dueAt: null,
    })
  }
  const orphaned = stores.gates.unsettled().filter(({ gateId }) => !gates.isLive(gateId))
  if (orphaned.length > 0) stores.ledger.commit({ gates: orphaned.map((gate) => expired(gate, at)) })
}

const expired = (gate: GateRecord, at: number): GateRecord => ({
  ...gate,
  status: 'expired',
  endReason: 'askerLost',
  settledAt: at,
})

const restarted: Failure = { code: 'app.restarted', message: 'Parley ended without warning while this was going on.' }
