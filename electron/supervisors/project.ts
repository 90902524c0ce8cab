import type { AnyMachineSnapshot, SnapshotFrom } from 'xstate'
import { attemptMachine } from '../../machines/attempt.ts'
import { gateMachine } from '../../machines/gate.ts'
import { roundMachine } from '../../machines/round.ts'
import { runMachine } from '../../machines/run.ts'
import { AttemptStatus, type AttemptRecord } from '../../shared/attempt.ts'
import type { GateRecord } from '../../shared/gate.ts'
import { GateStatus } from '../../shared/gate.ts'
import { RunEnd, type RunRecord, type RunStatus } from '../../shared/run.ts'
import { noUsage } from '../../shared/usage.ts'
import type { Stores } from '../stores/stores.ts'
import type { Moved } from './recorder.ts'

/** The rows that the window's lists are read from, as the moved machines now stand. Written in the same cut. */
export const projectionOf = (stores: Stores, moved: readonly Moved[]) => {
  const runs: RunRecord[] = []
  const attempts: AttemptRecord[] = []
  const gates: GateRecord[] = []
  for (const { snapshot } of moved) {
    if (isOf(runMachine, snapshot)) runs.push(runRecord(snapshot))
    if (isOf(attemptMachine, snapshot)) attempts.push(attemptRecord(stores, snapshot))
    if (isOf(gateMachine, snapshot)) gates.push(gateRecord(snapshot))
  }
  return { runs, attempts, gates }
}

/** The id by which the ledger knows a machine. */
export const idOfActor = (snapshot: AnyMachineSnapshot): string => {
  if (isOf(runMachine, snapshot)) return snapshot.context.runId
  if (isOf(roundMachine, snapshot)) return `${snapshot.context.runId}/${snapshot.context.round}`
  if (isOf(attemptMachine, snapshot)) return snapshot.context.attemptId
  if (isOf(gateMachine, snapshot)) return snapshot.context.gateId
  return snapshot.machine.id
}

/** Whether a snapshot is one of a machine's, whatever its blanks were filled with. */
const isOf = <Machine extends { id: string }>(
  machine: Machine,
  snapshot: AnyMachineSnapshot,
): snapshot is AnyMachineSnapshot & SnapshotFrom<Machine> => snapshot.machine.id === machine.id

const runRecord = ({ context, value }: SnapshotFrom<typeof runMachine>): RunRecord => ({
  runId: context.runId,
  conversationId: context.conversationId,
  messageId: context.messageId,
  // the chart lets the topic go once it is stored, and what is stored stays
  topic: context.topic ?? '',
  status: runStatus(value),
  policy: context.policy,
  seats: context.seats,
  round: context.round,
  startedAt: context.startedAt,
  settledAt: context.settledAt,
  reason: context.reason,
  stop: context.stop,
  followUpOf: context.followUpOf,
})

const runStatus = (value: unknown): RunStatus => {
  const end = RunEnd.safeParse(value)
  if (end.success) return end.data
  const [outer, inner] = wordsOf(value)
  if (outer === 'holding') return 'holding'
  return inner === 'stopping' ? 'stopping' : 'running'
}

const attemptRecord = (stores: Stores, { context, value }: SnapshotFrom<typeof attemptMachine>): AttemptRecord => {
  const status = AttemptStatus.parse(wordsOf(value).at(-1))
  return {
    attemptId: context.attemptId,
    runId: context.runId,
    conversationId: context.conversationId,
    round: context.round,
    seat: context.seat,
    agent: context.agent,
    status,
    tries: context.tries,
    vote: context.vote,
    noVote: context.noVote,
    failure: context.failure,
    denials: context.denials,
    calledAt: context.calledAt,
    startedAt: context.startedAt,
    settledAt: context.settledAt,
    ...heardElsewhere,
    capAt: context.capAt,
    silenceAt: status === 'streaming' ? context.lastAt + context.silenceMs : null,
    dueAt: context.dueAt,
    gateId: context.gate?.gateId ?? stores.attempts.gateOf(context.attemptId),
    aliveSince: context.aliveSince,
  }
}

/** Output does not go through the machine: its columns stand beside the record, and are read with it. */
const heardElsewhere = { lastOutputAt: null, usage: noUsage, textLength: 0 }

const gateRecord = ({ context, value }: SnapshotFrom<typeof gateMachine>): GateRecord => ({
  gateId: context.gateId,
  kind: context.kind,
  asker: context.asker,
  toolKind: context.toolKind,
  title: context.title,
  detail: context.detail,
  reason: context.reason,
  options: context.options,
  askedAt: context.askedAt,
  expiresAt: context.expiresAt,
  status: GateStatus.parse(wordsOf(value).at(-1)),
  decision: context.decision,
  endReason: context.endReason,
  settledAt: context.settledAt,
})

/** The names of a state value without parallel parts, from the outside in. */
const wordsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const [outer] = Object.keys(value)
  return outer === undefined ? [] : [outer, ...wordsOf((value as Record<string, unknown>)[outer])]
}
