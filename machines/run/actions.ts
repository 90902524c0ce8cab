import { assign, enqueueActions, sendTo, type AnyActorRef } from 'xstate'
import type { Failure } from '../../shared/errors.ts'
import type { GateAsk, GateOption } from '../../shared/gate.ts'
import { gateExpiryMs, minutesRetryMs, minutesTriesMax } from '../../shared/limits.ts'
import type { RunEnd, Seat } from '../../shared/run.ts'
import type { GateOrder } from '../blanks.ts'
import type { RoundEvent } from '../round/memory.ts'
import { timeOf } from '../time.ts'
import {
  everyoneWasPassedOver, firstFailure, lossOf, missesAfter, nothingMoved, positionsOf, seatsAfter,
} from './agreement.ts'
import type { RunContext, RunEvent, RunMoment, RunStop } from './memory.ts'

/** A gate shows at most twelve options; two of them are ours. */
const positionsOffered = 10

const keep = (change: (moment: RunMoment) => Partial<RunContext>) =>
  assign<RunContext, RunEvent, undefined, RunEvent, never>((moment) => ({ lastAt: now(moment), ...change(moment) }))

const tell = (word: (moment: RunMoment) => RoundEvent) =>
  sendTo<RunContext, RunEvent, undefined, AnyActorRef, RunEvent>('round', word)

/** The end is decided here and is true once it is written. */
const concludeAs = (end: RunEnd) => keep((moment) => ({
  conclusion: end,
  reason: reasonFor(end, moment.context),
  stop: stopFor(end, moment.context),
  pauseWanted: false,
  ask: null,
  settledAt: now(moment),
}))

/** What a run remembers of its rounds, and every word it says to the round that is going on. */
export const runActions = {
  keepRefusal: keep(({ event }) => ({ refusal: refusalIn(event), dueAt: null })),
  letTopicGo: keep(() => ({ topic: null, dueAt: null })),
  beginRound: keep(({ context }) => ({ round: context.round + 1 })),
  keepRound: keep(({ context, event }) =>
    event.type === 'xstate.done.actor.round' ? afterRound(context, event.output) : {}),
  noteBrokenRound: keep((moment) => ({
    last: { round: moment.context.round, outcome: 'broken', seats: [], launches: 0, breaker: false, at: now(moment) },
  })),

  keepStop: keep(({ context, event }) => ({ stop: context.stop ?? stopIn(event) })),
  wantPause: keep(() => ({ pauseWanted: true })),
  dropPause: keep(() => ({ pauseWanted: false })),
  forgetStillness: keep(() => ({ stillRounds: 0 })),
  reseat: keep(({ context, event }) => 'seat' in event ? seated(context, event) : {}),
  unseat: keep(({ context, event }) =>
    'seat' in event ? { seats: withSeat(context, event.seat, (seat) => ({ ...seat, standing: 'cancelled' })) } : {}),

  askForDecision: keep((moment) => ({ ask: decisionAsk(moment) })),
  leaveGate: enqueueActions<RunContext, RunEvent, undefined, RunEvent, never, never, never, never, never>(
    ({ event, enqueue }) => {
      if ('gateId' in event || !('at' in event)) return
      enqueue.sendTo('followGate', { type: 'gate.withdraw', at: event.at } satisfies GateOrder)
    },
  ),

  concludeAsAgreed: concludeAs('agreed'),
  concludeAsCompleted: concludeAs('completed'),
  concludeAsPartial: concludeAs('partial'),
  concludeAsRoundsUp: concludeAs('roundsUp'),
  concludeAsFailed: concludeAs('failed'),
  concludeAsBudgetSpent: concludeAs('budgetSpent'),
  concludeAsStopped: concludeAs('stopped'),
  concludeAsInterrupted: concludeAs('interrupted'),
  armMinutes: keep((moment) => {
    const minutesTries = Math.min(moment.context.minutesTries + 1, minutesTriesMax)
    return { minutesTries, dueAt: now(moment) + minutesRetryMs * minutesTries }
  }),

  stopRound: tell((moment) => ({
    type: 'round.stop', reason: moment.context.stop?.kind === 'shutdown' ? 'shutdown' : 'person', at: now(moment),
  })),
  hurryRound: tell((moment) => ({ type: 'round.hurry', at: now(moment) })),
  tellRound: tell((moment) => forRound(moment)),
}

const now = ({ context, event }: RunMoment) => timeOf(event, context.lastAt)

