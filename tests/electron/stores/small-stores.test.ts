import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { queuedMessagesMax } from '../../../shared/limits.ts'
import { freshFolder, freshStores, withTurn } from './fresh.ts'
import { conversation, delivery, gate } from './records.ts'

const promptSha256 = (prompt: string) => createHash('sha256').update(prompt).digest('hex')

const queued = (queuedId: string, text = queuedId) => ({
  queuedId,
  conversationId: 'conversation-one',
  text,
  targets: ['codex' as const],
  settings: { rounds: 1, blindFirst: false },
  createdAt: 1,
  refusal: null,
  images: [],
})

test('a gate is found by whoever asked, by its run, and in the inbox while it waits', () => {
  const stores = freshStores()
  const { speaking } = withTurn(stores)
  const [later, first, answered, applied] = [
    gate('gate-later', speaking, { askedAt: 9 }),
    gate('gate-first', speaking, { askedAt: 3 }),
    gate('gate-answered', speaking, { askedAt: 4, status: 'answered' }),
    gate('gate-applied', speaking, { askedAt: 5, status: 'applied' }),
  ] as const
  stores.ledger.commit({ gates: [later, first, answered, applied] })
  expect([
    stores.gates.waiting(),
    stores.gates.unsettled(),
    stores.gates.ofAttempt('attempt-one'),
    stores.gates.ofRun('run-one').length,
    stores.gates.get('gate-applied'),
    stores.gates.get('gate-none'),
  ]).toEqual([[first, later], [first, answered, later], [first, answered, applied, later], 4, applied, null])
})

test('a gate keeps its place when it is answered', () => {
  const stores = freshStores()
  const { speaking } = withTurn(stores)
  const asked = gate('gate-one', speaking)
  const decision = { optionId: 'yes', effect: 'grant', name: 'allowOnce', note: null, position: null, at: 30 } as const
  stores.ledger.commit({ gates: [asked] })
  stores.ledger.commit({ gates: [{ ...asked, status: 'applied', decision, settledAt: 31 }] })
  expect([stores.gates.waiting(), stores.gates.get('gate-one')?.decision]).toEqual([[], decision])
})

test('a delivery keeps exactly what was sent, once for the same text', () => {
  const stores = freshStores()
  const { speaking } = withTurn(stores)
  const records = ['delivery-one', 'delivery-two'].map((id, index) =>
    delivery(id, speaking, { try: index + 1, promptSha256: promptSha256('Say what you think. 🦉') }))
  for (const record of [...records, ...records]) stores.deliveries.add({ record, prompt: 'Say what you think. 🦉' })
  expect([
    stores.deliveries.ofAttempt('attempt-one'),
    stores.deliveries.prompt('delivery-two'),
    stores.deliveries.prompt('delivery-none'),
  ]).toEqual([records, { prompt: 'Say what you think. 🦉', sha256: promptSha256('Say what you think. 🦉') }, null])
})

test('a delivery is refused when its hash is not that of its text, or nobody took it', () => {
  const stores = freshStores()
  const { speaking } = withTurn(stores)
  expect(() => stores.deliveries.add({ record: delivery('delivery-one', speaking), prompt: 'other' })).toThrow('hash')
  const nobody = delivery(
    'delivery-one',
    { ...speaking, attemptId: 'attempt-none' },
    { promptSha256: promptSha256('x') },
  )
  expect(() => stores.deliveries.add({ record: nobody, prompt: 'x' })).toThrow(
    expect.objectContaining({ code: 'attempt.unknown' }),
  )
  expect(stores.deliveries.ofAttempt('attempt-one')).toEqual([])
})

test('a prompt that was tampered with is not shown as what was sent', () => {
  const folder = freshFolder()
  const stores = freshStores(folder)
  const { speaking } = withTurn(stores)
  stores.deliveries.add({
    record: delivery('delivery-one', speaking, { promptSha256: promptSha256('true') }),
    prompt: 'true',
  })
  const database = new Database(join(folder, 'parley.db'), { readOnly: false })
  onTestFinished(() => database.close())
  database.run(`update prompts set text = 'false'`)
  expect(() => stores.deliveries.prompt('delivery-one')).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
})

