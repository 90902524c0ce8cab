import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectStored } from '../../../electron/shells/terminal/inspection.ts'
import type { RunRecord } from '../../../shared/run.ts'
import { freshFolder, freshStores, withTask } from '../stores/fresh.ts'
import { attempt, gate } from '../stores/records.ts'

/** What a crash leaves: a copy of the folder while the stores are open. */
const afterCrash = (more: Partial<RunRecord>, { asks = false } = {}): string => {
  const open = freshFolder()
  const stores = freshStores(open)
  const task = withTask(stores, 'conversation-one', 'run-one', more)
  const speaking = attempt('attempt-one', task, { status: asks ? 'awaitingGate' : 'streaming' })
  stores.ledger.commit({ attempts: [speaking], gates: asks ? [gate('gate-one', speaking)] : [] })
  const left = freshFolder()
  cpSync(open, left, { recursive: true })
  return left
}

const told = (folder: string) =>
  inspectStored(folder).runs.map(({ status, reason, attempts }) => [status, reason, attempts[0]?.status])

const holding = { status: 'holding' } as const
const stopping = { status: 'stopping', stop: { kind: 'person', position: null } } as const

test.each<[string, Partial<RunRecord>, boolean, unknown[]]>([
  ['cut off when an agent was speaking', {}, false, ['interrupted', 'app.restarted', 'interrupted']],
  ['still going on when an agent waits at its question', {}, true, ['running', null, 'parked']],
  ['still holding when it waited for its person', holding, false, ['holding', null, 'interrupted']],
  ['stopped when its person had stopped it', stopping, false, ['stopped', 'person', 'stopped']],
])('after a crash a run is %s', (_, run, asks, expected) => {
  expect(told(afterCrash(run, { asks }))).toEqual([expected])
})

test.each([
  ['a crash', () => {}],
  ['an end in order', (folder: string) => freshStores(folder).close()],
])('looking at what %s left changes no byte and adds no file', (_, endIt) => {
  const folder = afterCrash({})
  endIt(folder)
  const everything = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')])
  const before = everything()
  expect(told(folder)).toHaveLength(1)
  expect(everything()).toEqual(before)
})

test('a log without its index is read all the same', () => {
  const folder = afterCrash({})
  rmSync(join(folder, 'parley.db-shm'))
  expect(told(folder)).toEqual([['interrupted', 'app.restarted', 'interrupted']])
})
