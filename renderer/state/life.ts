import { attemptSettled } from '../../shared/attempt.ts'
import type { GateRecord } from '../../shared/gate.ts'
import { settled } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'
import { text } from '../text/text.ts'
import type { RunState } from './model.ts'
import { length, since } from './time.ts'

/** From this silence on, the line says so. */
const silentFromMs = 30_000

/** The facts that prove that a turn is where it says it is, in the order they are read. */
export function lifeOf(turn: TurnView, gate: GateRecord | undefined, now: number): string[] {
  const words = text.life
  switch (turn.status) {
    case 'queued':
      return [words.queued, words.since(since(now - turn.calledAt))]
    case 'launching':
      return [words.launching, words.since(since(now - (turn.startedAt ?? turn.calledAt)))]
    case 'streaming':
      return [words.streaming, lastOutput(turn, now), ...alive(turn, now), ...clocks(turn, now)]
    case 'awaitingGate':
    case 'parked':
      return awaits(gate, now)
    case 'resuming':
      return [words.resuming, ...alive(turn, now), ...clocks(turn, now)]
    case 'backingOff':
      return [words.backing(turn.dueAt === null ? text.time.unknown : length(turn.dueAt - now))]
    case 'ending':
      return [words.stopping(turn.dueAt === null ? null : length(turn.dueAt - now)), ...alive(turn, now)]
    case 'overdue':
      return [words.overdue, ...alive(turn, now)]
    case 'settling':
      return [words.settling]
    default:
      return [text.attempt[turn.status]]
  }
}

const awaits = (gate: GateRecord | undefined, now: number) => {
  if (!gate) return [text.life.awaits]
  const until = gate.expiresAt === null ? text.life.noDeadline : text.life.expires(length(gate.expiresAt - now))
  return [text.life.awaits, text.life.asked(since(now - gate.askedAt)), until, text.life.capStill]
}

const lastOutput = (turn: TurnView, now: number) => {
  if (turn.lastOutputAt === null) return text.life.noOutput
  const silence = now - turn.lastOutputAt
  return silence >= silentFromMs ? text.life.silent(since(silence)) : text.life.last(since(silence))
}

const alive = (turn: TurnView, now: number) =>
  turn.aliveSince === null ? [] : [text.life.alive(since(now - turn.aliveSince))]

function clocks(turn: TurnView, now: number) {
  const cap = turn.capAt === null ? [] : [text.life.cap(length(turn.capAt - now))]
  const silence = turn.silenceAt === null ? [] : [text.life.silence(length(turn.silenceAt - now))]
  return [...cap, ...silence]
}

/** Turns that are going on, and those that wait for the person first. */
export const livingTurns = (run: RunState): TurnView[] =>
  run.turns.filter((turn) => !attemptSettled(turn.status)).toSorted((a, b) => rank(a) - rank(b))

const rank = (turn: TurnView) => (turn.status === 'awaitingGate' || turn.status === 'parked' ? 0 : 1)

/** What the run itself waits for, where none of its turns says it. */
export function lifeOfRun(run: RunState): string[] | null {
  const { status } = run.run
  if (settled(status)) return null
  if (status === 'holding') return [text.life.holding, text.life.holdingText]
  if (status === 'stopping') return [text.life.stoppingRun, text.life.stoppingText]
  return livingTurns(run).length > 0 ? null : [text.life.between, text.life.waiting]
}
