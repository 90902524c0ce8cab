import type { Envelope, Push } from '../../shared/ipc.ts'
import type { OutputRow, TurnView } from '../../shared/view.ts'
import type { Model, RunState, World } from './model.ts'
import { inWorld, joinEvents, upserted } from './read.ts'

/** Applies pushes in order. A repeat changes nothing; a hole marks everything to be read again. */
export const withPushes = (model: Model, envelopes: readonly Envelope[]): Model => envelopes.reduce(withPush, model)

/** Applies again what was pushed while an answer was on its way, by whatever number: the answer may be older. */
export const withPushesAgain = (model: Model, envelopes: readonly Envelope[]): Model => envelopes.reduce(applied, model)

function withPush(model: Model, envelope: Envelope): Model {
  const last = model.heard[envelope.topic]
  if (last !== undefined && envelope.seq <= last) return model
  const missed = model.missed || (last !== undefined && envelope.seq > last + 1)
  const heard = { ...model.heard, [envelope.topic]: envelope.seq }
  return applied({ ...model, heard, missed }, envelope)
}

function applied(model: Model, { topic, body }: Envelope): Model {
  switch (topic) {
    case 'app.changed':
      // what was shown before may not have been kept
      return inWorld({ ...model, missed: model.missed || isWritableAgain(model, body) }, (world) => ({
        ...world, app: body.app,
      }))
    case 'settings.changed':
      return inWorld(model, (world) => ({ ...world, settings: body.settings }))
    case 'agents.changed':
      return inWorld(model, (world) => ({ ...world, agents: body.agents }))
    case 'gates.changed':
      return inWorld(model, (world) => ({ ...world, gates: withGates(world.gates, body.gates) }))
    case 'providers.changed':
      return inWorld(model, (world) => withProviders(world, body))
    case 'conversations.changed':
      return inWorld(model, (world) => withRows(world, body))
    case 'queue.changed':
      return inWorld(model, (world) => withQueue(world, body))
    case 'run.changed':
      return withRunPatch(model, body)
    case 'run.detail':
      return inWorld(model, (world) => withDetail(world, body))
    case 'output.added':
      return withOutput(model, body)
    case 'install.changed':
      return inWorld(model, (world) => ({ ...world, install: body.install }))
    case 'pushes.missed':
      return { ...model, missed: true }
  }
}

const isWritableAgain = ({ world }: Model, { app }: Push<'app.changed'>): boolean =>
  Boolean(world?.app.readOnly) && app.readOnly === null

const withGates = (known: World['gates'], changed: World['gates']) => {
  const ids = new Set(changed.map((gate) => gate.gateId))
  return [...known.filter((gate) => !ids.has(gate.gateId)), ...changed]
}

/** Whoever asks for them first reads whether keys are kept as well. */
const withProviders = (world: World, { profiles }: Push<'providers.changed'>): World =>
  world.providers ? { ...world, providers: { ...world.providers, profiles } } : world

function withRows(world: World, { rows, removed }: Push<'conversations.changed'>): World {
  const kept = world.rows.filter((row) => !removed.includes(row.conversationId))
  const conversations = Object.fromEntries(
    Object.entries(world.conversations)
      .filter(([id]) => !removed.includes(id))
      .map(([id, open]) => [id, renamed(open, rows)]),
  )
  return { ...world, rows: upserted(kept, rows), conversations }
}

/** Name and members are in the row too. */
const renamed = (open: World['conversations'][string], rows: World['rows']) => {
  const row = rows.find((one) => one.conversationId === open.conversation.conversationId)
  if (!row) return open
  return { ...open, conversation: { ...open.conversation, name: row.name, members: row.members } }
}

function withQueue(world: World, { conversationId, queue }: Push<'queue.changed'>): World {
  const open = world.conversations[conversationId]
  if (!open) return world
  return { ...world, conversations: { ...world.conversations, [conversationId]: { ...open, queue } } }
}

function withRunPatch(model: Model, patch: Push<'run.changed'>): Model {
  const { runId, conversationId } = patch.run
  const world = model.world
  const open = world?.conversations[conversationId]
  if (!world || (!open && !world.runs[runId])) return model
  const known = world.runs[runId]
  // it was said before what we read
  if (known && patch.seq < known.seq) return model
  const run = known ? patchedRun(known, patch) : newRun(patch)
  const conversations =
    open && !open.runIds.includes(runId)
      ? { ...world.conversations, [conversationId]: { ...open, runIds: [...open.runIds, runId] } }
      : world.conversations
  const changed = { ...model, world: { ...world, conversations, runs: { ...world.runs, [runId]: run } } }
  return known ? changed : stale(changed, runId)
}

