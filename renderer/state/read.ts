import type { LedgerEvent } from '../../shared/ledger.ts'
import { conversationsReadMax } from '../../shared/limits.ts'
import type { AppSnapshot, ConversationRow, ConversationView, RunView } from '../../shared/view.ts'
import type { Model, RunState, World } from './model.ts'

/** Puts in the start of everything; what was open stays open until it is read again. */
export const withSnapshot = (model: Model, snapshot: AppSnapshot): Model => ({
  ...model,
  failure: null,
  missed: false,
  world: {
    app: snapshot.app,
    settings: snapshot.settings,
    home: snapshot.home,
    agents: snapshot.agents,
    rows: sorted(snapshot.conversations),
    moreConversations: snapshot.moreConversations,
    gates: snapshot.gates,
    install: snapshot.install,
    offers: model.world?.offers ?? null,
    providers: model.world?.providers ?? null,
    conversations: model.world?.conversations ?? {},
    runs: model.world?.runs ?? {},
  },
})

/** Puts in a conversation as it was opened, or a page of its older runs. */
export const withConversation = (model: Model, view: ConversationView, page: 'newest' | 'older'): Model =>
  inWorld(model, (world) => {
    const id = view.conversation.conversationId
    const known = world.conversations[id]
    const read = view.runs.map((run) => run.run.runId)
    const kept = (known?.runIds ?? []).filter((runId) => !read.includes(runId))
    // a page read anew replaces what it covers; older runs read before it stay in front
    const runIds = page === 'older' ? [...read, ...kept] : [...kept, ...read]
    const { [id]: _before, ...others } = world.conversations
    return withoutOldest({
      ...world,
      rows: upserted(world.rows, [view.row]),
      conversations: {
        ...others,
        // behind the others: it was opened last
        [id]: {
          conversation: view.conversation,
          draft: page === 'older' && known ? known.draft : view.draft,
          draftImages: view.draftImages,
          queue: view.queue,
          runIds,
          older: page === 'older' || kept.length === 0 ? view.older : (known?.older ?? null),
        },
      },
      runs: view.runs.reduce(putRun, world.runs),
    })
  })

/** Forgets what was opened longest ago, so that a window stays small; it is read again when it is opened again. */
const withoutOldest = (world: World): World => {
  const entries = Object.entries(world.conversations)
  if (entries.length <= conversationsReadMax) return world
  const forgotten = new Set(entries.slice(0, -conversationsReadMax).flatMap(([, { runIds }]) => runIds))
  return {
    ...world,
    conversations: Object.fromEntries(entries.slice(-conversationsReadMax)),
    runs: Object.fromEntries(Object.entries(world.runs).filter(([runId]) => !forgotten.has(runId))),
  }
}

/** Puts in one run as it was read. */
export const withRun = (model: Model, view: RunView): Model => ({
  ...inWorld(model, (world) => ({ ...world, runs: putRun(world.runs, view) })),
  staleRuns: model.staleRuns.filter((runId) => runId !== view.run.runId),
})

/** Appends a page of a run's transitions; `whole` says that no more follow. */
export const withEvents = (model: Model, runId: string, events: readonly LedgerEvent[], whole: boolean): Model =>
  inWorld(model, (world) => {
    const run = world.runs[runId]
    if (!run) return world
    const joined = joinEvents(run.events, events)
    return { ...world, runs: { ...world.runs, [runId]: { ...run, events: joined, eventsRead: whole } } }
  })

/** Appends events that follow without a hole; repeats are left out. */
export const joinEvents = (known: readonly LedgerEvent[], more: readonly LedgerEvent[]): readonly LedgerEvent[] => {
  const last = known.at(-1)?.seq ?? 0
  const fresh = more.filter((event) => event.seq > last)
  return fresh.length === 0 ? known : [...known, ...fresh]
}

export const inWorld = (model: Model, change: (world: World) => World): Model =>
  model.world ? { ...model, world: change(model.world) } : model

/** Rows with these put in, newest first. */
export const upserted = (rows: readonly ConversationRow[], changed: readonly ConversationRow[]) => {
  const ids = new Set(changed.map((row) => row.conversationId))
  return sorted([...rows.filter((row) => !ids.has(row.conversationId)), ...changed])
}

const sorted = (rows: readonly ConversationRow[]) => rows.toSorted((a, b) => b.updatedAt - a.updatedAt)

const putRun = (runs: World['runs'], view: RunView): World['runs'] => {
  const known = runs[view.run.runId]
  // what was pushed may be newer than what was read meanwhile
  if (known && known.seq > view.seq) return runs
  const run: RunState = {
    ...view,
    events: known?.events ?? [],
    eventsRead: known ? known.eventsRead && known.seq === view.seq : false,
    work: known?.work ?? {},
  }
  return { ...runs, [view.run.runId]: run }
}
