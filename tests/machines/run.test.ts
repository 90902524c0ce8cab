import { createActor, type AnyActorRef } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { RunInput } from '../../machines/blanks.ts'
import type { RoundOutput, SeatResult } from '../../machines/round/memory.ts'
import type { RunContext } from '../../machines/run/memory.ts'
import type { RunPolicy } from '../../shared/run.ts'
import { roundDouble } from './doubles.ts'
import { decision, event, failures, now, vote } from './events.ts'
import { changedByJson, missedBy, restarted, unguarded, unnamedChildren } from './law.ts'
import { Stage } from './stage.ts'
import { leafOf, walk, type AnyEvent, type Walk } from './walk.ts'

const names = ['a', 'b']
const discussion: RunPolicy = {
  rounds: 2,
  consensus: true,
  blindFirst: false,
  allowWrite: false,
  silenceMs: 10_000,
  capMs: 60_000,
}
const input = (more: Partial<RunPolicy> = {}): RunInput => ({
  runId: 'run:1',
  conversationId: 'talk:1',
  messageId: 'message:1',
  topic: 'Tabs or spaces?',
  followUpOf: null,
  at: now,
  policy: { ...discussion, ...more },
  seats: names.map((seat) => ({ seat, agent: 'rehearsal:bold', standing: 'seated' })),
  mayContinue: { a: true },
})
const once = { rounds: 1, consensus: false }
const machineOf = (stage: Stage) => stage.run().provide({ actors: { round: roundDouble as never } })

type End = Partial<RoundOutput>
type Result = Partial<SeatResult> | null

const result = (seat: string, more: Partial<SeatResult>): SeatResult => ({
  seat,
  agent: 'rehearsal:bold',
  attemptId: `run:1/1/${seat}/1`,
  status: 'completed',
  vote: null,
  failure: null,
  tries: 1,
  at: now,
  ...more,
})
const round = (a: Result, b: Result, more: End = {}): End => ({
  seats: [
    { seat: 'a', agent: 'rehearsal:bold', result: a && result('a', a) },
    { seat: 'b', agent: 'rehearsal:bold', result: b && result('b', b) },
  ],
  ...more,
})

const agree = { vote: vote('agree') }
const disagree = { vote: vote('continue', 'right') }
const fatal = { status: 'failed', failure: failures.fatal } as const
const late = { status: 'timedOut', failure: { code: 'agent.silent', message: 'silent' } } as const
const passed = { status: 'stopped' } as const

const ends = {
  agreed: round(agree, agree),
  apart: round(agree, disagree),
  oneFailed: round(agree, fatal),
  allFailed: round(fatal, late),
  passedOver: round(passed, passed),
  interrupted: round(null, null, { outcome: 'interrupted' }),
  breaker: round(agree, null, { breaker: true }),
  stopped: round(passed, null, { outcome: 'stopped' }),
}

const events =
  (outputs: Partial<RoundOutput>[]) =>
  (actor: AnyActorRef): AnyEvent[] => {
    const { ask }: RunContext = actor.getSnapshot().context
    const inRound = actor.getSnapshot().matches('conferring')
    return [
      ...(inRound ? outputs.map((end) => event('settle', { to: 'round', end })) : []),
      ...(inRound ? [event('break', { to: 'round' })] : []),
      ...[
        'preflight.passed',
        'preflight.expired',
        'run.lost',
        'task.accepted',
        'minutes.written',
        'minutes.due',
        'minutes.retry',
        'run.interrupt',
        'run.pause',
        'run.resume',
        'run.hurry',
      ].map((type) => event(type)),
      ...['preflight.refused', 'task.unrecorded', 'minutes.unwritten'].map((type) =>
        event(type, { failure: failures.fatal }),
      ),
      event('run.stop', { runId: 'run:1' }),
      event('run.stop', { runId: 'run:2' }),
      ...['seat.retry', 'seat.cancel', 'seat.kill'].map((type) => event(type, { seat: 'a' })),
      event('seat.replace', { seat: 'a', agent: 'rehearsal:careful', mayContinue: false }),
      event('computer.woke', { sleptMs: 1 }),
      ...[ask?.gateId ?? 'gate:none', 'gate:another'].flatMap((gateId) => [
        event('gate.answered', { gateId, decision: decision('grant') }),
        event('gate.answered', { gateId, decision: decision('grant', now, 'left') }),
        event('gate.answered', { gateId, decision: decision('deny') }),
        event('gate.closed', { gateId, reason: 'expired' }),
      ]),
    ]
  }

