import { attemptSettled } from '../../shared/attempt.ts'
import { GateStatus, type GateRecord } from '../../shared/gate.ts'
import { settled, type RunRecord, type Seat } from '../../shared/run.ts'
import type { TimelineEnd } from '../../shared/timeline.ts'
import type { Usage } from '../../shared/usage.ts'
import type { OutputRow, TurnView } from '../../shared/view.ts'
import { leafOf } from '../components/cause.ts'
import type { RunState } from '../state/model.ts'
import type { Past, PastAttempt } from './fold.ts'
import { heardBy, type Heard } from './heard.ts'
import type { Moment } from './moments.ts'

/** A run as it stood at one moment, in the shape in which the present is drawn. */
export interface Picture {
  run: RunState
  gates: readonly GateRecord[]
  /** Of the attempts that were going on then, how far what they had said is known. */
  heard: ReadonlyMap<string, Heard>
}

/** The recorded output of an attempt; `null` while it is being read. */
export type OutputOf = (attemptId: string) => readonly OutputRow[] | null

/** Puts a moment's picture together: what the transitions tell, and of the record what had come by then. */
export function pictureAt(past: Past, { at, event }: Moment, end: TimelineEnd, outputOf: OutputOf): Picture {
  // the end that was found after a restart is the record itself
  if (event === null) return { run: stateOf(end.run, end.turns, end), gates: end.gates, heard: new Map() }
  const gates = end.gates.flatMap((gate) => gateThen(gate, past) ?? [])
  const heard = new Map<string, Heard>()
  const turns = end.turns.flatMap((turn) => {
    const attempt = past.attempts.get(turn.attemptId)
    if (!attempt) return []
    if (attemptSettled(attempt.status)) return [settledTurn(turn, attempt)]
    const output = heardBy(turn, outputOf(turn.attemptId), at)
    heard.set(turn.attemptId, output)
    return [openTurn(turn, attempt, output, gates)]
  })
  return { run: stateOf(runThen(end, past), turns, end), gates, heard }
}

/** Attempts that were going on: of them it must be read what they had said by then. */
export const openAttempts = ({ attempts }: Past): string[] =>
  [...attempts].flatMap(([attemptId, { status }]) => (attemptSettled(status) ? [] : [attemptId]))

/** Everything that the run had used by then; `costUsd` is `null` where no agent told of a cost. */
export function usageOf(turns: readonly TurnView[]): Usage {
  const said = turns.map(({ usage }) => usage).filter(({ provenance }) => provenance !== 'unknown')
  const sum = (of: (usage: Usage) => number) => said.reduce((all, usage) => all + of(usage), 0)
  const costs = said.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    costUsd: costs.length === 0 ? null : costs.reduce((all, cost) => all + cost, 0),
    provenance: provenanceOf(said),
  }
}

const provenanceOf = (said: readonly Usage[]): Usage['provenance'] => {
  if (said.length === 0) return 'unknown'
  return said.some(({ provenance }) => provenance === 'estimated') ? 'estimated' : 'reported'
}

const stateOf = (run: RunRecord, turns: TurnView[], { images }: TimelineEnd): RunState => ({
  run, images, turns, actors: [], seq: 0, detail: 'whole', events: [], eventsRead: true, work: {},
})

function runThen({ run, turns }: TimelineEnd, past: Past): RunRecord {
  const { status, round } = past
  const over = settled(status)
  return {
    ...run,
    status,
    round,
    settledAt: over ? run.settledAt : null,
    reason: over ? run.reason : null,
    stop: over || status === 'stopping' ? run.stop : null,
    seats: over ? run.seats : run.seats.map((seat) => seatThen(seat, turns, past)),
  }
}

/** Whoever was put on the seat last; nobody yet, who spoke on it first. */
function seatThen(seat: Seat, turns: readonly TurnView[], { attempts, replaced }: Past): Seat {
  const own = turns.filter((turn) => turn.seat === seat.seat)
  const spoke = own.findLast(({ attemptId }) => attempts.has(attemptId))
  const agent = replaced.get(seat.seat) ?? spoke?.agent ?? own[0]?.agent ?? seat.agent
  return { seat: seat.seat, agent, standing: 'seated' }
}

/** What has ended stays as it ended, and so is the record's own. */
const settledTurn = (turn: TurnView, { status, settledAt }: PastAttempt): TurnView =>
  turn.status === status ? turn : { ...turn, status, settledAt }

function openTurn(turn: TurnView, attempt: PastAttempt, output: Heard, gates: readonly GateRecord[]): TurnView {
  const { status, tries, startedAt, aliveSince, failure } = attempt
  const { text, usage, toolCount, lastOutputAt, outputSeq } = output
  return {
    ...turn,
    status, tries, startedAt, aliveSince, text, usage, toolCount, lastOutputAt, outputSeq,
    textLength: text.length,
    failure: failure === null ? null : { code: failure, message: '' },
    vote: null,
    noVote: null,
    denials: 0,
    settledAt: null,
    capAt: null,
    silenceAt: null,
    dueAt: null,
    gateId: gates.findLast(({ asker }) => asker.id === turn.attemptId)?.gateId ?? null,
  }
}

/** A gate as it stood; `null` before it was asked. */
function gateThen(gate: GateRecord, { latest }: Past): GateRecord | null {
  const event = latest.get(gate.gateId)
  if (!event) return null
  const status = GateStatus.safeParse(leafOf(event.value))
  if (!status.success || status.data === gate.status) return gate
  const isAnswered = status.data === 'answered' || status.data === 'applying'
  return {
    ...gate, status: status.data, decision: isAnswered ? gate.decision : null, endReason: null, settledAt: null,
  }
}