const refusalIn = (event: RunEvent): Failure => {
  if ('failure' in event) return event.failure
  if (event.type === 'preflight.expired') return { code: 'internal.unexpected', message: 'The checks took too long.' }
  return event.type === 'run.stop' ? stoppedEarly : shutDown
}

const afterRound = (context: RunContext, last: NonNullable<RunContext['last']>): Partial<RunContext> => {
  const misses = missesAfter(context.misses, last)
  return {
    last,
    launches: context.launches + last.launches,
    misses,
    seats: seatsAfter(context.seats, misses, last),
    stillRounds: nothingMoved(context.positions, last) ? context.stillRounds + 1 : 0,
    positions: positionsOf(context.positions, last),
    pauseWanted: context.pauseWanted || everyoneWasPassedOver(last),
  }
}

const stopIn = (event: RunEvent): RunStop => {
  if (event.type === 'run.interrupt') return { kind: 'shutdown', position: null }
  const position = event.type === 'gate.answered' ? event.decision.position : null
  return { kind: position === null ? 'person' : 'accepted', position }
}

const withSeat = (context: RunContext, name: string, change: (seat: Seat) => Seat): Seat[] =>
  context.seats.map((seat) => seat.seat === name ? change(seat) : seat)

const seated = (context: RunContext, event: Extract<RunEvent, { seat: string }>): Partial<RunContext> => {
  const replaced = event.type === 'seat.replace'
  return {
    misses: { ...context.misses, [event.seat]: 0 },
    mayContinue: replaced ? { ...context.mayContinue, [event.seat]: event.mayContinue } : context.mayContinue,
    seats: withSeat(context, event.seat, (seat) => ({
      ...seat, standing: 'seated', agent: replaced ? event.agent : seat.agent,
    })),
  }
}

const decisionAsk = (moment: RunMoment): GateAsk => {
  const { runId, conversationId, round } = moment.context
  return {
    gateId: `decide:${runId}:${round}`,
    kind: 'decision',
    asker: { kind: 'run', id: runId, runId, conversationId, seat: null, agent: null },
    toolKind: null,
    title: 'decide how to go on',
    detail: '',
    reason: null,
    options: [...acceptances(moment.context), goOn, stop],
    askedAt: now(moment),
    expiresAt: now(moment) + gateExpiryMs,
  }
}

const acceptances = ({ positions }: RunContext): GateOption[] =>
  [...new Set(Object.values(positions))].slice(0, positionsOffered).map((position, index) =>
    ({ optionId: `accept:${index + 1}`, effect: 'grant', name: 'accept', takesNote: false, position }))

const goOn: GateOption = { optionId: 'goOn', effect: 'grant', name: 'goOn', takesNote: false, position: null }
const stop: GateOption = { optionId: 'stop', effect: 'deny', name: 'stop', takesNote: false, position: null }

const reasonFor = (end: RunEnd, { last, stop: stopped }: RunContext): Failure | null => {
  if (end === 'failed') return firstFailure(last)
  if (end === 'budgetSpent') return breakerTripped
  if (end !== 'interrupted') return null
  if (stopped?.kind === 'shutdown') return shutDown
  return last?.outcome === 'broken' ? roundBroke : lossOf(last) ?? restarted
}

const stopFor = (end: RunEnd, { stop: stopped }: RunContext): RunStop | null => {
  if (stopped !== null) return stopped
  if (end === 'budgetSpent') return { kind: 'breaker', position: null }
  return end === 'stopped' ? { kind: 'person', position: null } : null
}

/** Words of a person that are for one turn go down as they are. */
const forRound = (moment: RunMoment): RoundEvent => {
  const { event } = moment
  switch (event.type) {
    case 'seat.retry':
    case 'seat.cancel':
    case 'seat.kill':
    case 'seat.replace':
    case 'computer.woke': return event
    default: return { type: 'computer.woke', sleptMs: 0, at: now(moment) }
  }
}

const stoppedEarly: Failure = { code: 'agent.cancelled', message: 'It was stopped before it had begun.' }
const shutDown: Failure = { code: 'app.shutting-down', message: 'Parley was closed while this was going on.' }
const restarted: Failure = { code: 'app.restarted', message: 'Parley was closed or crashed while this was going on.' }
const roundBroke: Failure = { code: 'internal.unexpected', message: 'The round ended in an unexpected way.' }
const breakerTripped: Failure = { code: 'breaker.tripped', message: 'The run launched as many agents as one may.' }
