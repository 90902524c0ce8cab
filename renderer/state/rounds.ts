import { attemptSettled } from '../../shared/attempt.ts'
import { settled, type RunRecord, type Seat } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'

export interface Round {
  round: number
  blind: boolean
  turns: readonly TurnView[]
  /** Who agrees of all seats that count. */
  agreeing: number
  seats: number
  /** From the first call to the last settling; `null` while it goes on. */
  ms: number | null
}

/** The turns of a run by rounds, in order. */
export const roundsOf = (run: RunRecord, turns: readonly TurnView[]): Round[] => {
  const numbers = [...new Set(turns.map((turn) => turn.round))].toSorted((a, b) => a - b)
  return numbers.map((round) =>
    roundOf(
      run,
      round,
      turns.filter((turn) => turn.round === round),
    ),
  )
}

function roundOf(run: RunRecord, round: number, turns: readonly TurnView[]): Round {
  const last = lastOfSeats(turns)
  const done = turns.every((turn) => turn.settledAt !== null)
  const from = Math.min(...turns.map((turn) => turn.calledAt))
  const to = Math.max(...turns.map((turn) => endOf(turn) ?? 0))
  return {
    round,
    blind: run.policy.blindFirst && round === 1 && run.seats.length > 1,
    turns,
    agreeing: last.filter(agrees).length,
    seats: run.seats.length,
    ms: done && (settled(run.status) || round < run.round || turns.length >= run.seats.length) ? to - from : null,
  }
}

/** Whether a turn counts towards agreement. */
export const agrees = (turn: TurnView) => turn.status === 'completed' && turn.vote?.choice === 'agree'

/** The newest turn of each seat: an earlier one was retried or replaced. */
export const lastOfSeats = (turns: readonly TurnView[]): TurnView[] => [
  ...new Map(turns.map((turn) => [turn.seat, turn])).values(),
]

/** How many different positions were taken. */
export const positionsIn = (turns: readonly TurnView[]) =>
  new Set(turns.flatMap((turn) => (turn.vote ? [turn.vote.position.trim().toLowerCase()] : []))).size

/** Whether the rounds of this run mean anything to the person: a plain answer has none. */
export const hasRounds = (run: RunRecord) => run.policy.consensus && run.policy.rounds !== 1

/** The rounds that the board has room to show, those that are not reached included. */
export function columnsOf(run: RunRecord): number[] {
  const ahead = settled(run.status) ? run.round : run.round + 1
  const most = run.policy.rounds ?? Math.max(ahead, 6)
  return Array.from({ length: Math.max(1, most, run.round) }, (_, index) => index + 1)
}

export const turnAt = (turns: readonly TurnView[], { seat }: Pick<Seat, 'seat'>, round: number) =>
  turns.findLast((turn) => turn.seat === seat && turn.round === round)

/** How long a turn has taken, or took. */
export const turnMs = (turn: TurnView, now: number) =>
  Math.max(0, (endOf(turn) ?? now) - (turn.startedAt ?? turn.calledAt))

/** When a turn ended. Of what a restart found lost, only the last sign of life is known. */
export function endOf(turn: TurnView): number | null {
  const isLost = turn.status === 'interrupted' && turn.failure?.code !== 'app.shutting-down'
  return isLost ? (turn.lastOutputAt ?? turn.startedAt ?? turn.calledAt) : turn.settledAt
}

/** The turn that each seat which did not complete ended with, for retries. */
export const unfinished = (turns: readonly TurnView[]) => {
  const round = Math.max(0, ...turns.map((turn) => turn.round))
  return lastOfSeats(turns.filter((turn) => turn.round === round)).filter(
    (turn) => attemptSettled(turn.status) && turn.status !== 'completed',
  )
}
