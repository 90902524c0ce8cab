import type { Actor, AnyActorRef, AnyMachineSnapshot } from 'xstate'
import type { runMachine } from '../../machines/run.ts'
import { AppError } from '../../shared/errors.ts'

/** A person's order, as the run's chart hears it. One for a seat names the attempt it means. */
export type RunOrder = { type: string; [field: string]: unknown }

type Run = ReturnType<Actor<typeof runMachine>['getSnapshot']>

/** What the attempt itself hears of an order for its seat. */
const wordsForAttempt: Readonly<Record<string, RunOrder>> = {
  'seat.cancel': { type: 'attempt.stop', reason: 'passedOver' },
  'seat.replace': { type: 'attempt.stop', reason: 'passedOver' },
  'seat.retry': { type: 'attempt.retry' },
  'seat.kill': { type: 'attempt.kill' },
}

/**
 * Whether an order has to be passed on; `false` for a stop of what is stopping already.
 * Throws `run.cannot` or `attempt.cannot` where the charts would let it pass unheard.
 */
export const mustPassOn = (run: Run, order: RunOrder): boolean => {
  if (order.type in wordsForAttempt) {
    if (isHeardBySeat(run, order)) return true
    throw new AppError('attempt.cannot', 'This cannot be done with the attempt as it is now.')
  }
  if (order.type === 'run.stop' && isEnding(run)) return false
  const changesNothing = order.type === 'run.resume' && run.matches('conferring') && !run.context.pauseWanted
  if (hears(run, order) && !changesNothing) return true
  throw new AppError('run.cannot', 'This cannot be done with the run as it is now.')
}

const isEnding = (run: Run): boolean => run.matches({ conferring: 'stopping' }) || run.matches('concluding')

const isHeardBySeat = (run: Run, order: RunOrder): boolean => {
  if (!hears(run, order) || isSeatedAlready(run, order)) return false
  const round = machineIn(run.children['round'])
  if (!round) return order.type !== 'seat.retry' || standingOf(run, order) !== 'seated'
  const attempt = machineIn(round.children[String(order['attemptId'])])
  const word = { type: order.type, ...wordsForAttempt[order.type], at: order['at'] }
  return hears(round, order) && (!attempt || attempt.status !== 'active' || hears(attempt, word))
}

/** An agent has one seat at a table. */
const isSeatedAlready = ({ context }: Run, order: RunOrder): boolean =>
  order.type === 'seat.replace' && context.seats.some(({ agent }) => agent === order['agent'])

const standingOf = ({ context }: Run, order: RunOrder) =>
  context.seats.find(({ seat }) => seat === order['seat'])?.standing

const hears = (snapshot: AnyMachineSnapshot, event: RunOrder): boolean => snapshot.can(event)

const machineIn = (actor: AnyActorRef | undefined): AnyMachineSnapshot | null => {
  const snapshot: unknown = actor?.getSnapshot()
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot
    ? (snapshot as AnyMachineSnapshot)
    : null
}
