import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { likePatterns } from '../../../electron/stores/like-patterns.ts'
import { openStores } from '../../../electron/stores/open.ts'
import type { Stores } from '../../../electron/stores/stores.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { attempt, conversation, delivery, event, gate, output, run, text, tool } from './records.ts'

const everything = { after: null, limit: 50, query: '' }

/** Pages through the list and gives back the ids in order. */
const idsOf = (stores: Stores, limit: number, query = '') => {
  const ids: string[] = []
  for (let after: string | null = null; ;) {
    const page = stores.list.page({ after, limit, query })
    ids.push(...page.rows.map(({ conversationId }) => conversationId))
    if (page.more === null) return ids
    after = page.more
  }
}

describe('the list of conversations', () => {
  test('is newest first and the same whatever the size of a page', () => {
    const stores = freshStores()
    const times = [5, 3, 9, 3, 3, 7, 1]
    for (const [index, updatedAt] of times.entries()) {
      stores.conversations.create(conversation(`conversation-${index}`, { updatedAt }))
    }
    const newestFirst = [2, 5, 0, 4, 3, 1, 6].map((index) => `conversation-${index}`)
    expect([1, 2, 3, 7, 50].map((limit) => idsOf(stores, limit))).toEqual(Array.from({ length: 5 }, () => newestFirst))
  })

  test('says of each what a person must know before opening it', () => {
    const stores = freshStores()
    const task = withTask(stores, 'conversation-one', 'run-one', { startedAt: 40 })
    const asking = attempt('attempt-one', task, { status: 'awaitingGate' })
    stores.ledger.commit({
      attempts: [asking],
      gates: [gate('gate-one', asking), gate('gate-two', asking), gate('gate-old', asking, { status: 'applied' })],
    })
    stores.queue.add({
      queuedId: 'queued-one', conversationId: 'conversation-one', text: 'and then?', targets: ['rehearsal:bold'],
      settings: { rounds: 1, blindFirst: false }, createdAt: 41, refusal: null, images: [],
    })
    stores.drafts.save('conversation-one', 'half a sent', 42)
    expect(stores.list.row('conversation-one')).toEqual({
      conversationId: 'conversation-one', kind: 'group', name: 'Talk conversation-one',
      members: ['rehearsal:bold', 'rehearsal:careful'], status: 'running', activeRunId: 'run-one', gatesWaiting: 2,
      queued: 1, hasDraft: true, updatedAt: 40,
    })
  })

  test('shows the newest run, and moves a conversation up when its run settles', () => {
    const stores = freshStores()
    const first = withTask(stores, 'conversation-one', 'run-one')
    withTask(stores, 'conversation-two', 'run-two', { startedAt: 50 })
    stores.ledger.commit({ runs: [{ ...first, status: 'agreed', settledAt: 60 }] })
    expect(stores.list.page(everything).rows.map((row) => [row.conversationId, row.status, row.activeRunId])).toEqual([
      ['conversation-one', 'agreed', null], ['conversation-two', 'running', 'run-two'],
    ])
  })

  test('has nothing to say of a conversation that is not there', () => {
    expect(freshStores().list.row('conversation-none')).toBeNull()
  })

  test('refuses a place in it that it never gave', () => {
    const stores = freshStores()
    expect(() => stores.list.page({ ...everything, after: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'ipc.bad-input' }),
    )
  })
})

