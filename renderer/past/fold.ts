import { AgentId } from '../../shared/agent.ts'
import { AttemptStatus, attemptSettled } from '../../shared/attempt.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type { LedgerEvent, StateValue } from '../../shared/ledger.ts'
import { RunEnd, type RunStatus } from '../../shared/run.ts'
import { failureIn, leafOf } from '../components/cause.ts'

/** What the transitions of a run tell of an attempt. */
export interface PastAttempt {
  status: AttemptStatus
  tries: number
  startedAt: number | null
  aliveSince: number | null
  settledAt: number | null
  failure: ErrorCode | null
}

/** A run as its transitions up to one of them say it is. */
export interface Past {
  status: RunStatus
  /** 0 before the first. */
  round: number
  /** The newest transition of each machine, by its actor. */
  latest: ReadonlyMap<string, LedgerEvent>
  attempts: ReadonlyMap<string, PastAttempt>
  /** Who was put on a seat by an order of the person. */
  replaced: ReadonlyMap<string, AgentId>
}

/** Before anything has happened. */
export const beforeAll: Past = {
  status: 'running',
  round: 0,
  latest: new Map(),
  attempts: new Map(),
  replaced: new Map(),
}

/** The run after these transitions; they must be the ones that follow on where `past` is. */
export function foldOn(past: Past, events: readonly LedgerEvent[]): Past {
  const latest = new Map(past.latest)
  const attempts = new Map(past.attempts)
  const replaced = new Map(past.replaced)
  let { status, round } = past
  for (const event of events) {
    latest.set(event.actor, event)
    if (event.machine === 'attempt') attempts.set(event.actor, movedAttempt(attempts.get(event.actor), event))
    if (event.machine !== 'run') continue
    status = statusOf(event.value)
    if (opensRound(event)) round += 1
    const { seat } = event.cause
    const agent = AgentId.safeParse(event.cause['agent'])
    if (event.type === 'seat.replace' && typeof seat === 'string' && agent.success) replaced.set(seat, agent.data)
  }
  return { status, round, latest, attempts, replaced }
}

function movedAttempt(before: PastAttempt | undefined, event: LedgerEvent): PastAttempt {
  const { at, cause } = event
  const known = before ?? fresh
  const leaf = AttemptStatus.safeParse(leafOf(event.value))
  const status = leaf.success ? leaf.data : known.status
  const moved = { ...known, status, settledAt: attemptSettled(status) ? at : null }
  switch (event.type) {
    case 'lease.granted':
      return status === 'launching' ? { ...moved, tries: known.tries + 1, failure: null } : moved
    case 'agent.started': {
      const startedAt = typeof cause['startedAt'] === 'number' ? cause['startedAt'] : at
      return { ...moved, startedAt: known.startedAt ?? startedAt, aliveSince: startedAt }
    }
    case 'agent.failed':
    case 'reply.unkept':
      return { ...moved, failure: known.failure ?? failureIn(cause) }
    case 'agent.gone':
    case 'attempt.lost':
      return { ...moved, aliveSince: null }
    default:
      return moved
  }
}

const fresh: PastAttempt = {
  status: 'queued', tries: 0, startedAt: null, aliveSince: null, settledAt: null, failure: null,
}

/** The run as its lists name it. */
function statusOf(value: StateValue): RunStatus {
  const end = RunEnd.safeParse(value)
  if (end.success) return end.data
  if (typeof value === 'object' && 'holding' in value) return 'holding'
  return leafOf(value) === 'stopping' ? 'stopping' : 'running'
}

/** A round opens where the run comes to confer from elsewhere, or anew when the round before is over. */
function opensRound({ type, value, from }: LedgerEvent): boolean {
  if (!confers(value)) return false
  return from === null || !confers(from) || type === 'round.ended' || type === 'round.broke'
}

const confers = (value: StateValue) => typeof value === 'object' && 'conferring' in value
