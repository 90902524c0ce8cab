import * as z from 'zod'
import { Failure } from '../../../shared/errors.ts'
import type { GateDecision } from '../../../shared/gate.ts'
import type { ReplayObstacle } from '../../../shared/replay.ts'
import type { FileEvent, FileGate, RunRecording } from '../../../shared/run-file.ts'

/** An event as a machine hears it. */
export type Word = { type: string; at: number; [field: string]: unknown }

/** What brings a recorded transition about once more. */
export type Cause =
  /** A fact for one machine, or an order for the root. */
  | { kind: 'word'; to: string | null; word: Word }
  /** A new start of the application: everything it lost says so by itself. */
  | { kind: 'restart' }
  /** Another transition should have brought it about, and did not. */
  | { kind: 'nothing' }
  | { kind: 'obstacle'; because: ReplayObstacle }

/** Facts that may come in the middle of a cascade: what says them answers at once. */
export const isSaidAtOnce = ({ type }: FileEvent): boolean => saidAtOnce.has(type)

/** What caused a transition of a run, its rounds or its attempts. `replyOf` says what was kept of an attempt. */
export const causeInRun = (file: RunRecording, event: FileEvent, replyOf: (attemptId: string) => object): Cause => {
  if (event.type.endsWith('.broke')) return { kind: 'obstacle', because: 'actorBroke' }
  if (event.type === 'attempt.lost' || event.type === 'run.lost') return { kind: 'restart' }
  if (broughtAbout.has(event.type)) return nothing
  if (event.type === 'reply.kept') {
    return { kind: 'word', to: event.actor, word: { ...replyOf(event.actor), type: event.type, at: event.at } }
  }
  if (event.machine === 'attempt' && event.type in ordersForSeat) return orderForSeat(file, event)
  const word = wordOf(event, (gateId) => file.gates.find(({ record }) => record.gateId === gateId)?.record.decision)
  if (typeof word === 'string') return { kind: 'obstacle', because: word }
  const isFact = event.machine === 'attempt' && event.type !== 'computer.woke'
  return { kind: 'word', to: isFact ? event.actor : null, word }
}

/** What caused a transition of a gate. */
export const causeInGate = ({ record }: FileGate, event: FileEvent): Cause => {
  if (event.type.endsWith('.broke')) return { kind: 'obstacle', because: 'actorBroke' }
  if (event.type === 'gate.lost') return { kind: 'restart' }
  if (event.type === 'gate.began') return nothing
  const word = wordOf(event, () => record.decision)
  if (typeof word === 'string') return { kind: 'obstacle', because: word }
  // a cause holds the beginning of a note only
  if (event.type === 'gate.answer' && record.decision) word['note'] = record.decision.note
  return { kind: 'word', to: null, word }
}

const nothing: Cause = { kind: 'nothing' }

const saidAtOnce = new Set([
  'lease.granted', 'reply.kept', 'reply.unkept', 'task.accepted', 'task.unrecorded', 'minutes.written',
  'minutes.unwritten',
])

/** What one machine says to another. */
const broughtAbout = new Set([
  'run.began', 'round.began', 'attempt.began', 'round.ended', 'attempt.ended', 'round.stop', 'round.hurry',
  'attempt.resumed', 'attempt.retry',
])

/** Orders of a person that are recorded where they arrive only, by the word that the attempt hears. */
const ordersForSeat: Readonly<Record<string, string>> = { 'attempt.stop': 'seat.cancel', 'attempt.kill': 'seat.kill' }

const orderForSeat = (file: RunRecording, { actor, type, at, cause }: FileEvent): Cause => {
  const seat = file.attempts.find(({ record }) => record.attemptId === actor)?.record.seat
  // any other stop comes down from the run
  if (seat === undefined || (type === 'attempt.stop' && cause['reason'] !== 'passedOver')) return nothing
  return { kind: 'word', to: null, word: { type: ordersForSeat[type] ?? type, seat, attemptId: actor, at } }
}

const CauseFailure = z.object({ code: Failure.shape.code, retryAfterMs: Failure.shape.retryAfterMs })

const wordOf = (
  { type, at, cause }: FileEvent,
  decisionOf: (gateId: string) => GateDecision | null | undefined,
): Word | ReplayObstacle => {
  if ('omitted' in cause || 'omittedBytes' in cause) return 'causeOmitted'
  const plain = Object.entries(cause).filter(([, value]) => typeof value !== 'object' || value === null)
  const word: Word = { ...Object.fromEntries(plain), type, at }
  if (typeof cause['failure'] === 'object') {
    const failure = CauseFailure.safeParse(cause['failure'])
    if (!failure.success) return 'causeOmitted'
    word['failure'] = { ...failure.data, message: '' }
  }
  if (type === 'gate.answered') {
    const decision = decisionOf(String(cause['gateId']))
    if (!decision) return 'gateUnknown'
    word['decision'] = decision
  }
  return word
}
