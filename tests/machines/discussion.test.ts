import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunInput } from '../../machines/blanks.ts'
import type { RoundInput } from '../../machines/round/memory.ts'
import type { RunContext } from '../../machines/run/memory.ts'
import type { RunPolicy } from '../../shared/run.ts'
import { now } from './events.ts'
import { pick, World, type Happening } from './world.ts'

const seats = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'] as const

const policy = fc.record({
  rounds: fc.constantFrom(1, 2, 3, 5),
  consensus: fc.boolean(),
  blindFirst: fc.boolean(),
  allowWrite: fc.boolean(),
  silenceMs: fc.constant(10_000),
  capMs: fc.constant(60_000),
})

const runInput = (given: RunPolicy, mayContinue: boolean): RunInput => ({
  runId: 'run:1', conversationId: 'talk:1', messageId: 'message:1', topic: 'Tabs or spaces?', followUpOf: null, at: now,
  policy: given,
  seats: seats.map((seat) => ({ seat, agent: seat, standing: 'seated' })),
  mayContinue: Object.fromEntries(seats.map((seat) => [seat, mayContinue])),
})

/** A tape of numbers decides what happens next; two times in a row the same tape is the same story. */
const tape = (maxLength: number) => fc.array(fc.nat({ max: 9_999 }), { maxLength, size: 'max' })

const story = fc.record({ policy, mayContinue: fc.boolean(), tape: tape(180) })

describe('whatever happens to a discussion', () => {
  test('one process at a time in a round that is not blind, nobody agrees alone, no end leaves a process', () => {
    fc.assert(fc.property(story, (given) => {
      const world = newRun(given)
      for (const number of given.tape) {
        if (world.isOver) break
        step(world, [...world.facts(), ...orders(world), crash(world)], number)
        expect(world.alive.length).toBeLessThanOrEqual(isBlind(world, given.policy) ? seats.length : 1)
        holdsWhenOver(world)
      }
    }), { numRuns: 300 })
  })

  test('a stop ends it exactly once, as stopped unless something came first', () => {
    fc.assert(fc.property(story, (given) => {
      const world = newRun(given)
      for (const number of given.tape) {
        if (!world.isOver) step(world, [...world.facts(), ...orders(world, false)], number)
      }
      if (world.isOver || isUnrecorded(world)) return
      const before = contextOf(world)
      world.send({ type: 'run.stop', runId: 'run:1' })
      settle(world, given.tape)
      expect(world.isOver).toBe(true)
      expect(world.ends).toBe(1)
      expect(world.actor.getSnapshot().value).toBe(before.conclusion ?? endOfStop[before.stop?.kind ?? 'person'])
      holdsWhenOver(world)
    }), { numRuns: 300 })
  })

  test('after a crash at any moment it ends by itself, or waits for a person', () => {
    fc.assert(fc.property(story, (given) => {
      const world = newRun(given)
      for (const number of given.tape) if (!world.isOver) step(world, [...world.facts(), ...orders(world)], number)
      if (world.isOver || isUnrecorded(world)) return
      const begun = world.launches
      world.crash()
      expect(world.launches).toBe(begun)
      settle(world, given.tape)
      expect(world.isOver || waitsForAPerson(world)).toBe(true)
      holdsWhenOver(world)
    }), { numRuns: 300 })
  })

  test('a restart begins nothing by itself, wherever the run, its round and its turns are', () => {
    fc.assert(fc.property(story, (given) => {
      const world = newRun(given)
      const begun = given.tape.flatMap((number) => {
        if (world.isOver) return []
        step(world, [...world.facts(), ...orders(world), crash(world)], number)
        return isUnrecorded(world) ? [] : world.begunByRestart()
      })
      expect(begun).toEqual([])
    }), { numRuns: 60 })
  })

  test('orders that name another run, another gate or nobody change nothing', () => {
    fc.assert(fc.property(story, (given) => {
      const world = newRun(given)
      for (const number of given.tape) {
        if (world.isOver) break
        const before = world.actor.getSnapshot()
        for (const stale of staleOrders) world.send(stale)
        expect(withoutMessages(world.actor.getSnapshot())).toEqual(withoutMessages(before))
        step(world, [...world.facts(), ...orders(world)], number)
      }
    }), { numRuns: 60 })
  })
})

