import { attemptSettled } from '../../shared/attempt.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { settled } from '../../shared/run.ts'
import type { TimelineEnd } from '../../shared/timeline.ts'
import { leafOf } from '../components/cause.ts'

/** A position in a run's history: a transition, or `null` for the end that was found where no transition led. */
export interface Moment {
  /** Stays the same whatever is recorded later. */
  key: string
  at: number
  event: LedgerEvent | null
}

/** A whole history as far as it was read: its moments in order, and what it came to. */
export interface History {
  moments: readonly Moment[]
  end: TimelineEnd
}

/** Transitions of a run and of its gates in one order, and after them the end that a restart wrote without one. */
export const historyOf = (events: readonly LedgerEvent[], end: TimelineEnd): History => {
  const moments = inOrder(events, end.gateEvents).map(momentOf)
  const found = foundAt(moments, end)
  return { moments: found === null ? moments : [...moments, { key: 'found', at: found, event: null }], end }
}

const momentOf = (event: LedgerEvent): Moment => ({ key: `${event.rootId} ${event.seq}`, at: event.at, event })

/** A run counts its own transitions; a gate's stand before the first of them that came no earlier. */
function inOrder(events: readonly LedgerEvent[], gateEvents: readonly LedgerEvent[]): LedgerEvent[] {
  const waiting = gateEvents.toSorted((a, b) => a.at - b.at || a.seq - b.seq)
  const merged: LedgerEvent[] = []
  let next = 0
  for (const event of events) {
    for (let gate = waiting[next]; gate && gate.at <= event.at; gate = waiting[next]) {
      merged.push(gate)
      next += 1
    }
    merged.push(event)
  }
  return [...merged, ...waiting.slice(next)]
}

/** When the record was settled of what has no transition that says so; `null` where every end has one. */
function foundAt(moments: readonly Moment[], { run, turns }: TimelineEnd): number | null {
  const last = new Map(moments.map(({ event }) => [event?.actor, event ? leafOf(event.value) : '']))
  const lost = [
    ...(settled(run.status) && last.get(run.runId) !== run.status ? [run.settledAt] : []),
    ...turns.flatMap(({ attemptId, status, settledAt }) =>
      attemptSettled(status) && last.get(attemptId) !== status ? [settledAt] : [],
    ),
  ]
  if (lost.length === 0) return null
  return Math.max(...lost.map((at) => at ?? 0), moments.at(-1)?.at ?? run.startedAt)
}