function withDetail(world: World, { runId, detail }: Push<'run.detail'>): World {
  const run = world.runs[runId]
  return run ? { ...world, runs: { ...world.runs, [runId]: { ...run, detail } } } : world
}

const newRun = ({ run, actors, turns, seq }: Push<'run.changed'>): RunState => ({
  run,
  // it is read at once, and with it what came with the message
  images: [],
  actors,
  turns: turns.map((turn) => ({ ...turn, text: turn.text ?? '' })),
  seq,
  detail: 'whole',
  events: [],
  eventsRead: false,
  work: {},
})

function patchedRun(known: RunState, patch: Push<'run.changed'>): RunState {
  const own = patch.events.filter((event) => event.rootId === patch.run.runId)
  const follows = known.eventsRead && (own[0] === undefined || own[0].seq <= (known.events.at(-1)?.seq ?? 0) + 1)
  const moved = new Set(patch.actors.map(({ actor, machine }) => `${machine} ${actor}`))
  return {
    ...known,
    run: patch.run,
    seq: patch.seq,
    actors: [...known.actors.filter(({ actor, machine }) => !moved.has(`${machine} ${actor}`)), ...patch.actors],
    turns: patchedTurns(known.turns, patch.turns),
    events: follows ? joinEvents(known.events, own) : known.events,
    eventsRead: follows,
  }
}

function patchedTurns(known: readonly TurnView[], patches: Push<'run.changed'>['turns']): TurnView[] {
  const next = known.map((turn) => {
    const patch = patches.find(({ attemptId }) => attemptId === turn.attemptId)
    return patch ? patchedTurn(turn, patch) : turn
  })
  const fresh = patches.filter(({ attemptId }) => !known.some((turn) => turn.attemptId === attemptId))
  return [...next, ...fresh.map((turn) => ({ ...turn, text: turn.text ?? '' }))]
}

/** The text that reaches further is the true one. */
function patchedTurn(turn: TurnView, patch: Push<'run.changed'>['turns'][number]): TurnView {
  const { text, outputSeq } = patch.text === null || patch.outputSeq < turn.outputSeq ? turn : patch
  return { ...patch, text: text ?? '', outputSeq }
}

function withOutput(model: Model, { runId, rows }: Push<'output.added'>): Model {
  const world = model.world
  const run = world?.runs[runId]
  if (!world || !run) return model
  const known = new Set(run.turns.map((turn) => turn.attemptId))
  const { silenceMs } = run.run.policy
  const turns = run.turns.map((turn) =>
    rows.filter((row) => row.attemptId === turn.attemptId).reduce((one, row) => withRow(one, row, silenceMs), turn),
  )
  const work = rows.reduce(noted, run.work)
  const changed = { ...model, world: { ...world, runs: { ...world.runs, [runId]: { ...run, turns, work } } } }
  return rows.every((row) => known.has(row.attemptId)) ? changed : stale(changed, runId)
}

function withRow(turn: TurnView, { seq, at, item }: OutputRow, silenceMs: number): TurnView {
  if (seq <= turn.outputSeq) return turn
  const text = item.type === 'text' ? turn.text + item.delta : item.type === 'textReplaced' ? item.text : turn.text
  // silence counts from the last output
  const silenceAt = turn.silenceAt === null ? null : Math.max(turn.silenceAt, at + silenceMs)
  const usage = item.type === 'usage' ? item.usage : turn.usage
  const lastOutputAt = Math.max(at, turn.lastOutputAt ?? 0)
  return { ...turn, text, textLength: text.length, outputSeq: seq, lastOutputAt, silenceAt, usage }
}

function noted(work: RunState['work'], { attemptId, item }: OutputRow): RunState['work'] {
  const known = work[attemptId] ?? { tool: null, plan: null, reasoned: false }
  if (item.type === 'tool') return { ...work, [attemptId]: { ...known, tool: item.tool } }
  if (item.type === 'plan') return { ...work, [attemptId]: { ...known, plan: item.entries } }
  if (item.type === 'reasoning' && !known.reasoned) return { ...work, [attemptId]: { ...known, reasoned: true } }
  return work
}

const stale = (model: Model, runId: string): Model =>
  model.staleRuns.includes(runId) ? model : { ...model, staleRuns: [...model.staleRuns, runId] }
