import { randomFillSync } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Backups } from '../../../electron/stores/backups.ts'
import { copyRecord } from '../../../electron/stores/copy.ts'
import { Database } from '../../../electron/stores/database.ts'
import { bytesOf, filesIn } from '../../../electron/stores/files.ts'
import { generationsIn, newestGood, placeForNext, promote } from '../../../electron/stores/generations.ts'
import { fixedUrl } from '../../../electron/stores/look.ts'
import { isGood } from '../../../electron/stores/verify.ts'
import type { Stores } from '../../../electron/stores/stores.ts'
import { backupGenerationsMax } from '../../../shared/limits.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { conversation } from './records.ts'

const used = () => {
  const folder = freshFolder()
  const stores = freshStores(folder)
  for (let number = 1; number <= 40; number += 1) withTask(stores, `conversation-${number}`, `run-${number}`)
  return { folder, stores, backups: new Backups(folder), files: filesIn(folder) }
}

/** Makes the record a few megabytes long. */
const grow = (stores: Stores, megabytes: number) => {
  for (let piece = 0; piece < megabytes; piece += 1) {
    stores.meta.set(`filler-${piece}`, randomFillSync(Buffer.alloc(512 * 1_024)).toString('hex'))
  }
}

const topicsIn = (path: string) => {
  const database = new Database(fixedUrl(path), { readOnly: true })
  const rows = database.all('select text from messages')
  database.close()
  return rows.map(({ text }) => text)
}

test('a backup holds the whole record, is good, and is private to the person', async () => {
  const { backups, files } = used()
  expect(await backups.make(1_000, { replaces: false })).toBe('made')
  const [only, ...others] = generationsIn(files)
  expect([only?.at, others, isGood(only!.path), topicsIn(only!.path).length]).toEqual([1_000, [], true, 40])
  expect([statSync(files.backups).mode & 0o777, statSync(only!.path).mode & 0o777]).toEqual([0o700, 0o600])
  expect(readdirSync(files.backups)).toEqual(['parley-1000.db'])
})

test('no more than a few are kept, the newest of all, also when the clock was set back', async () => {
  const { stores, backups, files } = used()
  await backups.make(1_000, { replaces: false })
  for (const at of [2_000, 3_000]) {
    const place = placeForNext(files)
    copyFileSync(generationsIn(files)[0]!.path, place)
    expect(await promote(files, place, at, backupGenerationsMax)).toEqual([])
  }
  withTask(stores, 'conversation-1', 'run-late')
  await backups.make(500, { replaces: false })
  expect(generationsIn(files).map(({ at }) => at)).toEqual([3_001, 3_000, 2_000].slice(0, backupGenerationsMax))
  expect(topicsIn(newestGood(files)!.path)).toContain('What about run-late?')
})

test('what is written while one is made goes on, and the backup is of one moment', async () => {
  const { stores, backups, files } = used()
  grow(stores, 8)
  const making = backups.make(1_000, { replaces: false })
  let written = 0
  const going = setInterval(() => withTask(stores, 'conversation-1', `run-later-${(written += 1)}`), 1)
  expect(await making).toBe('made')
  clearInterval(going)
  expect(written).toBeGreaterThan(0)
  expect(isGood(generationsIn(files)[0]!.path)).toBe(true)
  expect(stores.runs.nonTerminal()).toHaveLength(40 + written)
})

test('one of a record that has become unsound does not count, and the good one before it stays', async () => {
  const { stores, backups, files } = used()
  grow(stores, 1)
  await backups.make(1_000, { replaces: false })
  expect(stores.erasure.emptyLog()).toBe(true)
  const content = readFileSync(files.database)
  randomFillSync(content, 8_192, 60_000)
  writeFileSync(files.database, content)
  expect(await backups.make(2_000, { replaces: true })).not.toBe('made')
  expect(generationsIn(files).map(({ at }) => at)).toEqual([1_000])
  expect(readdirSync(files.backups)).toEqual(['parley-1000.db'])
})

test('one can be given up at any time, and the next one is made all the same and replaces those before', async () => {
  const { stores, backups, files } = used()
  grow(stores, 4)
  await backups.make(1_000, { replaces: false })
  const atOnce = backups.make(2_000, { replaces: true })
  await backups.stop()
  expect([await atOnce, readdirSync(files.backups)]).toEqual(['stopped', ['parley-1000.db']])
  let over = false
  const later = backups.make(2_000, { replaces: false }).finally(() => {
    over = true
  })
  const begun = () => over || bytesOf(join(files.backups, 'unfinished.db')) > 0
  await vi.waitFor(() => expect(begun()).toBe(true), { interval: 1, timeout: 10_000 })
  await backups.stop()
  // a computer with little else to do may have been quicker
  expect(['stopped', 'made']).toContain(await later)
  expect(readdirSync(files.backups).filter((name) => !name.startsWith('parley-'))).toEqual([])
  expect(await backups.make(9_000, { replaces: true })).toBe('made')
  expect(generationsIn(files).map(({ at }) => at)).toEqual([9_000])
  expect(stores.erasure.emptyLog()).toBe(true)
})

test('a folder in which none can be made is a failure that is told and changes nothing', async () => {
  const { stores, backups, files } = used()
  writeFileSync(files.backups, 'in the way')
  expect(await backups.make(1_000, { replaces: false })).toBe('failed')
  expect([readFileSync(files.backups, 'utf8'), stores.integrity()]).toEqual(['in the way', []])
})

test('the log begins anew once a copy that it has outgrown is given up, and never before', async () => {
  const { folder, stores, files } = used()
  grow(stores, 24)
  expect(stores.erasure.emptyLog()).toBe(true)
  const bound = 2_000_000
  let emptied: boolean | null = null
  const place = join(folder, 'copy.db')
  writeFileSync(place, '')
  const copying = copyRecord(files.database, place, () => {
    grow(stores, 1)
    emptied ??= stores.erasure.emptyLog()
    return stores.logBytes < bound
  })
  await expect(copying).rejects.toMatchObject({ code: 'app.shutting-down' })
  const largest = stores.logBytes
  expect([emptied, stores.erasure.emptyLog(), stores.logBytes]).toEqual([false, true, 0])
  // one step of the copy may pass between two looks
  expect(largest).toBeLessThan(bound + 2_500_000)
  stores.conversations.create(conversation('conversation-after'))
})
