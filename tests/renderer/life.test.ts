import { expect, test } from 'vitest'
import { lifeOf, livingTurns } from '../../renderer/state/life.ts'
import { columnsOf, hasRounds, roundsOf, turnMs, unfinished } from '../../renderer/state/rounds.ts'
import { bytes, length, short, shortPath } from '../../renderer/state/time.ts'
import type { RunState } from '../../renderer/state/model.ts'
import { ago, minute, now, runOf, second, turnOf, gateOf } from '../window/fixtures/parts.ts'
import { crash, running } from '../window/fixtures/scenes.ts'

const view = running.conversations['c-thumbs']!.runs[0]!
const run: RunState = { ...view, events: [], eventsRead: false, work: {} }
const turn = (seat: string) => view.turns.find((one) => one.seat === seat && one.round === 3)!

test('a streaming turn proves itself by its last output, its process and both clocks', () => {
  expect(lifeOf(turn('sceptic'), undefined, now)).toEqual([
    'streaming',
    'last output 0 s ago',
    'alive for 3:51',
    'hard cap in 26:10',
    'silence cap in 5:00',
  ])
})

test('from half a minute on, silence is called silence', () => {
  expect(lifeOf({ ...turn('sceptic'), lastOutputAt: ago(31 * second) }, undefined, now)[1]).toBe('silent for 31 s')
})

test('who awaits the person says since when and until when', () => {
  const gate = gateOf('g', {
    asker: { kind: 'attempt', id: 'a', runId: 'r', conversationId: 'c', seat: null, agent: null },
  })
  expect(lifeOf(turn('claude'), gate, now)).toEqual([
    'awaits you',
    'asked 4:00 ago',
    'expires in 11:00',
    'clocks stand still',
  ])
  expect(lifeOf(turn('claude'), { ...gate, expiresAt: null }, now)).toContain('no deadline')
})

test('a backing off and an ending turn count down to what comes next', () => {
  const dueAt = now + 7 * second
  expect(lifeOf({ ...turn('sceptic'), status: 'backingOff', dueAt }, undefined, now)).toEqual([
    'backing off, next try in 0:07',
  ])
  expect(lifeOf({ ...turn('sceptic'), status: 'ending', dueAt, aliveSince: null }, undefined, now)).toEqual([
    'stopping, killed in 0:07',
  ])
})

test('what waits for the person is told before what works', () => {
  expect(livingTurns(run).map(({ seat }) => seat)).toEqual(['claude', 'sceptic'])
})

test('rounds count the agreement of seats, the newest turn of each', () => {
  const again = turnOf(view.run, 'claude', 3, 'Yes.', {
    attemptId: 'a-again',
    vote: { choice: 'agree', position: 'p', changed: false, why: '' },
  })
  const [, , third] = roundsOf(view.run, [...view.turns, again])
  expect(third).toMatchObject({ agreeing: 2, seats: 3, ms: null, blind: false })
  expect(roundsOf(view.run, view.turns)[0]).toMatchObject({ blind: true, agreeing: 0, ms: expect.any(Number) })
})

test('what a crash took lasted until its last sign of life, not until somebody started again', () => {
  const lost = {
    ...turn('sceptic'),
    status: 'interrupted' as const,
    startedAt: ago(60 * minute),
    lastOutputAt: ago(55 * minute),
    settledAt: now,
    failure: { code: 'app.restarted' as const, message: 'Restarted.' },
  }
  expect(turnMs(lost, now)).toBe(5 * minute)
  expect(turnMs({ ...lost, failure: { code: 'app.shutting-down', message: 'Closed.' } }, now)).toBe(60 * minute)
  expect(turnMs({ ...lost, startedAt: null, lastOutputAt: null, calledAt: ago(50 * minute) }, now)).toBe(0)
})

test('the board has a column for each round that may come', () => {
  expect(columnsOf(view.run)).toHaveLength(6)
  expect(columnsOf({ ...view.run, policy: { ...view.run.policy, rounds: null }, round: 9 })).toHaveLength(10)
})

test('a plain answer has no rounds to speak of', () => {
  expect([
    hasRounds(view.run),
    hasRounds(runOf('r', 'c', 't', { policy: { ...view.run.policy, rounds: 1, consensus: false } })),
  ]).toEqual([true, false])
})

test('what can be retried is what did not complete in the last round', () => {
  expect(unfinished(crash.conversations['c-thumbs']!.runs[0]!.turns).map(({ seat }) => seat)).toEqual([
    'claude',
    'sceptic',
  ])
})

test('lengths, sizes and paths are short and steady', () => {
  expect([length(0), length(65 * second), length(3 * 60 * minute), length(50 * 60 * minute)]).toEqual([
    '0:00',
    '1:05',
    '3:00:00',
    '2 days',
  ])
  expect(length(7 * 24 * 60 * minute - 1)).toBe('7 days')
  expect([short(940), short(4_200), short(1_300_000), bytes(900), bytes(18_842)]).toEqual([
    '940',
    '4.2k',
    '1.3M',
    '900 B',
    '18.4 KB',
  ])
  expect([shortPath('/home/person/src', '/home/person'), shortPath('/home/persona', '/home/person')]).toEqual([
    '~/src',
    '/home/persona',
  ])
})