test('a native session is used again only where it was kept, by the agent that knows it', () => {
  const { conversations, sessions } = freshStores()
  conversations.create(conversation('conversation-one'))
  const session = { nativeId: 'thread-7', adapterVersion: '1.2', at: 5 }
  const seat = {
    kind: 'group',
    conversationId: 'conversation-one',
    messageId: 'message-one',
    seat: 'bold',
    agent: 'codex',
  } as const
  sessions.keep(seat, { ...session, nativeId: 'thread-6' })
  sessions.keep(seat, session)
  expect([
    sessions.get(seat), sessions.get({ ...seat, agent: 'claude' }), sessions.get({ ...seat, messageId: 'message-two' }),
    sessions.get({ kind: 'direct', conversationId: 'conversation-one', agent: 'codex' }),
  ]).toEqual([session, null, null, null])
})

test('native sessions are dropped one by one, or all of a conversation', () => {
  const { conversations, sessions } = freshStores()
  const scopes = ['conversation-one', 'conversation-two'].flatMap((conversationId) => {
    conversations.create(conversation(conversationId))
    return (['codex', 'claude'] as const).map((agent) => ({ kind: 'direct', conversationId, agent }) as const)
  })
  for (const scope of scopes) sessions.keep(scope, { nativeId: 'thread', adapterVersion: null, at: 1 })
  sessions.drop(scopes[3]!)
  sessions.clear('conversation-one')
  expect(scopes.map((scope) => sessions.get(scope) !== null)).toEqual([false, false, true, false])
})

test('waiting messages come out in the order they came in, as they were last edited', () => {
  const { conversations, queue } = freshStores()
  conversations.create(conversation('conversation-one'))
  for (const id of ['queued-a', 'queued-b', 'queued-c']) queue.add(queued(id))
  queue.add(queued('queued-a'))
  queue.edit('conversation-one', 'queued-b', 'edited')
  queue.withdraw('conversation-one', 'queued-a')
  expect([queue.next('conversation-one'), queue.list('conversation-one').length, queue.waiting()]).toEqual([
    queued('queued-b', 'edited'), 2, ['conversation-one'],
  ])
})

test('a message that does not wait any more cannot be edited or withdrawn', () => {
  const { conversations, queue } = freshStores()
  conversations.create(conversation('conversation-one'))
  conversations.create(conversation('conversation-two'))
  queue.add(queued('queued-a'))
  const unknown = expect.objectContaining({ code: 'queue.unknown' })
  expect(() => queue.edit('conversation-two', 'queued-a', 'x')).toThrow(unknown)
  expect(() => queue.withdraw('conversation-one', 'queued-b')).toThrow(unknown)
  expect(queue.list('conversation-one')).toEqual([queued('queued-a')])
})

test('only so many messages may wait', () => {
  const { conversations, queue } = freshStores()
  conversations.create(conversation('conversation-one'))
  for (let number = 1; number <= queuedMessagesMax; number += 1) queue.add(queued(`queued-${number}`))
  expect(() => queue.add(queued('queued-more'))).toThrow(expect.objectContaining({ code: 'queue.full' }))
})

test('a draft is what was last written, and an empty one is none', () => {
  const { conversations, drafts, list } = freshStores()
  conversations.create(conversation('conversation-one'))
  drafts.save('conversation-one', 'Hello', 1)
  drafts.save('conversation-one', 'Hello you', 2)
  const kept = drafts.get('conversation-one')
  drafts.save('conversation-one', '', 3)
  expect([kept, drafts.get('conversation-one'), list.row('conversation-one')?.hasDraft]).toEqual([
    'Hello you',
    '',
    false,
  ])
})

test('a launch is known until it is gone', () => {
  const { launches } = freshStores()
  launches.add({ token: 'token-a', pid: 4, startTime: '77' })
  launches.add({ token: 'token-b', pid: 5, startTime: '78' })
  launches.remove('token-a')
  expect(launches.all()).toEqual([{ token: 'token-b', pid: 5, startTime: '78' }])
})

test('a small fact is what it was last set to', () => {
  const { meta } = freshStores()
  meta.set('secret', 'one')
  meta.set('secret', 'two')
  expect([meta.get('secret'), meta.get('nothing')]).toEqual(['two', null])
})