describe('searching', () => {
  const searchable = () => {
    const stores = freshStores()
    stores.conversations.create(conversation('conversation-name', { name: 'Retry policy', updatedAt: 9 }))
    withTask(stores, 'conversation-asked', 'run-asked', { topic: 'How long should a BACKOFF be? 100% or 10_000?' })
    const told = withTask(stores, 'conversation-told', 'run-told', { topic: 'Something else', startedAt: 5 })
    stores.ledger.commit({ attempts: [attempt('attempt-told', told)] })
    stores.outputs.append(
      output('attempt-told', [text('Two seconds of back'), text('off, then more. Über alles: 重试策略')]),
    )
    return { stores, told }
  }

  test.each([
    ['retry', ['conversation-name']],
    ['POLICY retry', ['conversation-name']],
    ['backoff', ['conversation-asked', 'conversation-told']],
    ['kof', ['conversation-asked', 'conversation-told']],
    ['backoff seconds', ['conversation-told']],
    ['über', ['conversation-told']],
    ['ÜBER', ['conversation-told']],
    ['试策', ['conversation-told']],
    ['100%', ['conversation-asked']],
    ['0_0', ['conversation-asked']],
    ['retry backoff', []],
    ['   ', ['conversation-asked', 'conversation-name', 'conversation-told']],
  ])('for %j finds %j', async (query, expected) => {
    const { stores, told } = searchable()
    stores.ledger.commit({ attempts: [attempt('attempt-told', told, { status: 'completed' })] })
    const { rows, more } = await stores.list.find({ after: null, limit: 10, query })
    expect([rows.map(({ conversationId }) => conversationId).toSorted(), more]).toEqual([expected, null])
  })

  test('finds the same page by page', () => {
    const { stores, told } = searchable()
    stores.ledger.commit({ attempts: [attempt('attempt-told', told, { status: 'stopped' })] })
    expect(idsOf(stores, 1, 'backoff')).toEqual(['conversation-asked', 'conversation-told'])
  })

  test('ends a page early rather than read too much at once, and goes on from there', async () => {
    const stores = freshStores()
    const long = 'x'.repeat(200_000)
    for (let number = 1; number <= 50; number += 1) {
      withTask(stores, `conversation-${number}`, `run-${number}`, { topic: number === 1 ? 'needle' : long })
    }
    const slice = stores.list.page({ after: null, limit: 10, query: 'needle' })
    const whole = await stores.list.find({ after: null, limit: 10, query: 'needle' })
    expect([slice.rows, slice.more === null, whole.rows.map(({ conversationId }) => conversationId)]).toEqual([
      [], false, ['conversation-1'],
    ])
  })

  test('takes no more words than it has room for', () => {
    expect(likePatterns('a b c d e f g h')).toHaveLength(6)
  })
})

describe('a conversation', () => {
  test('keeps a new name and new settings, and refuses those that it could not read back', () => {
    const stores = freshStores()
    stores.conversations.create(conversation('conversation-one'))
    stores.conversations.rename('conversation-one', '  Colours  ', 5)
    const updated = stores.conversations.update('conversation-one', { allowWrite: true, workdir: undefined }, 6)
    expect(stores.conversations.get('conversation-one')).toEqual(updated)
    expect([updated.name, updated.allowWrite, updated.workdir, updated.updatedAt]).toEqual(['Colours', true, '/tmp', 6])
    expect(() => stores.conversations.rename('conversation-one', '   ', 7)).toThrow('too_small')
    expect(stores.conversations.get('conversation-one')?.name).toBe('Colours')
  })

  test.each(['rename', 'update', 'delete'] as const)('that is not there is refused by %s', (what) => {
    const { conversations } = freshStores()
    const change = {
      rename: () => conversations.rename('conversation-none', 'Name', 1),
      update: () => conversations.update('conversation-none', {}, 1),
      delete: () => conversations.delete('conversation-none'),
    }[what]
    expect(change).toThrow(expect.objectContaining({ code: 'conversation.unknown' }))
  })

  test('that is deleted takes everything of it along, and no word of it stays in the files', () => {
    const folder = freshFolder()
    const stores = openStores(folder)
    const word = 'xylophonequartz'
    fill(stores, 'gone', word)
    fill(stores, 'kept', 'harmonica')
    stores.conversations.delete('conversation-gone')
    const open = wordsIn(folder, word)
    stores.close()
    expect({ open, closed: wordsIn(folder, word), left: rowCounts(folder) }).toEqual({
      open: [], closed: [], left: onlyRowsOfOne,
    })
    const again = freshStores(folder)
    expect([again.integrity(), again.attempts.text('attempt-kept'), idsOf(again, 10)]).toEqual([
      [], 'harmonica harmonica', ['conversation-kept'],
    ])
  })

  test('that is deleted leaves a prompt that another one was sent too', () => {
    const stores = freshStores()
    for (const name of ['one', 'two']) {
      const speaking = attempt(`attempt-${name}`, withTask(stores, `conversation-${name}`, `run-${name}`))
      stores.ledger.commit({ attempts: [speaking] })
      stores.deliveries.add({
        record: delivery(`delivery-${name}`, speaking, { promptSha256: sha256('same') }),
        prompt: 'same',
      })
    }
    stores.conversations.delete('conversation-one')
    expect(stores.deliveries.prompt('delivery-two')?.prompt).toBe('same')
  })
})

