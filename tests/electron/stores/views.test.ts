import { describe, expect, test } from 'vitest'
import type { AttemptStatus } from '../../../shared/attempt.ts'
import { runsPageMax, textPerAttemptMaxCharacters, viewTextCutCharacters } from '../../../shared/limits.ts'
import type { RunStatus } from '../../../shared/run.ts'
import { TimelinePage } from '../../../shared/timeline.ts'
import { AttemptView, ConversationView } from '../../../shared/view.ts'
import { whatCanBeDone } from '../../../electron/stores/views.ts'
import { freshStores, withTask, withTurn } from './fresh.ts'
import { attempt, delivery, event, gate, output, run, text, tool } from './records.ts'

const runIdsOf = ({ runs }: ConversationView) => runs.map((view) => view.run.runId)

describe('an opened conversation', () => {
  test('shows its newest runs, oldest first, and the way to the older ones', () => {
    const stores = freshStores()
    const ids = Array.from({ length: 2 * runsPageMax + 3 }, (_, index) => `run-${index + 1}`)
    for (const id of ids) withTask(stores, 'conversation-one', id)
    const newest = stores.views.conversation('conversation-one', null)
    const middle = stores.views.conversation('conversation-one', newest.older)
    const oldest = stores.views.conversation('conversation-one', middle.older)
    expect([runIdsOf(oldest), runIdsOf(middle), runIdsOf(newest), oldest.older]).toEqual([
      ids.slice(0, 3), ids.slice(3, runsPageMax + 3), ids.slice(runsPageMax + 3), null,
    ])
    expect(ConversationView.parse(newest)).toEqual(newest)
  })

  test('holds turns in the order they were called, and where every machine is', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    stores.ledger.commit({
      attempts: [attempt('attempt-b', task), attempt('attempt-a', task)],
      events: [
        event('run-one', 1),
        event('run-one', 2, { machine: 'attempt', actor: 'attempt-b', value: 'streaming' }),
      ],
    })
    stores.outputs.append(output('attempt-a', [text('so far')]))
    const [view] = stores.views.conversation('conversation-one', null).runs
    expect([
      view!.turns.map((turn) => [turn.attemptId, turn.text]),
      view!.actors.map(({ actor }) => actor),
      view!.seq,
    ]).toEqual([
      [
        ['attempt-b', ''],
        ['attempt-a', 'so far'],
      ],
      ['run-one', 'attempt-b'],
      2,
    ])
    expect(stores.views.run('run-one')).toEqual(view)
  })

  test('shows fewer runs when their texts are long, and loses none of them', () => {
    const stores = freshStores()
    const long = 'x'.repeat(textPerAttemptMaxCharacters)
    for (const number of [1, 2, 3]) {
      const task = withTask(stores, 'conversation-one', `run-${number}`)
      for (let seat = 1; seat <= 6; seat += 1) {
        const attemptId = `attempt-${number}-${seat}`
        stores.ledger.commit({ attempts: [attempt(attemptId, task)] })
        stores.attempts.keepReply({ attemptId, text: long, vote: null, noVote: 'missing', capsule: null })
      }
    }
    const pages = []
    for (let before: string | null = null; ;) {
      const page = stores.views.conversation('conversation-one', before)
      pages.push(runIdsOf(page))
      before = page.older
      if (before === null) break
    }
    expect(pages).toEqual([['run-3'], ['run-2'], ['run-1']])
  })

  test('cuts the oldest turns of one huge run, and gives them whole when they are opened', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one')
    const long = 'x'.repeat(textPerAttemptMaxCharacters)
    const ids = Array.from({ length: 12 }, (_, index) => `attempt-${index + 1}`)
    for (const attemptId of ids) {
      stores.ledger.commit({ attempts: [attempt(attemptId, task)] })
      stores.attempts.keepReply({ attemptId, text: long, vote: null, noVote: 'missing', capsule: null })
    }
    const lengths = stores.views.run('run-one').turns.map((turn) => turn.text.length)
    expect([lengths.slice(0, 2), new Set(lengths.slice(2)), stores.views.turn('attempt-1').text.length]).toEqual([
      [viewTextCutCharacters + 5, viewTextCutCharacters + 5], new Set([long.length]), long.length,
    ])
  })

  test('that is not there is refused', () => {
    const { views } = freshStores()
    expect(() => views.conversation('conversation-none', null)).toThrow(
      expect.objectContaining({ code: 'conversation.unknown' }),
    )
    expect(() => views.run('run-none')).toThrow(expect.objectContaining({ code: 'run.unknown' }))
    expect(() => views.attempt('attempt-none')).toThrow(expect.objectContaining({ code: 'attempt.unknown' }))
  })
})