describe('everywhere a run can be', () => {
  const stage = new Stage('first')
  const walks = [
    walk({ machine: machineOf(stage), input: input(), events: events(Object.values(ends)), limit: 1_000 }),
    walk({ machine: machineOf(stage), input: input(once), events: events(Object.values(ends)), limit: 1_000 }),
    walk({ machine: machineOf(stage), input: input({ rounds: null }), events: stubborn, limit: 600 }),
  ]

  test('every state and every arrow is reached', () => {
    expect(missedBy('run', walks)).toEqual([])
  })

  test('nothing changes on its way through JSON, and every child has a name', () => {
    expect(changedByJson(machineOf(stage), walks)).toEqual([])
    expect(unnamedChildren(walks)).toEqual([])
  })

  test('a restart begins nothing, and leaves every recorded state where it was', () => {
    const wrong = restarted(walks, () => new Stage('second'), machineOf).filter(
      ({ from, leaf, outside }) => outside.length > 0 || leaf !== afterRestart(from.leaf),
    )
    expect(wrong.map(({ from, leaf, outside }) => ({ from: from.leaf, leaf, outside }))).toEqual([])
  })

  test('no state is left without a rest, a fence, or a reason', () => {
    expect(
      unguarded('run', {
        accepting: 'one transaction of our own store, and nothing is stored before it',
        'conferring.discussing': 'its round says what became of it',
        'conferring.stopping': 'its round says what became of it',
        'concluding.writing': 'our own store: it is simply written again',
      }),
    ).toEqual([])
  })

  test('no run agrees without two agreeing voices of one round, or a person', () => {
    const agreed = everywhere(walks)
      .filter(({ leaf }) => leaf === 'agreed')
      .map(contextOf)
    const voices = ({ last }: RunContext) =>
      last?.seats.filter((seat) => seat.result?.status === 'completed' && seat.result.vote?.choice === 'agree').length
      ?? 0
    const without = agreed.filter((context) => context.stop?.kind !== 'accepted' && voices(context) < 2)
    expect(agreed.length).toBeGreaterThan(10)
    expect(without).toEqual([])
  })

  test('the topic leaves the snapshot once the task is recorded', () => {
    const unrecorded = ['preparing', 'accepting', 'refused']
    const recorded = everywhere(walks).filter(({ leaf }) => !unrecorded.includes(leaf))
    expect(recorded.filter(({ snapshot }) => snapshot.includes('Tabs or spaces'))).toEqual([])
  })
})

describe('a discussion', () => {
  test('ends when everybody agrees in one round', () => {
    expect(concludes(ends.apart, ends.agreed)).toBe('agreed')
  })

  test('ends when its rounds are up', () => {
    expect(concludes(ends.apart, ends.apart)).toBe('roundsUp')
  })

  test('does not agree while one who has to agree has no vote', () => {
    expect(concludes(ends.apart, round(agree, { vote: null }))).toBe('roundsUp')
    expect(concludes(ends.apart, round(agree, { status: 'timedOut', vote: vote('agree') }))).toBe('roundsUp')
  })

  test('does not agree by one voice alone', () => {
    expect(concludes(round(agree, passed))).toBe('discussing')
  })

  test('takes a seat with a fatal failure out, and waits for the person when one seat is left', () => {
    const run = begin()
    settle(run, ends.oneFailed)
    expect(run.getSnapshot().context.seats.map(({ standing }) => standing)).toEqual(['seated', 'skipped'])
    expect(leafOf(run.getSnapshot().value)).toBe('paused')
    run.send(event('seat.retry', { seat: 'b' }) as never)
    run.send(event('run.resume') as never)
    expect(run.getSnapshot().context).toMatchObject({
      round: 2,
      seats: [{ standing: 'seated' }, { standing: 'seated' }],
    })
  })

  test('keeps a seat after one missed turn, and takes it out after two in a row', () => {
    const run = begin({ rounds: 10 })
    settle(run, round(disagree, late))
    expect(run.getSnapshot().context.seats[1]?.standing).toBe('seated')
    settle(run, round(disagree, late))
    expect(run.getSnapshot().context.seats[1]?.standing).toBe('skipped')
  })

  test('asks the person when nothing has moved for three rounds, and offers the positions', () => {
    const run = stalled()
    expect(leafOf(run.getSnapshot().value)).toBe('deciding')
    expect(run.getSnapshot().context.ask).toMatchObject({
      gateId: 'decide:run:1:4',
      options: [
        { name: 'accept', position: 'left' },
        { name: 'accept', position: 'right' },
        { name: 'goOn' },
        { name: 'stop' },
      ],
    })
  })

  test('is agreed by a person who accepts a position, and says so', () => {
    const run = stalled()
    run.send(answer(decision('grant', now, 'left')) as never)
    expect(run.getSnapshot().context).toMatchObject({
      conclusion: 'agreed',
      stop: { kind: 'accepted', position: 'left' },
    })
  })

  test('goes on for three more rounds when the person wants that', () => {
    const run = stalled()
    run.send(answer(decision('grant')) as never)
    expect(run.getSnapshot().context).toMatchObject({ round: 5, stillRounds: 0 })
  })

  test('is stopped when the person decides so, and waits when nobody decides', () => {
    const stopped = stalled()
    stopped.send(answer(decision('deny')) as never)
    expect(stopped.getSnapshot().context.conclusion).toBe('stopped')
    const waiting = stalled()
    waiting.send(event('gate.closed', { gateId: 'decide:run:1:4', reason: 'expired' }) as never)
    expect(leafOf(waiting.getSnapshot().value)).toBe('paused')
  })

  test('does not stall while one says that it changed its mind', () => {
    const run = begin({ rounds: null })
    for (const position of ['one', 'two', 'three', 'four', 'five']) {
      settle(run, round(agree, { vote: vote('continue', position, true) }))
    }
    expect(run.getSnapshot().context.stillRounds).toBe(0)
  })

  test('pauses between rounds, not within one', () => {
    const run = begin()
    run.send(event('run.pause') as never)
    expect(leafOf(run.getSnapshot().value)).toBe('discussing')
    settle(run, ends.apart)
    expect(leafOf(run.getSnapshot().value)).toBe('paused')
    run.send(event('run.resume') as never)
    expect(run.getSnapshot().context.round).toBe(2)
  })

  test('waits when the person took the floor from everybody', () => {
    const run = begin()
    settle(run, ends.passedOver)
    expect(leafOf(run.getSnapshot().value)).toBe('paused')
  })

  test('concludes that its launches are spent when the breaker trips', () => {
    expect(concludes(ends.breaker)).toBe('budgetSpent')
  })
})

