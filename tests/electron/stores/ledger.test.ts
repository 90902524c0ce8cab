import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../shared/ledger.ts'
import { eventsPageMax } from '../../../shared/limits.ts'
import { freshFolder, freshStores, withTask, withTurn } from './fresh.ts'
import { attempt, event, gate } from './records.ts'

const snapshot = (rootId: string, more = {}) =>
  ({ rootId, machine: 'run', version: 3, snapshot: `{"of":"${rootId}"}`, live: true, ...more }) as const

describe('a cut', () => {
  test('keeps events, snapshots and the rows that lists are read from together', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    const asking = attempt('attempt-one', task, { status: 'awaitingGate', gateId: 'gate-one' })
    const events = [event('run-one', 1), event('gate-one', 1, { machine: 'gate', value: 'waiting', from: 'opening' })]
    stores.ledger.commit({
      runs: [{ ...task, round: 2 }], attempts: [asking], gates: [gate('gate-one', asking)], events,
      snapshots: [snapshot('run-one'), snapshot('gate-one', { machine: 'gate' })],
    })
    expect([
      stores.runs.get('run-one')?.round, stores.attempts.ofRun('run-one'), stores.gates.waiting(),
      stores.ledger.events('run-one', 0, 10), stores.ledger.events('gate-one', 0, 10), stores.ledger.liveSnapshots(),
    ]).toEqual([
      2, [asking], [gate('gate-one', asking)],
      { events: [events[0]], more: false }, { events: [events[1]], more: false },
      [snapshot('run-one'), snapshot('gate-one', { machine: 'gate' })],
    ])
  })

  test('leaves nothing behind when one part of it is refused', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    stores.ledger.commit({ events: [event('run-one', 1)], snapshots: [snapshot('run-one')] })
    const before = [stores.views.run('run-one'), stores.ledger.liveSnapshots(), stores.gates.waiting()]
    expect(() =>
      stores.ledger.commit({
        runs: [{ ...task, round: 9 }],
        attempts: [attempt('attempt-one', task)],
        gates: [gate('gate-one', attempt('attempt-one', task))],
        snapshots: [snapshot('run-one', { snapshot: '{"newer":true}' })],
        events: [event('run-one', 2), event('run-one', 1)],
      })).toThrow('refused')
    expect([stores.views.run('run-one'), stores.ledger.liveSnapshots(), stores.gates.waiting()]).toEqual(before)
  })

  test('of a run that nobody accepted is refused', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    expect(() => stores.ledger.commit({ attempts: [attempt('attempt-one', { ...task, runId: 'run-none' })] })).toThrow(
      expect.objectContaining({ code: 'run.unknown' }),
    )
  })

  test('strips what a record should not hold', () => {
    const stores = freshStores()
    const { task, speaking } = withTurn(stores)
    const careless = { ...speaking, argv: ['--secret'] }
    stores.ledger.commit({ attempts: [careless], runs: [Object.assign({ nativeId: 'session' }, task)] })
    expect([stores.attempts.get('attempt-one'), stores.runs.get('run-one')]).toEqual([speaking, task])
  })

  test('never rewrites a long topic, and reads it back whole', () => {
    const stores = freshStores()
    const topic = 'long '.repeat(30_000)
    const task = withTask(stores, 'conversation-one', 'run-one', { topic })
    stores.ledger.commit({ runs: [{ ...task, topic: '', round: 4 }] })
    expect(stores.runs.get('run-one')).toEqual({ ...task, round: 4 })
  })
})