test('an opened attempt tells everything that is known of it', () => {
  const stores = freshStores()
  const { speaking } = withTurn(stores)
  const events = [
    event('run-one', 1, { machine: 'attempt', actor: 'attempt-one', value: 'streaming', from: 'launching' }),
  ]
  stores.ledger.commit({ events, gates: [gate('gate-one', speaking)] })
  stores.outputs.append(
    output('attempt-one', [
      { type: 'reasoning', delta: 'Let me ' },
      { type: 'reasoning', delta: 'see.' },
      tool('tool-one'),
      text('Yes.'),
    ]),
  )
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  stores.deliveries.add({ record: delivery('delivery-one', speaking, { promptSha256: sha256 }), prompt: '' })
  const view = stores.views.attempt('attempt-one')
  expect(AttemptView.parse(view)).toEqual(view)
  expect(view).toMatchObject({
    turn: { text: 'Yes.', toolCount: 1, outputSeq: 4 },
    actor: { value: 'streaming' },
    events,
    output: output('attempt-one', [tool('tool-one')], 3),
    reasoning: 'Let me see.',
    deliveries: [{ deliveryId: 'delivery-one' }],
    gates: [{ gateId: 'gate-one' }],
  })
})

test.each([
  ['streaming', 'running', ['cancel', 'retry', 'replace']],
  ['queued', 'running', ['cancel', 'replace']],
  ['overdue', 'running', ['cancel', 'replace', 'kill']],
  ['overdue', 'stopping', ['kill']],
  ['failed', 'running', ['retry', 'replace']],
  ['skipped', 'holding', ['retry', 'replace']],
  ['completed', 'running', []],
  ['interrupted', 'interrupted', ['followUp']],
  ['timedOut', 'partial', ['followUp']],
  ['completed', 'agreed', []],
] as const)(
  'with an attempt that is %s in a run that is %s one can %j',
  (status: AttemptStatus, runStatus: RunStatus, expected) => {
    const can = whatCanBeDone({ status }, run('run-one', 'conversation-one', { status: runStatus }))
    expect(
      Object.entries(can)
        .filter(([, may]) => may)
        .map(([what]) => what)
        .toSorted(),
    ).toEqual([...expected].toSorted())
  },
)

describe('the timeline of a run', () => {
  test('comes in pages, and with the last of them what the run came to and what its gates went through', () => {
    const stores = freshStores()
    const { task, speaking } = withTurn(stores)
    const events = [1, 2, 3].map((seq) => event('run-one', seq))
    const asked = event('gate-one', 1, { machine: 'gate', value: 'waiting' })
    stores.ledger.commit({ events: [...events, asked], gates: [gate('gate-one', speaking)] })
    stores.outputs.append(output('attempt-one', [text('So far')]))
    const first = stores.views.timeline('run-one', 0, 2)
    expect(first).toEqual({ events: events.slice(0, 2), end: null })
    const last = stores.views.timeline('run-one', 2, 2)
    expect(TimelinePage.parse(last)).toEqual(last)
    expect(last).toMatchObject({
      events: events.slice(2),
      end: { run: task, turns: [{ text: 'So far' }], gates: [{ gateId: 'gate-one' }], gateEvents: [asked] },
    })
  })

  test('says what the run has come to also where nothing has happened since; an unknown run has none', () => {
    const stores = freshStores()
    const { task } = withTurn(stores)
    expect(stores.views.timeline('run-one', 7, 10)).toMatchObject({ events: [], end: { run: task } })
    expect(() => stores.views.timeline('run-none', 0, 10)).toThrow(expect.objectContaining({ code: 'run.unknown' }))
  })
})
