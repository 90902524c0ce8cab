import { approvalAgeMaxMs } from '../../shared/limits.ts'
import type { Failure } from '../../shared/errors.ts'
import type { AnyEvent } from './walk.ts'

export const now = 1_000_000_000_000

export const failures = {
  mends: { code: 'agent.rate-limited', message: 'slow down' },
  fatal: { code: 'agent.unauthorized', message: 'log in' },
  session: { code: 'agent.session-lost', message: 'no such session' },
} satisfies Record<string, Failure>

export const decision = (effect: 'grant' | 'deny', at = now, position: string | null = null) =>
  ({ optionId: effect, effect, name: effect, note: null, position, at })

export const event = (type: string, more: Record<string, unknown> = {}): AnyEvent => ({ type, at: now, ...more })

export const vote = (choice: 'agree' | 'continue', position = 'left', changed = false) =>
  ({ choice, position, changed, why: 'because' })

/** Everything that can be said to an attempt, with every content that its guards tell apart. */
export const attemptEvents = (gateIds: string[]): AnyEvent[] => [
  event('lease.granted'),
  event('agent.started', { pid: 7, startedAt: now }),
  ...['completed', 'refused'].map((stop) => event('agent.finished', { stop })),
  ...Object.values(failures).map((failure) => event('agent.failed', { failure })),
  event('agent.asked', { gateId: 'gate:one' }),
  event('agent.silent'),
  event('launch.expired'),
  event('cap.expired'),
  event('kill.expired'),
  event('agent.gone', { began: true }),
  event('agent.gone', { began: false }),
  event('reply.kept', { vote: vote('agree'), noVote: null, textLength: 12, denials: 0 }),
  event('reply.kept', { vote: null, noVote: 'missing', textLength: 0, denials: 0 }),
  event('reply.unkept', { failure: { code: 'ledger.unwritable', message: 'full' } }),
  event('settling.expired'),
  event('backoff.passed'),
  event('attempt.stop', { reason: 'person' }),
  event('attempt.stop', { reason: 'passedOver' }),
  event('attempt.stop', { reason: 'shutdown' }),
  event('attempt.retry'),
  event('attempt.kill'),
  event('attempt.lost'),
  event('computer.woke', { sleptMs: 0 }),
  ...gateIds.flatMap((gateId) => [
    event('gate.answered', { gateId, decision: decision('grant') }),
    event('gate.answered', { gateId, decision: decision('grant', now - approvalAgeMaxMs - 1) }),
    event('gate.answered', { gateId, decision: decision('deny') }),
    event('gate.closed', { gateId, reason: 'expired' }),
  ]),
]
