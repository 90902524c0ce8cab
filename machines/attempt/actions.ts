import { assign, enqueueActions, sendParent, sendTo, type AnyActorRef } from 'xstate'
import type { AttemptEnd } from '../../shared/attempt.ts'
import type { Failure } from '../../shared/errors.ts'
import type { GateAsk, GateDecision } from '../../shared/gate.ts'
import { backoffFirstMs, backoffMaxMs, gateExpiryMs, launchMs, settleMs, stopGraceMs } from '../../shared/limits.ts'
import type { AgentOrder, GateOrder, LeaseOrder } from '../blanks.ts'
import { timeOf } from '../time.ts'
import type { AttemptContext, AttemptEvent, AttemptMoment, AttemptResumed, Cause } from './memory.ts'

const keep = (change: (moment: AttemptMoment) => Partial<AttemptContext>) =>
  assign<AttemptContext, AttemptEvent, undefined, AttemptEvent, never>((moment) =>
    ({ lastAt: now(moment), ...change(moment) }))

const say = (actor: 'runAgent' | 'holdLease', order: AgentOrder | LeaseOrder) =>
  sendTo<AttemptContext, AttemptEvent, undefined, AnyActorRef, AttemptEvent>(actor, order)

/** Everything a turn remembers, and every word it says to its actors. */
export const attemptActions = {
  beginTry: keep((moment) => ({
    tries: moment.context.tries + 1,
    cause: null,
    finish: null,
    failure: null,
    began: false,
    kept: false,
    vote: null,
    noVote: null,
    retryAsked: false,
    dueAt: now(moment) + launchMs,
  })),
  noteStart: keep(({ context, event }) =>
    event.type === 'agent.started'
      ? { startedAt: context.startedAt ?? event.startedAt, aliveSince: event.startedAt, continues: null, dueAt: null }
      : {}),
  keepCause: keep(({ context, event }) => context.cause === null ? causeOf(event) : {}),
  keepStopReason: keep(({ context, event }) =>
    event.type === 'attempt.stop' ? { stopReason: context.stopReason ?? event.reason } : {}),
  keepDeath: keep((moment) => ({
    ...deathOf(moment),
    aliveSince: null,
    capAt: null,
    capLeftMs: null,
    gate: null,
    dueAt: now(moment) + settleMs,
  })),
  noteLoss: keep(({ context, event }) => ({
    lost: true,
    loss: lossIn(event),
    gate: context.mayContinue ? context.gate : null,
    aliveSince: null,
    capAt: null,
    capLeftMs: null,
    dueAt: null,
  })),
  noteRestart: keep(({ event }) => ({ lost: true, loss: lossIn(event) })),

  armCap: keep((moment) => ({ capAt: now(moment) + moment.context.capMs, capLeftMs: null })),
  pauseCap: keep((moment) => ({
    capAt: null,
    capLeftMs: Math.max(0, (moment.context.capAt ?? now(moment)) - now(moment)),
  })),
  resumeCap: keep((moment) => ({
    capAt: now(moment) + (moment.context.capLeftMs ?? moment.context.capMs),
    capLeftMs: null,
  })),
  shiftCap: keep(({ context, event }) =>
    event.type === 'computer.woke' && context.capAt !== null ? { capAt: context.capAt + event.sleptMs } : {}),
  shiftLaunch: keep(({ context, event }) =>
    event.type === 'computer.woke' && context.dueAt !== null ? { dueAt: context.dueAt + event.sleptMs } : {}),
  armKill: keep((moment) => ({ capAt: null, capLeftMs: null, dueAt: now(moment) + stopGraceMs })),
  armBackoff: keep((moment) => ({ dueAt: now(moment) + backoffOf(moment.context) })),

  keepGate: keep(({ event }) =>
    event.type === 'agent.asked' ? { gate: { gateId: event.gateId, ask: null, decision: null } } : {}),
  keepVerdict: keep(({ context, event }) =>
    context.gate && 'gateId' in event ? { gate: { ...context.gate, decision: verdictOf(event) } } : {}),
  dropGate: keep(() => ({ gate: null })),
  openRetryGate: keep((moment) => ({
    gate: { gateId: retryGateId(moment.context), ask: askToTryAgain(moment), decision: null },
    retryAsked: true,
    dueAt: null,
  })),
  keepApproval: keep(({ event }) =>
    event.type === 'gate.answered' ? { approval: { gateId: event.gateId, decision: event.decision } } : {}),
  continueFromGate: keep(({ context, event }) => ({
    continues: context.approval ?? approvalIn(context, event),
    approval: null,
    gate: null,
    lost: false,
  })),

  keepReply: keep(({ event }) => {
    if (event.type !== 'reply.kept') return {}
    const { vote, noVote, textLength, denials } = event
    return { kept: true, vote, noVote, textLength, denials, dueAt: null }
  }),
  keepUnkept: keep(({ context, event }) => ({
    failure: context.failure ?? (event.type === 'reply.unkept' ? event.failure : replyNotKept),
    dueAt: null,
  })),
  markRebuilt: keep(() => ({ rebuilt: true })),
  blameTheRestart: keep(({ context }) => ({ failure: context.loss ?? restarted })),
  blameTheShutdown: keep(() => ({ failure: shutDown })),
  blameNobody: keep(() => ({ failure: null })),
  endAs: assign<AttemptContext, AttemptEvent, { end: AttemptEnd }, AttemptEvent, never>((moment, { end }) => ({
    end, settledAt: now(moment), lastAt: now(moment), gate: null, dueAt: null,
  })),

  askToStop: say('runAgent', { type: 'agent.stop' }),
  askToKill: say('runAgent', { type: 'agent.kill' }),
  deliverVerdict: enqueueActions<
    AttemptContext, AttemptEvent, undefined, AttemptEvent, never, never, never, never, never
  >(({ context, enqueue }) => {
    if (!context.gate?.decision) return
    const { gateId, decision } = context.gate
    enqueue.sendTo('runAgent', { type: 'gate.deliver', gateId, decision } satisfies AgentOrder)
  }),
  suspendLease: say('holdLease', { type: 'lease.suspend' }),
  askForLease: say('holdLease', { type: 'lease.resume' }),
  leaveGate: enqueueActions<
    AttemptContext, AttemptEvent, undefined, AttemptEvent, never, never, never, never, never
  >(({ context, event, enqueue }) => {
    const farewell = farewellOf({ context, event })
    if (farewell) enqueue.sendTo('followGate', farewell)
  }),
  tellRoundItGoesOn: sendParent<AttemptContext, AttemptEvent, undefined, AttemptResumed, AttemptEvent>((moment) => ({
    type: 'attempt.resumed', seat: moment.context.seat, attemptId: moment.context.attemptId, at: now(moment),
  })),
}

