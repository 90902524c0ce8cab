import { AttemptStatus, attemptSettled } from '../../shared/attempt.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { TurnView } from '../../shared/view.ts'
import { leafOf } from '../components/cause.ts'
import type { History, Moment } from './moments.ts'
import { countUpTo } from './positions.ts'

/** From its first moment to its last, both counted from 0; `over` once it has ended. */
interface Span {
  from: number
  to: number
  over: boolean
}

/** What lies along the slider: rounds as bands, attempts as bars, gates as marks; and where each moment lies. */
export interface Sights {
  rounds: readonly (Span & { round: number })[]
  attempts: readonly (Span & { turn: TurnView })[]
  gates: readonly (Span & { gate: GateRecord })[]
  /** Of each moment, from 0 to 1. */
  places: readonly number[]
}

export function sightsOf({ moments, end }: History): Sights {
  const spans = spansOf(moments)
  const { runId } = end.run
  const numbers = [...new Set(end.turns.map(({ round }) => round))].toSorted((a, b) => a - b)
  return {
    rounds: numbers.flatMap((round) => {
      const span = spans.get(`${runId}/${round}`)
      return span ? [{ ...span, round }] : []
    }),
    attempts: end.turns.flatMap((turn) => {
      const span = spans.get(turn.attemptId)
      return span ? [{ ...span, turn }] : []
    }),
    gates: end.gates.flatMap((gate) => {
      const span = spans.get(gate.gateId)
      return span ? [{ ...span, gate }] : []
    }),
    places: placesOf(moments),
  }
}

function spansOf(moments: readonly Moment[]): Map<string, Span> {
  const spans = new Map<string, Span>()
  const last = moments.length - 1
  for (const [index, { event }] of moments.entries()) {
    if (!event) continue
    const known = spans.get(event.actor)
    const over = isOver(event.machine, leafOf(event.value))
    // whatever has not ended goes on to the end of what is on record
    spans.set(event.actor, { from: known?.from ?? index, to: over ? index : last, over })
  }
  return spans
}

const roundEnds = new Set(['tallied', 'stopped', 'interrupted'])
const gateEnds = new Set(['applied', 'expired', 'withdrawn'])

function isOver(machine: string, leaf: string): boolean {
  if (machine === 'round') return roundEnds.has(leaf)
  if (machine === 'gate') return gateEnds.has(leaf)
  const status = AttemptStatus.safeParse(leaf)
  return status.success && attemptSettled(status.data)
}

/** The longest time between two moments that is drawn as long as it was: a night at a gate hides nothing else. */
const gapShownMaxMs = 30_000
/** How much room a moment has by itself, as if so much time had passed before it. */
const momentRoomMs = 3_000

function placesOf(moments: readonly Moment[]): number[] {
  let sum = 0
  const sums = moments.map(({ at }, index) => {
    const before = moments[index - 1]
    if (before) sum += momentRoomMs + Math.min(gapShownMaxMs, Math.max(0, at - before.at))
    return sum
  })
  return sums.map((one) => (sum === 0 ? 0 : one / sum))
}

/** The moment that lies nearest to a place on the slider. */
export function nearestMoment(places: readonly number[], place: number): number {
  const after = Math.min(countUpTo(places, place), places.length - 1)
  const before = Math.max(0, after - 1)
  return place - (places[before] ?? 0) <= (places[after] ?? 0) - place ? before : after
}

export type Step = 'event' | 'attempt' | 'round' | 'end'

/** Where a step leads to: by event to the next one, by attempt and by round to where the next one has ended. */
export function stepped({ attempts, rounds, places }: Sights, index: number, step: Step, way: 1 | -1): number {
  const last = places.length - 1
  if (step === 'event') return Math.min(last, Math.max(0, index + way))
  if (step === 'end') return way > 0 ? last : 0
  const stops = (step === 'attempt' ? attempts : rounds).map(({ to }) => to).toSorted((a, b) => a - b)
  return (way > 0 ? stops.find((stop) => stop > index) : stops.findLast((stop) => stop < index)) ?? (way > 0 ? last : 0)
}