describe('events', () => {
  test('are read back page by page, oldest first', () => {
    const stores = freshStores()
    const events = Array.from({ length: 7 }, (_, index) => event('run-one', index + 1))
    stores.ledger.commit({ events })
    expect([
      stores.ledger.events('run-one', 2, 3),
      stores.ledger.events('run-one', 5, 3),
      stores.ledger.lastSeq('run-one'),
    ]).toEqual([{ events: events.slice(2, 5), more: true }, { events: events.slice(5), more: false }, 7])
  })

  test('are known by the machine they happened to', () => {
    const stores = freshStores()
    const mine = (seq: number): LedgerEvent =>
      event('run-one', seq, { machine: 'attempt', actor: 'attempt-one', value: `step-${seq}` })
    stores.ledger.commit({ events: [event('run-one', 1), mine(2), event('run-one', 3), mine(4)] })
    expect(stores.ledger.eventsOf('attempt-one')).toEqual([mine(2), mine(4)])
  })

  test('of one machine are bounded to the newest', () => {
    const stores = freshStores()
    stores.ledger.commit({
      events: Array.from({ length: eventsPageMax + 5 }, (_, index) => event('run-one', index + 1)),
    })
    const read = stores.ledger.eventsOf('run-one')
    expect([read.length, read[0]?.seq, read.at(-1)?.seq]).toEqual([eventsPageMax, 6, eventsPageMax + 5])
  })

  test('say how large their cause was when it was too large to keep', () => {
    const stores = freshStores()
    stores.ledger.commit({ events: [event('run-one', 1, { cause: { text: 'é'.repeat(2_000) } })] })
    expect(stores.ledger.events('run-one', 0, 1).events[0]?.cause).toEqual({ omittedBytes: 4_011 })
  })

  test('of nothing are none', () => {
    const { ledger } = freshStores()
    expect([
      ledger.events('run-none', 0, 5),
      ledger.eventsOf('run-none'),
      ledger.lastSeq('run-none'),
      ledger.actors('run-none'),
    ]).toEqual([{ events: [], more: false }, [], 0, []])
  })
})

describe('machines', () => {
  test('are where their last event left them, in the order they appeared', () => {
    const stores = freshStores()
    stores.ledger.commit({
      events: [
        event('run-one', 1, { value: 'preparing' }),
        event('run-one', 2, { machine: 'round', actor: 'run-one/1', value: 'calling' }),
        event('run-one', 3, { value: { conferring: 'speaking' }, from: 'preparing', type: 'preflight.passed', at: 9 }),
      ],
    })
    expect(stores.ledger.actors('run-one')).toEqual([
      {
        machine: 'run',
        actor: 'run-one',
        value: { conferring: 'speaking' },
        last: { type: 'preflight.passed', at: 9, from: 'preparing' },
      },
      { machine: 'round', actor: 'run-one/1', value: 'calling', last: { type: 'run.moved', at: 102, from: null } },
    ])
    expect(stores.ledger.actor('run-one/1')?.value).toBe('calling')
  })

  test('that settled are forgotten by the next start, but not what happened to them', () => {
    const folder = freshFolder()
    const stores = freshStores(folder)
    const roots = ['run-one', 'run-two', 'run-three']
    stores.ledger.commit({
      snapshots: roots.map((rootId) => snapshot(rootId)),
      events: roots.map((rootId) => event(rootId, 1)),
    })
    stores.ledger.commit({ snapshots: [snapshot('run-one', { live: false })] })
    stores.ledger.forget('run-two')
    stores.close()
    const { ledger } = freshStores(folder)
    expect([ledger.liveSnapshots(), roots.map((rootId) => ledger.lastSeq(rootId))]).toEqual([
      [snapshot('run-three')],
      [1, 1, 1],
    ])
  })

  test('that cannot go on are put aside with the reason and hinder no other', () => {
    const stores = freshStores()
    stores.ledger.commit({ snapshots: [snapshot('run-one'), snapshot('run-two')] })
    const failure = { code: 'snapshot.unreadable', message: 'It comes from another version.' } as const
    stores.ledger.quarantine('run-one', failure)
    expect([stores.ledger.liveSnapshots(), stores.ledger.quarantined()]).toEqual([
      [snapshot('run-two')], [{ rootId: 'run-one', machine: 'run', version: 3, failure }],
    ])
  })
})
