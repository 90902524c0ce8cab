import { assign, enqueueActions, sendTo, stopChild, type AnyActorRef } from 'xstate'
import type { Failure } from '../../shared/errors.ts'
import { triesPerAttemptMax } from '../../shared/limits.ts'
import type { AttemptEvent, AttemptInput } from '../attempt/memory.ts'
import type { attemptMachine } from '../attempt.ts'
import { timeOf } from '../time.ts'
import { launchesFree, launchesPerTurn, maySpeak, speakerOf } from './floor.ts'
import type { RoundContext, RoundEvent, RoundMoment, RoundOutcome, SeatResult, Speaker } from './memory.ts'

type Caller = { src: 'attempt'; logic: typeof attemptMachine; id: string | undefined }

const keep = (change: (moment: RoundMoment) => Partial<RoundContext>) =>
  assign<RoundContext, RoundEvent, undefined, RoundEvent, never>((moment) =>
    ({ lastAt: now(moment), ...change(moment) }))

const tellSpeaker = (word: (moment: RoundMoment) => AttemptEvent) =>
  sendTo<RoundContext, RoundEvent, undefined, AnyActorRef, RoundEvent>(attemptNamed, word)

const tellEveryone = (word: (moment: RoundMoment) => AttemptEvent) =>
  enqueueActions<RoundContext, RoundEvent, undefined, RoundEvent, never, never, never, never, never>(
    ({ context, event, enqueue }) => {
      for (const { attemptId } of Object.values(context.speaking)) enqueue.sendTo(attemptId, word({ context, event }))
    },
  )

/** What a round remembers of its speakers, and every word it says to them. */
export const roundActions = {
  callSpeakers: enqueueActions<RoundContext, RoundEvent, undefined, RoundEvent, Caller, never, never, never, never>(
    ({ context, event, enqueue }) => {
      for (const call of callsOf({ context, event })) {
        enqueue.spawnChild('attempt', { id: call.attemptId, systemId: call.attemptId, input: call })
      }
      enqueue.assign(floorGiven)
    },
  ),
  recordResult: keep(({ context, event }) => {
    const seat = speakerOf(context, event)
    if (seat === null || !('output' in event)) return {}
    const { lost: _lost, ...result } = event.output
    return recorded(context, seat, result, result.tries)
  }),
  /** A turn whose chart broke: what it launched is not known, so all that it had set aside counts. */
  recordCrash: keep(({ context, event }) => {
    const seat = speakerOf(context, event)
    const speaker = seat === null ? undefined : context.speaking[seat]
    if (seat === null || speaker === undefined) return {}
    return recorded(context, seat, crashed(context, seat, speaker), speaker.reserved)
  }),
  dismissSpeaker: stopChild<RoundContext, RoundEvent, undefined, RoundEvent>(actorOf),
  noteItWentOn: keep(({ context, event }) => {
    const speaker = event.type === 'attempt.resumed' ? context.speaking[event.seat] : undefined
    if (event.type !== 'attempt.resumed' || speaker?.attemptId !== event.attemptId) return {}
    return { speaking: { ...context.speaking, [event.seat]: { ...speaker, wentOn: true } } }
  }),
  callAgain: keep(({ context, event }) =>
    'seat' in event ? { toSpeak: [event.seat, ...context.toSpeak.filter((seat) => seat !== event.seat)] } : {}),
  passOver: keep((moment) => passedOver(moment)),
  handOver: keep(({ context, event }) =>
    event.type === 'seat.replace'
      ? { seats: context.seats.map((seat) => seat.seat === event.seat ? handedOver(event) : seat) }
      : {}),
  noteBreaker: keep(() => ({ breaker: true })),
  keepStopReason: keep(({ event }) => event.type === 'round.stop' ? { stopReason: event.reason } : {}),
  endAs: assign<RoundContext, RoundEvent, { outcome: RoundOutcome }, RoundEvent, never>((moment, { outcome }) =>
    ({ outcome, lastAt: now(moment) })),

  tellItToTryAgain: tellSpeaker((moment) => ({ type: 'attempt.retry', at: now(moment) })),
  tellItToStop: tellSpeaker((moment) => ({ type: 'attempt.stop', reason: 'passedOver', at: now(moment) })),
  killIt: tellSpeaker((moment) => ({ type: 'attempt.kill', at: now(moment) })),
  stopEveryone: tellEveryone((moment) =>
    ({ type: 'attempt.stop', reason: moment.context.stopReason ?? 'person', at: now(moment) })),
  killEveryone: tellEveryone((moment) => ({ type: 'attempt.kill', at: now(moment) })),
  wakeEveryone: tellEveryone((moment) => ({
    type: 'computer.woke', sleptMs: moment.event.type === 'computer.woke' ? moment.event.sleptMs : 0, at: now(moment),
  })),
}

