import type { Chart } from '../../machines/chart/reading.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { walkOf, type Walk } from '../charts/walk.ts'
import { beforeAll, foldOn, type Past } from './fold.ts'
import type { Moment } from './moments.ts'

/** From how many transitions on one more state is kept to go on from. */
const keptEvery = 64

/**
 * Gives a run as it was at any of its moments, counted from 0. Every so many moments one state is kept, so that a step
 * costs the same in either direction, however long the run was.
 */
export class Positions {
  readonly #moments: readonly Moment[]
  readonly #kept: Past[] = [beforeAll]
  #ways: ReadonlyMap<string, Way> | null = null

  constructor(moments: readonly Moment[]) {
    this.#moments = moments
  }

  at(index: number): Past {
    const past = this.#keptFor(Math.floor((index + 1) / keptEvery))
    return foldOn(past, this.#between(Math.floor((index + 1) / keptEvery) * keptEvery, index + 1))
  }

  /** The way that one machine had gone by then. */
  walk(chart: Chart, actor: string, index: number): Walk {
    this.#ways ??= waysOf(this.#moments)
    return walkUntil(chart, this.#ways.get(actor) ?? { events: [], indexes: [], kept: [] }, index)
  }

  #keptFor(number: number): Past {
    for (let next = this.#kept.length; next <= number; next += 1) {
      const before = this.#kept[next - 1] ?? beforeAll
      this.#kept.push(foldOn(before, this.#between((next - 1) * keptEvery, next * keptEvery)))
    }
    return this.#kept[number] ?? beforeAll
  }

  #between(from: number, to: number): LedgerEvent[] {
    return this.#moments.slice(from, to).flatMap(({ event }) => (event ? [event] : []))
  }
}

/** The transitions of one machine, at which moments they stand, and walks that were kept on the way. */
interface Way {
  events: LedgerEvent[]
  indexes: number[]
  kept: Walk[]
}

function waysOf(moments: readonly Moment[]): Map<string, Way> {
  const ways = new Map<string, Way>()
  for (const [index, { event }] of moments.entries()) {
    if (!event) continue
    const way = ways.get(event.actor) ?? { events: [], indexes: [], kept: [] }
    way.events.push(event)
    way.indexes.push(index)
    ways.set(event.actor, way)
  }
  return ways
}

function walkUntil(chart: Chart, { events, indexes, kept }: Way, index: number): Walk {
  const count = countUpTo(indexes, index)
  const number = Math.floor(count / keptEvery)
  for (let next = kept.length; next < number; next += 1) {
    kept.push(walkOf(chart, events.slice(next * keptEvery, (next + 1) * keptEvery), kept[next - 1]))
  }
  return walkOf(chart, events.slice(number * keptEvery, count), kept[number - 1])
}

/** How many of rising numbers are not above `most`. */
export function countUpTo(rising: readonly number[], most: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? Infinity) <= most) low = middle + 1
    else high = middle
  }
  return low
}