const sha256 = (of: string) => createHash('sha256').update(of).digest('hex')

/** Puts a word into every place that a conversation has. */
const fill = (stores: Stores, name: string, word: string) => {
  const conversationId = `conversation-${name}`
  stores.conversations.create(conversation(conversationId, { name: word, workdir: `/${word}` }))
  stores.images.add({
    conversationId,
    note: { imageId: `image-${name}`, name: word, mime: 'image/png', width: 1, height: 1 },
    content: Buffer.from(word),
  })
  const task = withTask(stores, conversationId, `run-${name}`, { topic: `${word}?` })
  const speaking = attempt(`attempt-${name}`, task)
  const record = delivery(`delivery-${name}`, speaking, { promptSha256: sha256(`${word}!`), sources: [word] })
  stores.ledger.commit({
    attempts: [speaking],
    gates: [gate(`gate-${name}`, speaking, { detail: word })],
    events: [event(task.runId, 1, { cause: { word } }), event(`gate-${name}`, 1, { machine: 'gate', cause: { word } })],
    snapshots: [{ rootId: task.runId, machine: 'run', version: 1, snapshot: JSON.stringify({ word }), live: true }],
  })
  for (let seq = 1; seq <= 40; seq += 2) {
    stores.outputs.append(
      output(speaking.attemptId, [{ type: 'textReplaced', text: `${word} so far` }, tool(`tool-${seq}`, word)], seq),
    )
  }
  stores.deliveries.add({ record, prompt: `${word}!` })
  stores.attempts.keepReply({
    attemptId: speaking.attemptId, text: `${word} ${word}`, noVote: null, capsule: word,
    vote: { choice: 'agree', position: word, changed: false, why: word },
  })
  stores.ledger.commit({
    runs: [run(task.runId, conversationId, { status: 'agreed', topic: task.topic, settledAt: 70 })],
  })
  stores.sessions.keep(
    { kind: 'direct', conversationId, agent: 'codex' },
    { nativeId: word, adapterVersion: null, at: 1 },
  )
  stores.queue.add({
    queuedId: `queued-${name}`,
    conversationId,
    text: word,
    targets: ['codex'],
    settings: { rounds: 1, blindFirst: false },
    createdAt: 1,
    refusal: null, images: [],
  })
  stores.drafts.save(conversationId, word, 1)
}

const wordsIn = (folder: string, word: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
    .map(({ name }) => name)

const rowCounts = (folder: string) => {
  const database = new Database(join(folder, 'parley.db'), { readOnly: true })
  const tables = database.all(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
  const counts = tables.map(({ name }) => [
    name,
    database.get(`select count(*) as rows from "${String(name)}"`)?.['rows'],
  ])
  database.close()
  return Object.fromEntries(counts) as Record<string, unknown>
}

const onlyRowsOfOne = {
  images: 1,
  run_details: 0,
  // that something was deleted, until the backups are without it too
  meta: 1,
  launches: 0,
  custom_agents: 0,
  live_texts: 0,
  conversations: 1,
  drafts: 1,
  queue: 1,
  messages: 1,
  runs: 1,
  attempts: 1,
  turn_texts: 1,
  prompts: 1,
  provider_profiles: 0,
  deliveries: 1,
  gates: 1,
  sessions: 1,
  roots: 2,
  actors: 2,
  events: 2,
  outputs: 40,
  attempt_tools: 20,
}