const now = ({ context, event }: RoundMoment) => timeOf(event, context.lastAt)

/** The turns that are called at this moment, each with the launches that are set aside for it. */
const callsOf = (moment: RoundMoment): AttemptInput[] => {
  const { context } = moment
  return maySpeak(context).map((seat, index) => callOf(moment, seat, launchesFree(context) - index * launchesPerTurn))
}

const callOf = (moment: RoundMoment, seat: string, free: number): AttemptInput => {
  const { runId, conversationId, round, policy, calls, seats } = moment.context
  const { agent, mayContinue } = seats.find((candidate) => candidate.seat === seat) ?? noSuchSeat
  return {
    attemptId: `${runId}/${round}/${seat}/${(calls[seat] ?? 0) + 1}`,
    runId, conversationId, round, seat, agent, mayContinue,
    allowWrite: policy.allowWrite,
    maxTries: triesPerAttemptMax,
    launchesLeft: Math.min(free, launchesPerTurn),
    capMs: policy.capMs,
    silenceMs: policy.silenceMs,
    at: now(moment),
  }
}

// a seat to speak is always one of the table's; the type does not know it
const noSuchSeat = { agent: 'rehearsal:bold', mayContinue: false } as const

const floorGiven = (moment: RoundMoment): Partial<RoundContext> => {
  const { context } = moment
  const called = callsOf(moment)
  return {
    lastAt: now(moment),
    toSpeak: context.toSpeak.filter((seat) => !called.some((call) => call.seat === seat)),
    speaking: { ...context.speaking, ...Object.fromEntries(called.map((call) => [call.seat, speakerFor(call)])) },
    calls: {
      ...context.calls,
      ...Object.fromEntries(called.map(({ seat }) => [seat, (context.calls[seat] ?? 0) + 1])),
    },
  }
}

const speakerFor = ({ attemptId, launchesLeft }: AttemptInput): Speaker =>
  ({ attemptId, reserved: launchesLeft, wentOn: false })

const recorded = (context: RoundContext, seat: string, result: SeatResult, launches: number): Partial<RoundContext> => {
  const { [seat]: _spoke, ...speaking } = context.speaking
  return { speaking, results: { ...context.results, [seat]: result }, launches: context.launches + launches }
}

const crashed = (context: RoundContext, seat: string, { attemptId, reserved }: Speaker): SeatResult =>
  ({ ...unspoken(context, seat), attemptId, status: 'failed', failure: broken, tries: reserved })

const passedOver = ({ context, event }: RoundMoment): Partial<RoundContext> => {
  if (!('seat' in event)) return {}
  const result = { ...unspoken(context, event.seat), at: timeOf(event, context.lastAt) }
  return {
    toSpeak: context.toSpeak.filter((seat) => seat !== event.seat),
    results: { ...context.results, [event.seat]: result },
  }
}

const unspoken = (context: RoundContext, seat: string): SeatResult => ({
  seat,
  agent: context.seats.find((candidate) => candidate.seat === seat)?.agent ?? noSuchSeat.agent,
  attemptId: null,
  status: 'skipped',
  vote: null,
  failure: null,
  tries: 0,
  at: context.lastAt,
})

const handedOver = ({ seat, agent, mayContinue }: Extract<RoundEvent, { type: 'seat.replace' }>) =>
  ({ seat, agent, mayContinue })

function attemptNamed({ context, event }: RoundMoment): string {
  return ('seat' in event && context.speaking[event.seat]?.attemptId) || ''
}

function actorOf({ event }: { event: RoundEvent }): string {
  return 'actorId' in event ? event.actorId : ''
}

const broken: Failure = { code: 'internal.unexpected', message: 'The turn ended in an unexpected way.' }
