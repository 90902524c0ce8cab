import { createActor, type AnyActorRef } from 'xstate'
import { describe, expect, test } from 'vitest'
import { roundMachine } from '../../machines/round.ts'
import type { RoundContext, RoundInput } from '../../machines/round/memory.ts'
import type { RunPolicy } from '../../shared/run.ts'
import { attemptDouble } from './doubles.ts'
import { event, failures, now, vote } from './events.ts'
import { changedByJson, missedBy, unguarded, unnamedChildren } from './law.ts'
import { walk, type AnyEvent } from './walk.ts'

const policy: RunPolicy = {
  rounds: 3, consensus: true, blindFirst: false, allowWrite: false, silenceMs: 10_000, capMs: 60_000,
}
const seat = (name: string) => ({ seat: name, agent: 'rehearsal:bold' as const, mayContinue: true })
const input = (more: Partial<RoundInput> = {}): RoundInput => ({
  runId: 'run:1', conversationId: 'talk:1', round: 2, blind: false, seats: [seat('a'), seat('b')], policy,
  launchesLeft: 12, at: now,
  ...more,
})
const machine = roundMachine.provide({ actors: { attempt: attemptDouble as never } })

const ends = [
  { status: 'completed', vote: vote('agree') },
  { status: 'failed', failure: failures.fatal },
  { status: 'stopped' },
  { status: 'interrupted', lost: true },
]

const events = (actor: AnyActorRef): AnyEvent[] => {
  const { speaking }: RoundContext = actor.getSnapshot().context
  return [
    ...Object.values(speaking).flatMap(({ attemptId }) => [
      ...ends.map((end) => event('settle', { to: attemptId, end })),
      event('resume', { to: attemptId }),
      event('break', { to: attemptId }),
    ]),
    ...['a', 'b', 'nobody'].flatMap((name) => [
      event('seat.retry', { seat: name }),
      event('seat.cancel', { seat: name }),
      event('seat.kill', { seat: name }),
      event('seat.replace', { seat: name, agent: 'rehearsal:careful', mayContinue: false }),
    ]),
    event('round.stop', { reason: 'person' }),
    event('round.hurry'),
    event('computer.woke', { sleptMs: 1 }),
  ]
}

describe('everywhere a round can be', () => {
  const walks = [
    walk({ machine, input: input({ launchesLeft: 6 }), events, limit: 2_000 }),
    walk({ machine, input: input({ blind: true, launchesLeft: 6 }), events, limit: 2_000 }),
  ]

  test('every state and every arrow is reached', () => {
    expect(missedBy('round', walks)).toEqual([])
  })

  test('nothing changes on its way through JSON, and every child has a name', () => {
    expect(changedByJson(machine, walks)).toEqual([])
    expect(unnamedChildren(walks)).toEqual([])
  })

  test('no state is left without a rest, a fence, or a reason', () => {
    const attempts = 'its attempts are fenced one by one, and say whether they were lost'
    expect(unguarded('round', { listening: attempts, mending: attempts, stopping: attempts })).toEqual([])
  })

  test('launches and what is set aside never exceed what the breaker allows', () => {
    const over = walks.flatMap(({ reached }) => [...reached.values()]).filter(({ snapshot }) => {
      const { launches, speaking, launchesLeft } = (JSON.parse(snapshot) as { context: RoundContext }).context
      return launches + Object.values(speaking).reduce((sum, { reserved }) => sum + reserved, 0) > launchesLeft
    })
    expect(over).toEqual([])
  })

  test('at most one has the floor in a round that is not blind', () => {
    const [sequential] = walks
    const crowded = [...(sequential?.reached.values() ?? [])].filter(({ snapshot }) =>
      Object.keys((JSON.parse(snapshot) as { context: RoundContext }).context.speaking).length > 1)
    expect(crowded).toEqual([])
  })
})