describe('whatever happens to a round', () => {
  test('its launches never exceed what the breaker leaves it', () => {
    const roundStory = fc.record({
      launchesLeft: fc.integer({ min: 1, max: 8 }), blind: fc.boolean(), allowWrite: fc.boolean(), tape: tape(80),
    })
    fc.assert(fc.property(roundStory, ({ launchesLeft, blind, allowWrite, tape: numbers }) => {
      const input: RoundInput = {
        runId: 'run:1', conversationId: 'talk:1', round: 1, blind, launchesLeft, at: now,
        seats: seats.map((seat) => ({ seat, agent: seat, mayContinue: true })),
        policy: { rounds: 1, consensus: true, blindFirst: blind, allowWrite, silenceMs: 10_000, capMs: 60_000 },
      }
      const world = new World((stage) => stage.round(), input)
      for (const number of numbers) {
        if (!world.isOver) step(world, [...world.facts(), ...seatOrders(world), crash(world)], number)
      }
      expect(world.launches).toBeLessThanOrEqual(launchesLeft)
    }), { numRuns: 300 })
  })
})

/** How a run ends that was stopped for this reason before it had concluded. */
const endOfStop = { person: 'stopped', shutdown: 'interrupted', accepted: 'agreed', breaker: 'budgetSpent' }

const newRun = ({ policy: given, mayContinue }: { policy: RunPolicy; mayContinue: boolean }) =>
  new World((stage) => stage.run(), runInput(given, mayContinue))

const step = (world: World, happenings: Happening[], number: number) => {
  const happening = pick(happenings, number)
  if (happening) world.let(happening)
}

const order = (world: World, event: { type: string; [field: string]: unknown }, weight = 1): Happening =>
  ({ name: event.type, by: 'person', weight, happen: () => world.send(event) })

const orders = (world: World, withStops = true): Happening[] => [
  ...(withStops ? [order(world, { type: 'run.stop', runId: 'run:1' }), order(world, { type: 'run.interrupt' })] : []),
  ...['run.pause', 'run.resume', 'run.hurry', 'minutes.retry'].map((type) => order(world, { type })),
  order(world, { type: 'computer.woke', sleptMs: 500 }),
  ...seatOrders(world),
]

const seatOrders = (world: World): Happening[] => seats.slice(0, 2).flatMap((seat) => [
  ...['seat.retry', 'seat.cancel', 'seat.kill'].map((type) => order(world, { type, seat })),
  order(world, { type: 'seat.replace', seat, agent: 'rehearsal:bold', mayContinue: true }),
])

/** A crash before anything is recorded leaves nothing to look at, so it does not happen here. */
const crash = (world: World): Happening =>
  ({ name: 'crash', by: 'crash', weight: isUnrecorded(world) ? 0 : 2, happen: () => world.crash() })

const staleOrders = [
  { type: 'run.stop', runId: 'run:2' },
  { type: 'gate.answered', gateId: 'gate:nobody', decision: { effect: 'grant' } },
  { type: 'gate.closed', gateId: 'gate:nobody', reason: 'expired' },
  { type: 'seat.retry', seat: 'nobody' },
  { type: 'seat.cancel', seat: 'nobody' },
  { type: 'seat.kill', seat: 'nobody' },
]

/** Lets the world go on by itself, nobody answering, until nothing more happens. */
const settle = (world: World, numbers: number[]) => {
  for (let turn = 0; turn < 600 && !world.isOver; turn += 1) {
    const facts = world.facts().filter(({ by }) => by === 'world')
    if (facts.length === 0) return
    step(world, facts, (numbers[turn % Math.max(1, numbers.length)] ?? 0) + turn)
  }
}

const holdsWhenOver = (world: World) => {
  if (!world.isOver) return
  const { conclusion, stop, last } = contextOf(world)
  expect(world.alive).toEqual([])
  expect(world.ends).toBe(1)
  if (conclusion !== 'agreed' || stop?.kind === 'accepted') return
  const wasPassedOver = (status: string | undefined) => status === 'stopped' || status === 'skipped'
  const required = last?.seats.filter(({ result }) => !wasPassedOver(result?.status)) ?? []
  expect(required.length).toBeGreaterThanOrEqual(2)
  expect(required.every(({ result }) => result?.status === 'completed' && result.vote?.choice === 'agree')).toBe(true)
}

const contextOf = (world: World): RunContext => world.actor.getSnapshot().context

const isUnrecorded = (world: World): boolean => world.actor.getSnapshot().hasTag('unrecorded')

const isBlind = (world: World, { blindFirst }: RunPolicy): boolean => blindFirst && contextOf(world).round === 1

const waitsForAPerson = (world: World): boolean =>
  world.actor.getSnapshot().hasTag('needsYou') || world.facts().some(({ by }) => by === 'person')

const withoutMessages = ({ value, context }: { value: unknown; context: RunContext }) => {
  const { lastAt: _time, misses: _misses, ...rest } = context
  return JSON.stringify({ value, rest })
}
