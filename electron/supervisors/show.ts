import type { ActorView, LedgerEvent } from '../../shared/ledger.ts'
import type { HearPush } from '../shell.ts'
import type { Stores } from '../stores/stores.ts'
import type { Cut } from './recorder.ts'

/**
 * Tells the window what written cuts have changed: each run in them, its conversation's line, and the gates.
 * Nobody's work waits for it: what is written in one go is shown once, as it then stands.
 */
export class CutShow {
  readonly #stores: Stores
  readonly #push: HearPush
  #events: LedgerEvent[] = []
  #gateIds = new Set<string>()
  #soon: NodeJS.Immediate | null = null

  constructor(stores: Stores, push: HearPush) {
    this.#stores = stores
    this.#push = push
  }

  add(cut: Cut): void {
    this.#events.push(...cut.events)
    for (const { machine, actor } of cut.moved) if (machine === 'gate') this.#gateIds.add(actor)
    this.#soon ??= setImmediate(() => this.flush())
  }

  /** Shows what is left to show, as long as the stores can be read. */
  flush(): void {
    if (this.#soon) clearImmediate(this.#soon)
    this.#soon = null
    const events = this.#events
    const gateIds = [...this.#gateIds]
    this.#events = []
    this.#gateIds = new Set()
    if (!this.#stores.isOpen) return
    for (const [rootId, own] of Map.groupBy(events, (event) => event.rootId)) {
      if (own.some(({ machine }) => machine !== 'gate')) showRun(this.#stores, this.#push, rootId, own)
    }
    if (gateIds.length > 0) showGates(this.#stores, this.#push, gateIds)
  }
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
