import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../electron/stores/database.ts'
import { freshFolder } from './fresh.ts'

const newDatabase = (path = join(freshFolder(), 'some.db')) => {
  const database = new Database(path, { readOnly: false })
  onTestFinished(() => database.close())
  return database
}

const notes = (database: Database) => database.all('select text from notes').map(({ text }) => text)

const withNotes = (path?: string) => {
  const database = newDatabase(path)
  database.script('pragma journal_mode = wal; create table notes (text text not null) strict')
  return database
}

test('a full disk refuses what does not fit, keeps all that was there, and takes more once there is room', () => {
  const database = withNotes()
  database.run('insert into notes values (?)', 'early')
  database.script('pragma max_page_count = 12')
  const fillUp = () =>
    database.transaction(() => {
      for (let number = 1; number <= 100; number += 1) database.run('insert into notes values (?)', 'x'.repeat(4_000))
    })
  expect(fillUp).toThrow(expect.objectContaining({ code: 'ledger.unwritable' }))
  const whileFull = notes(database)
  database.script('pragma max_page_count = 10000')
  database.run('insert into notes values (?)', 'late')
  expect([whileFull, notes(database)]).toEqual([['early'], ['early', 'late']])
})

test('a transaction within another is part of it', () => {
  const database = withNotes()
  expect(() =>
    database.transaction(() => {
      database.soon(() => database.run('insert into notes values (?)', 'within'))
      throw new Error('the outer one fails')
    }),
  ).toThrow('the outer one fails')
  expect(notes(database)).toEqual([])
})

test.each(['transaction', 'soon'] as const)('nothing of a failed %s is kept, and the next one works', (kind) => {
  const database = withNotes()
  database.transaction(() => database.run('insert into notes values (?)', 'first'))
  expect(() =>
    database[kind](() => {
      database.run('insert into notes values (?)', 'second')
      database.run('insert into notes values (?)', null)
    }),
  ).toThrow(expect.objectContaining({ code: 'internal.unexpected' }))
  database[kind](() => database.run('insert into notes values (?)', 'third'))
  expect(notes(database)).toEqual(['first', 'third'])
})

test('a statement by itself waits for the disk, also after a soon', () => {
  const database = withNotes()
  database.transaction(() => database.run('insert into notes values (?)', 'first'))
  database.soon(() => database.run('insert into notes values (?)', 'second'))
  expect(database.get('pragma synchronous')).toEqual({ synchronous: 1 })
  database.run('insert into notes values (?)', 'third')
  expect(database.get('pragma synchronous')).toEqual({ synchronous: 2 })
})

test('what is written soon can be read by others at once', () => {
  const path = join(freshFolder(), 'some.db')
  const database = withNotes(path)
  database.transaction(() => database.run('insert into notes values (?)', 'durable'))
  database.soon(() => database.run('insert into notes values (?)', 'soon'))
  expect(notes(newDatabase(path))).toEqual(['durable', 'soon'])
})

test('another program that writes is told apart from damage', () => {
  const path = join(freshFolder(), 'some.db')
  const [ours, theirs] = [withNotes(path), newDatabase(path)]
  theirs.script('begin immediate')
  expect(() => ours.transaction(() => ours.run('insert into notes values (?)', 'ours'))).toThrow(
    expect.objectContaining({ code: 'ledger.locked' }),
  )
  theirs.script('rollback')
  ours.transaction(() => ours.run('insert into notes values (?)', 'ours'))
  expect(notes(ours)).toEqual(['ours'])
})
