import { existsSync } from 'node:fs'
import { attemptSettled, awaitsAnswer, type AttemptRecord, type AttemptStatus } from '../../../shared/attempt.ts'
import { AppError } from '../../../shared/errors.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import { settled, type RunEnd, type RunRecord, type RunStatus, type StopKind } from '../../../shared/run.ts'
import { filesIn } from '../../stores/files.ts'
import { isLockHeld } from '../../stores/lock.ts'
import { openReadOnly, openUntouched } from '../../stores/look.ts'
import type { Stores } from '../../stores/stores.ts'
import { gateInShort } from './outcome.ts'
import { inWords, markOf, oneLine } from './words.ts'

export interface InspectedRun {
  runId: string
  /** The conversation's name. */
  conversation: string
  status: RunStatus
  /** Milliseconds since 1970. */
  startedAt: number
  settledAt: number | null
  /** A code, or who stopped it; `null` where the status says it all. */
  reason: string | null
  attempts: InspectedAttempt[]
  gates: ReturnType<typeof gateInShort>[]
}

export interface InspectedAttempt {
  attemptId: string
  agent: string
  round: number
  status: AttemptStatus
  reason: string | null
  textLength: number
}

/**
 * Reads every stored run, oldest first, and starts nothing. What was alive when Parley ended without warning is told
 * as the next start will find it. Throws `ledger.damaged` when what is stored cannot be read.
 */
export const inspectStored = (dataFolder: string): { runs: InspectedRun[] } => {
  const files = filesIn(dataFolder)
  // while a Parley is open on this folder, what it stored is what is going on
  const owned = isLockHeld(files.lock)
  const stores = owned ? openReadOnly(dataFolder) : openUntouched(dataFolder)
  if (!stores) return nothingStored(files)
  try {
    return { runs: [...stores.runs.every()].map((run) => inspected(stores, run, owned)) }
  } finally {
    stores.close()
  }
}

/** The same for people. */
export const inspectionLines = ({ runs }: { runs: InspectedRun[] }): string[] =>
  runs.length === 0 ? ['Nothing is stored yet.'] : runs.flatMap((run) => [
    `${markOf(run.status)} ${oneLine(run.conversation)} · ${inWords(run.status)}${because(run.reason)}`,
    `  ${run.runId} · ${timeOf(run.startedAt)}${run.settledAt === null ? '' : ` to ${timeOf(run.settledAt)}`}`,
    ...[...Map.groupBy(run.attempts, ({ round }) => round)].flatMap(([round, attempts]) => [
      `  round ${round}`,
      ...attempts.map(({ agent, status, reason, textLength }) =>
        `    ${markOf(status)} ${agent}: ${inWords(status)}${because(reason)} · ${textLength} characters`),
    ]),
    ...run.gates.map(({ kind, status, reason }) => `  question · ${kind}: ${inWords(status)}${because(reason)}`),
  ])

function nothingStored({ database }: ReturnType<typeof filesIn>): { runs: InspectedRun[] } {
  if (!existsSync(database)) return { runs: [] }
  throw new AppError('ledger.damaged', 'What is stored cannot be read. It was left as it is.')
}

function inspected(stores: Stores, run: RunRecord, owned: boolean): InspectedRun {
  const known = stores.attempts.ofRun(run.runId)
  const attempts = owned ? known : known.map((attempt) => attemptAfterRestart(stores, run, attempt))
  const status = owned ? run.status : runAfterRestart(run, attempts)
  return {
    runId: run.runId,
    conversation: stores.conversations.get(run.conversationId)?.name ?? run.conversationId,
    status,
    startedAt: run.startedAt,
    settledAt: run.settledAt,
    reason: run.reason?.code ?? run.stop?.kind ?? (status === 'interrupted' ? 'app.restarted' : null),
    attempts: attempts.map(({ attemptId, agent, round, status: attemptStatus, failure }) => ({
      attemptId, agent, round, status: attemptStatus,
      reason: failure?.code ?? (attemptStatus === 'interrupted' ? 'app.restarted' : null),
      textLength: stores.attempts.text(attemptId).length,
    })),
    gates: stores.gates.ofRun(run.runId)
      .map((gate) => (owned ? gate : gateAfterRestart(gate, status, attempts)))
      .map(gateInShort),
  }
}

/** An attempt that nobody owns any more: held at its question, or cut off. */
function attemptAfterRestart(stores: Stores, run: RunRecord, attempt: AttemptRecord): AttemptRecord {
  if (attemptSettled(attempt.status)) return attempt
  if (run.stop) return { ...attempt, status: endByStop[run.stop.kind] === 'stopped' ? 'stopped' : 'interrupted' }
  const isAsking = awaitsAnswer(attempt.status)
    && stores.gates.ofAttempt(attempt.attemptId).some(({ status }) => unanswered.has(status))
  return { ...attempt, status: isAsking ? 'parked' : 'interrupted' }
}

const unanswered = new Set(['waiting', 'answered', 'applying'])

/** A gate that nobody owns any more: it waits on with its asker, or ends with it. */
function gateAfterRestart(gate: GateRecord, run: RunStatus, attempts: readonly AttemptRecord[]): GateRecord {
  if (!unanswered.has(gate.status)) return gate
  const asker = attempts.find(({ attemptId }) => attemptId === gate.asker.id)
  const waits = gate.asker.kind === 'run' ? !settled(run) : asker?.status === 'parked'
  return waits ? gate : { ...gate, status: 'expired', endReason: 'askerLost' }
}

/** A run that nobody owns any more: it waits for its person, ends as it was ordered to, or was cut off. */
function runAfterRestart({ status, stop }: RunRecord, attempts: readonly AttemptRecord[]): RunStatus {
  if (settled(status)) return status
  if (stop) return endByStop[stop.kind]
  const waits = status === 'holding' || attempts.some((attempt) => attempt.status === 'parked')
  return waits ? status : 'interrupted'
}

const endByStop: Record<StopKind, RunEnd> = {
  person: 'stopped', accepted: 'agreed', breaker: 'budgetSpent', shutdown: 'interrupted',
}

const because = (reason: string | null) => (reason === null ? '' : ` (${reason})`)

const timeOf = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
