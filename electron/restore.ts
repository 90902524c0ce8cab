import { reap } from '../adapters/process.ts'
import { toFailure, type Failure } from '../shared/errors.ts'
import { settled } from '../shared/run.ts'
import type { AppState } from '../shared/view.ts'
import type { Log } from './log.ts'
import type { StoredSnapshot } from './stores/ledger.ts'
import type { Stores } from './stores/stores.ts'
import { settleOrphans } from './supervisors/orphans.ts'
import type { Work } from './work.ts'

/** What a start found and did about it, for the person; `null` when the last end was orderly. */
type Recovered = AppState['recovered']

interface RestoreOptions {
  log: Log
  /** `false` once Parley is to be closed: then nothing is woken any more. */
  goesOn: () => boolean
  now: () => number
}

/**
 * Brings back what was alive: gates and runs as they were stored, with the lost parts of each run told so by their
 * fences.
 * What cannot be brought back is settled as interrupted, exactly once; nothing is left without an owner.
 */
export const restoreWork = async (work: Work, { log, goesOn, now }: RestoreOptions): Promise<Recovered> => {
  const processesEnded = await endLeftovers(work.stores)
  if (!goesOn()) return null
  const before = work.stores.runs.nonTerminal().map(({ runId }) => runId)
  const snapshots = work.stores.ledger.liveSnapshots()
  for (const stored of snapshots) bringBack(work, stored, log)
  work.runs.goOn()
  await work.recorder.durable()
  // a gate looks for its asker at once: by then the run that is gone must have ended
  settleOrphanedRuns(work, now())
  work.gates.goOn()
  await work.recorder.durable()
  settleOrphanedGates(work, now())
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

/** Runs and attempts that a crash, or another version, left without a live root. */
const settleOrphanedRuns = ({ stores, runs, because }: Work, at: number): void => {
  const reasons = new Map(stores.ledger.quarantined().map(({ rootId, failure }) => [rootId, failure]))
  const isOrphan = ({ runId }: { runId: string }) => !runs.isLive(runId)
  const orphans = {
    runs: stores.runs.nonTerminal().filter(isOrphan),
    attempts: stores.attempts.nonTerminal().filter(isOrphan),
    gates: [],
  }
  settleOrphans(stores, orphans, (runId) => reasons.get(runId) ?? because ?? restarted, at)
}

const settleOrphanedGates = ({ stores, gates }: Work, at: number): void => {
  const orphaned = stores.gates.unsettled().filter(({ gateId }) => !gates.isLive(gateId))
  settleOrphans(stores, { runs: [], attempts: [], gates: orphaned }, () => restarted, at)
  for (const { gateId } of orphaned) gates.noteSettled(gateId)
}

const restarted: Failure = { code: 'app.restarted', message: 'Parley ended without warning while this was going on.' }