describe('a run of one round', () => {
  test.each([
    ['completed', round({}, {})],
    ['partial', ends.oneFailed],
    ['failed', ends.allFailed],
    ['stopped', ends.passedOver],
    ['interrupted', ends.interrupted],
  ])('is %s by what became of its seats', (end, output) => {
    const run = begin(once)
    settle(run, output)
    expect(run.getSnapshot().context.conclusion).toBe(end)
  })
})

describe('a stop', () => {
  const byPerson = event('run.stop', { runId: 'run:1' })
  const byShutdown = event('run.interrupt')

  test('that names another run changes nothing', () => {
    const run = begin()
    const before = run.getSnapshot()
    run.send(event('run.stop', { runId: 'run:2' }) as never)
    expect(run.getSnapshot()).toBe(before)
  })

  test('while the task is being recorded is kept, and the first of two reasons wins', () => {
    const first = accepting()
    for (const each of [byPerson, byShutdown, event('task.accepted')]) first.send(each as never)
    expect(first.getSnapshot().context.conclusion).toBe('stopped')
    const second = accepting()
    for (const each of [byShutdown, byPerson, event('task.accepted')]) second.send(each as never)
    expect(second.getSnapshot().context.conclusion).toBe('interrupted')
  })

  test('before anything is recorded leaves nothing', () => {
    const run = createActor(machineOf(new Stage('first')), { input: input() }).start()
    run.send(event('run.stop', { runId: 'run:1' }) as never)
    expect([run.getSnapshot().value, run.getSnapshot().hasTag('unrecorded')]).toEqual(['refused', true])
  })

  test('waits for its round, also when that round would have ended it otherwise', () => {
    const run = begin()
    run.send(event('run.stop', { runId: 'run:1' }) as never)
    expect(leafOf(run.getSnapshot().value)).toBe('stopping')
    settle(run, ends.agreed)
    expect(run.getSnapshot().context.conclusion).toBe('stopped')
  })
})

/** Two agents that never move, so that the run comes to its decision. */
function stubborn(actor: AnyActorRef): AnyEvent[] {
  const { round: number }: RunContext = actor.getSnapshot().context
  const inRound = actor.getSnapshot().matches('conferring')
  if (inRound) return [event('settle', { to: 'round', end: ends.apart })]
  return number < 4 ? [event('preflight.passed'), event('task.accepted')] : events([])(actor)
}

const begin = (more: Partial<RunPolicy> = {}) => {
  const run = accepting(more)
  run.send(event('task.accepted') as never)
  return run
}
const accepting = (more: Partial<RunPolicy> = {}) => {
  const run = createActor(machineOf(new Stage('first')), { input: input(more) }).start()
  run.send(event('preflight.passed') as never)
  return run
}
type Run = ReturnType<typeof begin>

const settle = (run: Run, end: Partial<RoundOutput>) => {
  const children: Record<string, AnyActorRef | undefined> = run.getSnapshot().children
  children['round']?.send(event('settle', { end }))
}
const concludes = (...outputs: Partial<RoundOutput>[]) => {
  const run = begin()
  for (const end of outputs) settle(run, end)
  return run.getSnapshot().context.conclusion ?? leafOf(run.getSnapshot().value)
}
const stalled = () => {
  const run = begin({ rounds: null })
  for (let each = 0; each < 4; each += 1) settle(run, ends.apart)
  return run
}
const answer = (given: ReturnType<typeof decision>) =>
  event('gate.answered', { gateId: 'decide:run:1:4', decision: given })
const afterRestart = (leaf: string) => (leaf === 'preparing' ? 'refused' : leaf)
const everywhere = (walks: Walk[]) => walks.flatMap(({ reached }) => [...reached.values()])
const contextOf = ({ snapshot }: { snapshot: string }) => (JSON.parse(snapshot) as { context: RunContext }).context
