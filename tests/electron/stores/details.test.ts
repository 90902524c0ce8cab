import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { filesIn } from '../../../electron/stores/files.ts'
import { migrate } from '../../../electron/stores/migrations.ts'
import type { Stores } from '../../../electron/stores/stores.ts'
import type { OutputItem } from '../../../shared/agent-event.ts'
import { compactionSliceRows, freedPagesKept, runsKeptWholeMax } from '../../../shared/limits.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { attempt, event, output, run, text } from './records.ts'

const items: OutputItem[] = [
  { type: 'reasoning', delta: 'Because.' },
  text('Red '),
  { type: 'tool', tool: { toolId: 'one', kind: 'read', title: 'Read a file', status: 'done', detail: 'All of it' } },
  text('is best.'),
  { type: 'plan', entries: [{ title: 'Think', status: 'done' }] },
  { type: 'warning', text: 'Slow today' },
]

/** A settled run with one turn that put out all kinds of things. */
const withRun = (stores: Stores, runId: string, what: readonly OutputItem[] = items) => {
  const task = withTask(stores, 'conversation-one', runId)
  const speaking = attempt(`attempt-${runId}`, task)
  stores.ledger.commit({ attempts: [speaking], events: [event(runId, 1)] })
  stores.outputs.append(output(speaking.attemptId, what))
  stores.attempts.keepReply({
    attemptId: speaking.attemptId, text: 'Red is best.', noVote: null, capsule: 'Red',
    vote: { choice: 'agree', position: 'Red', changed: false, why: 'It is' },
  })
  stores.ledger.commit({
    runs: [run(runId, 'conversation-one', { status: 'agreed', settledAt: 20 })],
    attempts: [{ ...speaking, status: 'completed', settledAt: 19 }],
  })
}

/** So many newer ones that all before are old. */
const growOld = (stores: Stores) => {
  for (let number = 1; number <= runsKeptWholeMax; number += 1) withTask(stores, 'conversation-one', `newer-${number}`)
}

const compactAll = (stores: Stores) => {
  let slices = 0
  while (stores.details.compactSome()) slices += 1
  return slices
}

const outputOf = (stores: Stores, runId: string) => stores.outputs.page(`attempt-${runId}`, 0, 99).rows

test('a run that is not among the newest keeps its text, vote, transitions and tools, and lets details go', () => {
  const stores = freshStores()
  withRun(stores, 'run-old')
  const before = stores.views.attempt('attempt-run-old')
  growOld(stores)
  compactAll(stores)
  const after = stores.views.attempt('attempt-run-old')
  expect([after.turn, after.events, after.reasoning]).toEqual([before.turn, before.events, ''])
  expect(outputOf(stores, 'run-old').map(({ seq, item }) => [seq, item])).toEqual([
    [1, { type: 'omitted', what: 'the details of an older run', bytes: expect.any(Number), sha256: null }],
    [3, { type: 'tool', tool: { toolId: 'one', kind: 'read', title: 'Read a file', status: 'done', detail: null } }],
    [6, { type: 'warning', text: 'Slow today' }],
  ])
  expect([stores.views.run('run-old').detail, compactAll(stores)]).toEqual(['compacted', 0])
})

test('the newest runs, pinned ones and live ones are kept whole', () => {
  const stores = freshStores()
  withTask(stores, 'conversation-one', 'run-live')
  stores.ledger.commit({ attempts: [attempt('attempt-run-live', run('run-live', 'conversation-one'))] })
  stores.outputs.append(output('attempt-run-live', items))
  withRun(stores, 'run-pinned')
  stores.details.pin('run-pinned', true)
  growOld(stores)
  withRun(stores, 'run-new')
  compactAll(stores)
  const ids = ['run-live', 'run-pinned', 'run-new']
  expect(ids.map((runId) => outputOf(stores, runId).length)).toEqual([items.length, items.length, items.length])
  expect(ids.map((runId) => stores.details.of(runId))).toEqual(['whole', 'pinned', 'whole'])
})

test('a run that is pinned no longer is as old as it is', () => {
  const stores = freshStores()
  withRun(stores, 'run-pinned')
  stores.details.pin('run-pinned', true)
  growOld(stores)
  compactAll(stores)
  stores.details.pin('run-pinned', false)
  compactAll(stores)
  expect(stores.details.of('run-pinned')).toBe('compacted')
  expect(() => stores.details.pin('run-none', true)).toThrow(expect.objectContaining({ code: 'run.unknown' }))
})

test('a long turn takes several slices, and a restart between them changes nothing of the outcome', () => {
  const folder = freshFolder()
  const first = freshStores(folder)
  // two kinds in turn, so that they are not joined into one row
  const many = Array.from({ length: compactionSliceRows + 50 }, (_, index): OutputItem =>
    index % 2 === 0 ? text('x') : { type: 'reasoning', delta: 'y' })
  withRun(first, 'run-long', many)
  growOld(first)
  expect(first.details.compactSome()).toBe(true)
  expect(first.details.of('run-long')).toBe('whole')
  first.close()
  const next = freshStores(folder)
  expect(compactAll(next)).toBe(1)
  expect(next.details.of('run-long')).toBe('compacted')
  const left = next.outputs.page('attempt-run-long', 0, 999).rows
  expect(left.map(({ item }) => item.type)).toEqual(['omitted', 'omitted'])
  expect(next.attempts.text('attempt-run-long')).toBe('Red is best.')
})

test('the file gives back what nothing fills any more, but for a little', () => {
  const folder = freshFolder()
  const stores = freshStores(folder)
  for (let piece = 0; piece < 10; piece += 1) stores.meta.set(`filler-${piece}`, 'x'.repeat(1_000_000))
  stores.erasure.emptyLog()
  const sizeOf = () => statSync(filesIn(folder).database).size
  const large = sizeOf()
  for (let piece = 0; piece < 10; piece += 1) stores.meta.remove(`filler-${piece}`)
  compactAll(stores)
  stores.erasure.emptyLog()
  expect(large).toBeGreaterThan(10_000_000)
  expect(sizeOf()).toBeLessThan((freedPagesKept + 200) * 4_096)
})

test('a file from before it could shrink can do so once it was opened, and holds what it held', () => {
  const folder = freshFolder()
  const { database: path } = filesIn(folder)
  const older = new Database(path, { readOnly: false })
  migrate(older)
  older.run(`insert into meta (key, value) values ('kept', 'as it was')`)
  older.close()
  const stores = freshStores(folder)
  const looking = new Database(path, { readOnly: true })
  expect([stores.meta.get('kept'), looking.get('pragma auto_vacuum')]).toEqual(['as it was', { auto_vacuum: 2 }])
  looking.close()
})