describe('one round', () => {
  test('gives every seat the floor once, in the order of the table', () => {
    const round = begin()
    expect(speakers(round)).toEqual(['a'])
    settle(round, 'a')
    expect(speakers(round)).toEqual(['b'])
    settle(round, 'b')
    expect(outcome(round)).toEqual({ outcome: 'tallied', statuses: ['completed', 'completed'] })
  })

  test('calls everybody at once when it is blind', () => {
    expect(speakers(begin({ blind: true }))).toEqual(['a', 'b'])
  })

  test('calls nobody after a restart, but goes on when a parked turn does', () => {
    const lost = begin({ blind: true })
    settle(lost, 'b', { status: 'interrupted', lost: true })
    expect(lost.getSnapshot().value).toBe('mending')
    tell(lost, 'a', event('resume'))
    settle(lost, 'a')
    expect(outcome(lost)).toEqual({ outcome: 'tallied', statuses: ['completed', 'interrupted'] })
  })

  test('goes on just the same when the parked turn went on before the others told of the restart', () => {
    const lost = begin({ blind: true })
    tell(lost, 'a', event('resume'))
    settle(lost, 'b', { status: 'interrupted', lost: true })
    settle(lost, 'a')
    expect(outcome(lost)).toEqual({ outcome: 'tallied', statuses: ['completed', 'interrupted'] })
  })

  test('is interrupted when nobody goes on, and leaves the next seat uncalled', () => {
    const lost = begin()
    settle(lost, 'a', { status: 'interrupted', lost: true })
    expect(outcome(lost)).toEqual({ outcome: 'interrupted', statuses: ['interrupted', null] })
  })

  test('gives a replaced seat to the new agent only when the old one is gone', () => {
    const round = begin()
    round.send(event('seat.replace', { seat: 'a', agent: 'rehearsal:careful', mayContinue: false }) as never)
    expect(attemptOf(round, 'a')).toBe('run:1/2/a/1')
    settle(round, 'a', { status: 'stopped' })
    expect(attemptOf(round, 'a')).toBe('run:1/2/a/2')
    settle(round, 'a')
    settle(round, 'b')
    expect(round.getSnapshot().output?.seats[0])
      .toMatchObject({ agent: 'rehearsal:careful', result: { status: 'completed' } })
  })

  test('lets a seat that failed speak again when a person wants it, under a new id', () => {
    const round = begin()
    settle(round, 'a', { status: 'failed' })
    round.send(event('seat.retry', { seat: 'a' }) as never)
    expect(speakers(round)).toEqual(['b'])
    settle(round, 'b')
    expect(attemptOf(round, 'a')).toBe('run:1/2/a/2')
  })

  test('passes over a seat whose turn a person cancels before it came', () => {
    const round = begin()
    round.send(event('seat.cancel', { seat: 'b' }) as never)
    settle(round, 'a')
    expect(outcome(round)).toEqual({ outcome: 'tallied', statuses: ['completed', 'skipped'] })
  })

  test('is stopped only when every speaker is gone', () => {
    const round = begin({ blind: true })
    round.send(event('round.stop', { reason: 'person' }) as never)
    settle(round, 'a', { status: 'stopped' })
    expect(round.getSnapshot().value).toBe('stopping')
    settle(round, 'b', { status: 'stopped' })
    expect(outcome(round)).toEqual({ outcome: 'stopped', statuses: ['stopped', 'stopped'] })
  })

  test('counts a turn whose chart broke as failed, with all that it had set aside', () => {
    const round = begin()
    tell(round, 'a', event('break'))
    settle(round, 'b')
    expect(outcome(round)).toEqual({ outcome: 'tallied', statuses: ['failed', 'completed'] })
    expect(round.getSnapshot().output?.launches).toBe(6)
  })

  test('ends by the breaker when no launch is left for the next seat', () => {
    const round = begin({ launchesLeft: 1 })
    settle(round, 'a')
    expect(round.getSnapshot().output).toMatchObject({ breaker: true, outcome: 'tallied' })
  })
})

const begin = (more: Partial<RoundInput> = {}) => createActor(machine, { input: input(more) }).start()
type Round = ReturnType<typeof begin>

const speakers = (round: Round) => Object.keys(round.getSnapshot().context.speaking)
const attemptOf = (round: Round, name: string) => round.getSnapshot().context.speaking[name]?.attemptId
const tell = (round: Round, name: string, word: AnyEvent) => {
  const children: Record<string, AnyActorRef | undefined> = round.getSnapshot().children
  children[attemptOf(round, name) ?? '']?.send(word)
}
const settle = (round: Round, name: string, end: object = { status: 'completed' }) =>
  tell(round, name, event('settle', { end }))
const outcome = (round: Round) => {
  const { output } = round.getSnapshot()
  return { outcome: output?.outcome, statuses: output?.seats.map(({ result }) => result?.status ?? null) }
}
