import type { ActorView, LedgerEvent } from '../../shared/ledger.ts'
import type { HearPush } from '../shell.ts'
import type { Stores } from '../stores/stores.ts'
import type { Cut } from './recorder.ts'

/** Tells the window what a written cut has changed: each run in it, its conversation's line, and the gates. */
export const showCut = (stores: Stores, push: HearPush, cut: Cut): void => {
  for (const rootId of new Set(cut.events.map((event) => event.rootId))) {
    const events = cut.events.filter((event) => event.rootId === rootId)
    if (events.some(({ machine }) => machine !== 'gate')) showRun(stores, push, rootId, events)
  }
  const gateIds = cut.moved.filter(({ machine }) => machine === 'gate').map(({ actor }) => actor)
  if (gateIds.length > 0) showGates(stores, push, gateIds)
}

/** Shows a run with what its events moved; without events, with all of its turns. */
export const showRun = (stores: Stores, push: HearPush, runId: string, events: LedgerEvent[]): void => {
  const run = stores.runs.get(runId)
  if (!run) return
  const moved = new Set(events.filter(({ machine }) => machine === 'attempt').map(({ actor }) => actor))
  push('run.changed', {
    run,
    actors: latestOf(events),
    turns:
      events.length === 0
        ? stores.views.run(runId).turns
        : [...moved].map((attemptId) => stores.views.turn(attemptId)),
    events,
    seq: events.at(-1)?.seq ?? stores.ledger.lastSeq(runId),
  })
  showRows(stores, push, [run.conversationId])
}

const showGates = (stores: Stores, push: HearPush, gateIds: string[]): void => {
  const changed = gateIds.flatMap((gateId) => stores.gates.get(gateId) ?? [])
  push('gates.changed', { gates: changed })
  showRows(stores, push, [...new Set(changed.map(({ asker }) => asker.conversationId))])
}

const showRows = (stores: Stores, push: HearPush, conversationIds: string[]): void => {
  push('conversations.changed', {
    rows: conversationIds.flatMap((conversationId) => stores.list.row(conversationId) ?? []),
    removed: [],
  })
}

const latestOf = (events: LedgerEvent[]): ActorView[] => {
  const latest = new Map(events.map((event) => [event.actor, event]))
  return [...latest.values()].map(({ machine, actor, value, type, at, from }) => ({
    machine,
    actor,
    value,
    last: { type, at, from },
  }))
}
