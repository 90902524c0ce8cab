import { mayRetry, type Failure } from '../../shared/errors.ts'
import { timedOutTurnsBeforeSkipMax } from '../../shared/limits.ts'
import type { Seat } from '../../shared/run.ts'
import type { SeatResult } from '../round/memory.ts'
import type { LastRound, RunContext } from './memory.ts'

/** One agreeing voice is not an agreement. */
const agreeingMin = 2

type SeatInRound = LastRound['seats'][number]

/** Everybody who was not passed over by the person completed and agrees, and there are at least two of them. */
export const everyoneAgrees = ({ seats }: LastRound): boolean => {
  const required = seats.filter((seat) => !wasPassedOver(seat))
  return required.length >= agreeingMin && required.every(agrees)
}

export const everyoneAnswered = ({ seats }: LastRound): boolean =>
  seats.every(({ result }) => result?.status === 'completed')

export const someoneAnswered = ({ seats }: LastRound): boolean => seats.some(answered)

/** The person took the floor from every seat: nobody failed, nobody was left. */
export const everyoneWasPassedOver = ({ seats }: LastRound): boolean => seats.length > 0 && seats.every(wasPassedOver)

/** Every seat had its turn and none of them has anything to show for it. */
export const everyoneFailed = (last: LastRound): boolean =>
  last.seats.every(({ result }) => result !== null) && !someoneAnswered(last) && !everyoneWasPassedOver(last)

/** Nothing moved: no agent says that it changed its mind, or all positions are word for word what they were. */
export const nothingMoved = (before: Record<string, string>, { seats }: LastRound): boolean => {
  const votes = seats.flatMap(({ seat, result }) => result?.vote ? [{ seat, vote: result.vote }] : [])
  if (votes.length === 0 || Object.keys(before).length === 0) return false
  return votes.every(({ vote }) => !vote.changed) || votes.every(({ seat, vote }) => before[seat] === vote.position)
}

/** The positions of a round by seat; who said nothing keeps the old one. */
export const positionsOf = (before: Record<string, string>, { seats }: LastRound): Record<string, string> => ({
  ...before,
  ...Object.fromEntries(seats.flatMap(({ seat, result }) => result?.vote ? [[seat, result.vote.position]] : [])),
})

/** A failure that nothing but a person can mend takes the seat out of this run, as do two missed turns in a row. */
export const seatsAfter = (seats: Seat[], misses: Record<string, number>, last: LastRound): Seat[] =>
  seats.map((seat) => {
    const result = resultOf(last, seat.seat)
    if (!result || seat.standing !== 'seated') return seat
    const skipped = failedForGood(result) || (misses[seat.seat] ?? 0) >= timedOutTurnsBeforeSkipMax
    return { ...seat, standing: skipped ? 'skipped' : 'seated' }
  })

/** Turns in a row that each seat let pass. */
export const missesAfter = (misses: Record<string, number>, last: LastRound): Record<string, number> => ({
  ...misses,
  ...Object.fromEntries(last.seats.flatMap(({ seat, result }) =>
    result ? [[seat, missedItsTurn(result) ? (misses[seat] ?? 0) + 1 : 0]] : [])),
})

/** The first failure of the table, as the reason of a run in which everyone failed. */
export const firstFailure = (last: LastRound | null): Failure | null =>
  last?.seats.find(({ result }) => result?.failure)?.result?.failure ?? null

/** What took the turns that were lost, in the words of the first of them. */
export const lossOf = (last: LastRound | null): Failure | null =>
  last?.seats.find(({ result }) => result?.status === 'interrupted')?.result?.failure ?? null

/** Whether enough seats are left for what the policy asks. */
export const enoughAreSeated = ({ seats, policy }: RunContext): boolean =>
  seats.filter(({ standing }) => standing === 'seated').length >= (policy.consensus ? agreeingMin : 1)

const resultOf = (last: LastRound, seat: string) => last.seats.find((candidate) => candidate.seat === seat)?.result

const agrees = ({ result }: SeatInRound) => result?.status === 'completed' && result.vote?.choice === 'agree'

const answered = ({ result }: SeatInRound) => result?.status === 'completed' || result?.status === 'partial'

const wasPassedOver = ({ result }: SeatInRound) => result?.status === 'stopped' || result?.status === 'skipped'

const failedForGood = ({ status, failure }: SeatResult) =>
  status === 'failed' && (failure === null || !mayRetry(failure))

const missedItsTurn = ({ status }: SeatResult) => status === 'timedOut' || status === 'failed'