const now = ({ context, event }: AttemptMoment) => timeOf(event, context.lastAt)

const causeOf = (event: AttemptEvent): Partial<AttemptContext> => {
  switch (event.type) {
    case 'agent.finished': return { cause: 'finished', finish: event.stop, failure: failureOf[event.stop] }
    case 'agent.failed': return { cause: 'failed', failure: event.failure }
    case 'agent.silent': return { cause: 'silent', failure: silent }
    case 'launch.expired': return { cause: 'launchExpired', failure: launchedLate }
    case 'cap.expired': return { cause: 'capExpired', failure: capReached }
    case 'attempt.stop': return { cause: 'stopped', stopReason: event.reason }
    case 'attempt.retry': return { cause: 'retry' }
    default: return {}
  }
}

const deathOf = ({ context, event }: AttemptMoment): Partial<AttemptContext> => {
  const began = event.type === 'agent.gone' && event.began
  const death = { began, continues: began ? null : context.continues }
  if (context.cause !== null) return death
  const cause: Cause = 'died'
  return { ...death, cause, failure: crashed }
}

const backoffOf = ({ tries, failure }: AttemptContext) =>
  Math.max(failure?.retryAfterMs ?? 0, Math.min(backoffFirstMs * 2 ** (tries - 1), backoffMaxMs))

/** A gate that closed without an answer is a no. */
const verdictOf = (event: AttemptEvent): GateDecision | null => {
  if (event.type === 'gate.answered') return event.decision
  return event.type === 'gate.closed'
    ? { optionId: 'closed', effect: 'deny', name: 'closed', note: null, position: null, at: event.at }
    : null
}

const approvalIn = (context: AttemptContext, event: AttemptEvent) =>
  event.type === 'gate.answered' && context.gate?.ask === null
    ? { gateId: event.gateId, decision: event.decision }
    : null

/** What a gate is told when its asker leaves it unanswered: nothing, if it will be asked about after a restart. */
const farewellOf = ({ context, event }: AttemptMoment): GateOrder | null => {
  switch (event.type) {
    case 'gate.answered':
    case 'gate.closed': return null
    case 'attempt.stop':
    case 'attempt.retry': return { type: 'gate.withdraw', at: event.at }
    case 'attempt.lost': return context.mayContinue ? null : { type: 'asker.gone', reason: 'askerLost', at: event.at }
    default: return { type: 'asker.gone', reason: 'askerGone', at: event.at }
  }
}

const retryGateId = ({ attemptId, tries }: AttemptContext) => `retry:${attemptId}:${tries}`

const askToTryAgain = (moment: AttemptMoment): GateAsk => {
  const { attemptId, runId, conversationId, seat, agent, failure } = moment.context
  return {
    gateId: retryGateId(moment.context),
    kind: 'retry',
    asker: { kind: 'attempt', id: attemptId, runId, conversationId, seat, agent },
    toolKind: null,
    title: 'try again',
    detail: '',
    reason: failure?.message.slice(0, 1_000) ?? null,
    options: [
      { optionId: 'tryAgain', effect: 'grant', name: 'tryAgain', takesNote: false, position: null },
      { optionId: 'giveUp', effect: 'deny', name: 'giveUp', takesNote: false, position: null },
    ],
    askedAt: now(moment),
    expiresAt: now(moment) + gateExpiryMs,
  }
}

const failureOf: Record<'completed' | 'refused' | 'cancelled', Failure | null> = {
  completed: null,
  refused: { code: 'agent.refused', message: 'The agent refused to go on.' },
  cancelled: { code: 'agent.cancelled', message: 'The agent cancelled its own turn.' },
}
const silent: Failure = { code: 'agent.silent', message: 'The agent said nothing for too long and was ended.' }
const launchedLate: Failure = { code: 'agent.first-byte-late', message: 'The agent did not start in time.' }
const capReached: Failure = { code: 'agent.cap-reached', message: 'The turn took longer than it may and was ended.' }
const crashed: Failure = { code: 'agent.crashed', message: 'The agent ended before it had finished.' }
const replyNotKept: Failure = { code: 'ledger.unwritable', message: 'The reply could not be kept in time.' }
const lossIn = (event: AttemptEvent): Failure | null =>
  event.type === 'attempt.lost' ? event.failure ?? null : null

const restarted: Failure = { code: 'app.restarted', message: 'Parley was closed or crashed while this was going on.' }
const shutDown: Failure = { code: 'app.shutting-down', message: 'Parley was closed while this was going on.' }
