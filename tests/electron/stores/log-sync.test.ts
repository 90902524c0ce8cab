import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { LogSync } from '../../../electron/stores/log-sync.ts'
import { straight } from '../../../shared/steps.ts'
import { freshFolder } from './fresh.ts'

const withNotes = () => {
  const path = join(freshFolder(), 'some.db')
  const database = new Database(path, { readOnly: false })
  onTestFinished(() => database.close())
  database.script('pragma journal_mode = wal; create table notes (text text not null) strict')
  return { path, database }
}

/** A log of which the test says how much is in it. */
const logOf = (path: string) => {
  const written = { count: 1 }
  const log = new LogSync(path, () => written.count, straight)
  onTestFinished(() => log.close())
  return { log, written }
}

test('what was written soon is waited for, also while more is written', async () => {
  const { database } = withNotes()
  const write = (text: string) => database.soon(() => database.run('insert into notes values (?)', text))
  database.transaction(() => database.run('insert into notes values (?)', 'first'))
  write('second')
  const waits = [database.synced(), database.synced()]
  write('third')
  await expect(Promise.all([...waits, database.synced()])).resolves.toHaveLength(3)
  expect(database.all('select text from notes')).toHaveLength(3)
})

test('a sync serves all that was written when it began, and what is written meanwhile waits for another', async () => {
  const { path } = withNotes()
  const { log, written } = logOf(`${path}-wal`)
  const first = log.sync()
  expect(log.sync()).toBe(first)
  written.count += 1
  const second = log.sync()
  expect(second).not.toBe(first)
  expect(log.sync()).toBe(second)
  await Promise.all([first, second])
})

test('a log that cannot be reached refuses each time, and is used once it is there', async () => {
  const { path, database } = withNotes()
  const { log } = logOf(join(path, 'nowhere'))
  await expect(log.sync()).rejects.toMatchObject({ code: 'ledger.unwritable' })
  await expect(log.sync()).rejects.toMatchObject({ code: 'ledger.unwritable' })
  database.soon(() => database.run('insert into notes values (?)', 'kept'))
  await expect(database.synced()).resolves.toBeUndefined()
})
