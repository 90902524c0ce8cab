import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { attempt, event, gate, output, tool } from './records.ts'

/** Two tasks, the first of which somebody else has written into. */
const withForeignHand = (...statements: string[]) => {
  const folder = freshFolder()
  const stores = freshStores(folder)
  for (const name of ['bad', 'good']) {
    const task = withTask(stores, `conversation-${name}`, `run-${name}`)
    const speaking = attempt(`attempt-${name}`, task)
    stores.ledger.commit({
      attempts: [speaking], gates: [gate(`gate-${name}`, speaking)], events: [event(`run-${name}`, 1)],
      snapshots: [{ rootId: `run-${name}`, machine: 'run', version: 1, snapshot: '{}', live: true }],
    })
    stores.outputs.append(output(speaking.attemptId, [tool('tool-one')]))
  }
  const database = new Database(join(folder, 'parley.db'), { readOnly: false })
  onTestFinished(() => database.close())
  for (const statement of statements) database.script(statement)
  return stores
}

test.each([
  [
    'conversations',
    `update conversations set members = '["nobody"]' where conversation_id = 'conversation-bad'`,
    'conversation-bad',
  ],
  [
    'conversations',
    `update conversations set members = '{' where conversation_id = 'conversation-bad'`,
    'conversation-bad',
  ],
  ['runs', `update runs set record = '{}' where run_id = 'run-bad'`, 'run-bad'],
  ['attempts', `update attempts set record = 'null' where attempt_id = 'attempt-bad'`, 'attempt-bad'],
  ['gates', `update gates set record = json_set(record, '$.status', 'maybe') where gate_id = 'gate-bad'`, 'gate-bad'],
  ['roots', `update roots set machine = 'engine' where root_id = 'run-bad'`, 'run-bad'],
])('a row of %s that does not parse is left out and reported, and the others are read', (table, harm, key) => {
  const stores = withForeignHand(harm)
  const read = {
    conversations: () => stores.list.page({ after: null, limit: 9, query: '' }).rows.map((row) => row.conversationId),
    runs: () => stores.runs.nonTerminal().map((run) => run.runId),
    attempts: () => stores.attempts.nonTerminal().map(({ attemptId }) => attemptId),
    gates: () => stores.gates.waiting().map(({ gateId }) => gateId),
    roots: () => stores.ledger.liveSnapshots().map(({ rootId }) => rootId),
  }[table]!
  expect([read(), stores.damage()]).toEqual([[key.replace('bad', 'good')], [{ table, key }]])
})

test('a damaged event or piece of output is missing from its page and reported', () => {
  const stores = withForeignHand(`update events set value = '7'`, `update outputs set item = '{"type":"riddle"}'`)
  expect([
    stores.ledger.events('run-bad', 0, 9),
    stores.outputs.page('attempt-bad', 0, 9).rows,
    stores.damage(),
  ]).toEqual([
    { events: [], more: false },
    [],
    [
      { table: 'events', key: '1' },
      { table: 'outputs', key: '1' },
    ],
  ])
})

test('a damaged record that is asked for by name is refused, not taken for a missing one', () => {
  const stores = withForeignHand(`update gates set record = 'x'`, `update runs set record = 'x'`)
  const refused = expect.objectContaining({ code: 'ledger.damaged' })
  expect(() => stores.gates.get('gate-bad')).toThrow(refused)
  expect(() => stores.runs.get('run-bad')).toThrow(refused)
})

test('a live row that cannot be read stops holding up its conversation, and stays as it is', () => {
  const stores = withForeignHand(
    `update runs set record = '{}' where run_id = 'run-bad'`,
    `update attempts set record = '{}' where attempt_id = 'attempt-bad'`,
  )
  stores.retireUnreadable()
  const rows = ['bad', 'good'].map((name) => stores.list.row(`conversation-${name}`))
  expect([rows.map((row) => [row?.status, row?.activeRunId]), stores.runs.active('conversation-bad')]).toEqual([
    [['interrupted', null], ['running', 'run-good']], null,
  ])
  expect(() => stores.runs.get('run-bad')).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
})
