import { randomFillSync } from 'node:crypto'
import {
  chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync,
  truncateSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Backups } from '../../../electron/stores/backups.ts'
import { Database } from '../../../electron/stores/database.ts'
import { filesIn } from '../../../electron/stores/files.ts'
import { generationsIn } from '../../../electron/stores/generations.ts'
import { newestVersion } from '../../../electron/stores/migrations.ts'
import { openStores } from '../../../electron/stores/open.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'

/** A folder with two backups of 40 runs, and a 41st run that is in neither. */
let seed = ''

beforeAll(async () => {
  seed = mkdtempSync(join(tmpdir(), 'parley-seed-'))
  const stores = openStores(seed)
  for (let number = 1; number <= 40; number += 1) withTask(stores, `conversation-${number}`, `run-${number}`)
  await new Backups(seed).make(1_000, { replaces: false })
  withTask(stores, 'conversation-1', 'run-41')
  stores.close()
  const { backups } = filesIn(seed)
  copyFileSync(join(backups, 'parley-1000.db'), join(backups, 'parley-900.db'))
})

afterAll(() => rmSync(seed, { recursive: true, force: true }))

const seeded = () => {
  const folder = freshFolder()
  cpSync(seed, folder, { recursive: true })
  return { folder, files: filesIn(folder) }
}

const runIds = (stores: ReturnType<typeof openStores>) => [...stores.runs.every()].map(({ runId }) => runId)

/** Every file of a folder with what it holds, or of what stands where a database should be. */
const contentsOf = (folder: string, names = readdirSync(folder)) =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]))
const damagedOf = (folder: string) => {
  const path = join(folder, 'parley.db')
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return contentsOf(path)
  return contentsOf(folder, ['parley.db', 'parley.db-wal'].filter((name) => existsSync(join(folder, name))))
}

const changeWithin = (path: string, sql: string) => {
  const database = new Database(path, { readOnly: false })
  database.script(sql)
  database.close()
}

const damages: Record<string, { reason: string; harm: (path: string) => void }> = {
  'is empty': { reason: 'empty', harm: (path) => truncateSync(path, 0) },
  'is all NUL': { reason: 'notADatabase', harm: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)) },
  'is its first half': { reason: 'notADatabase', harm: (path) => truncateSync(path, statSync(path).size / 2) },
  'is JSON': { reason: 'notADatabase', harm: (path) => writeFileSync(path, '{"conversations":[]}') },
  'has lost a table': { reason: 'wrongShape', harm: (path) => changeWithin(path, 'drop table outputs') },
  'has noise inside': {
    reason: 'checkFailed',
    harm: (path) => {
      const content = readFileSync(path)
      randomFillSync(content, 8_192, 60_000)
      writeFileSync(path, content)
    },
  },
  'is a directory': {
    reason: 'directory',
    harm: (path) => {
      rmSync(path)
      mkdirSync(path)
      writeFileSync(join(path, 'inside'), 'kept')
    },
  },
  'is gone, with its log left behind': {
    reason: 'mainFileMissing',
    harm: (path) => {
      rmSync(path)
      writeFileSync(`${path}-wal`, 'what was written last')
    },
  },
}

describe('in the place of a record that', () => {
  test.each(Object.entries(damages))(
    '%s the newest good backup is opened, and the damaged one is kept as it was found',
    (_, { reason, harm }) => {
      const { folder, files } = seeded()
      harm(files.database)
      const found = join(freshFolder(), 'found')
      cpSync(folder, found, { recursive: true })
      const stores = freshStores(folder)
      expect(runIds(stores)).toHaveLength(40)
      const note = stores.restored.get()
      expect(note).toMatchObject({ reason, from: 1_000 })
      const [only, ...others] = readdirSync(files.quarantine)
      expect([only, others]).toEqual([note?.kept, []])
      expect(contentsOf(join(files.quarantine, only!))).toEqual(damagedOf(found))
    },
  )

  test('is gone altogether, its backup is opened, and nothing was left to keep', () => {
    const { folder, files } = seeded()
    rmSync(files.database)
    const stores = freshStores(folder)
    const kept = [stores.restored.get()?.kept, existsSync(files.quarantine)]
    expect([runIds(stores).length, ...kept]).toEqual([40, null, false])
  })
})

describe('a backup that was opened', () => {
  const openedAgain = () => {
    const { folder, files } = seeded()
    writeFileSync(files.database, Buffer.alloc(20_000))
    const stores = openStores(folder)
    withTask(stores, 'conversation-1', 'run-after')
    return { folder, files, stores }
  }

  test('is the record from then on, and is said until it was read', () => {
    const { folder, stores } = openedAgain()
    const note = stores.restored.get()
    stores.close()
    const next = openStores(folder)
    expect([runIds(next).length, next.restored.get()]).toEqual([41, note])
    next.restored.forget()
    next.close()
    expect(freshStores(folder).restored.get()).toBeNull()
  })

  test('after the same damage again keeps one copy of it, and after another one a second', () => {
    const { folder, files, stores } = openedAgain()
    stores.close()
    writeFileSync(files.database, Buffer.alloc(20_000))
    openStores(folder).close()
    expect(readdirSync(files.quarantine)).toHaveLength(1)
    writeFileSync(files.database, Buffer.alloc(10_000))
    openStores(folder).close()
    expect(readdirSync(files.quarantine)).toHaveLength(2)
  })

  test('is an older one where the newest is damaged too', () => {
    const { folder, files } = seeded()
    writeFileSync(join(files.backups, 'parley-1000.db'), Buffer.alloc(20_000))
    truncateSync(files.database, 0)
    const stores = freshStores(folder)
    expect([stores.restored.get()?.from, runIds(stores).length]).toEqual([900, 40])
  })

  test('puts images that it does not know aside, and keeps those that it knows', () => {
    const { folder, files } = seeded()
    const before = openStores(folder)
    const note = { imageId: 'image-a', name: 'a', mime: 'image/png' as const, width: 1, height: 1 }
    before.images.add({ conversationId: 'conversation-1', note, content: Buffer.from('newer than the backup') })
    before.close()
    const [image] = readdirSync(files.images)
    writeFileSync(files.database, Buffer.alloc(20_000))
    const stores = freshStores(folder)
    const aside = join(files.quarantine, stores.restored.get()!.kept!, 'images')
    expect([readdirSync(files.images), readdirSync(aside)]).toEqual([[], [image]])
  })
})

describe('nothing is put in the place of a record', () => {
  test('of a newer version', () => {
    const { folder, files } = seeded()
    changeWithin(files.database, `pragma user_version = ${newestVersion + 1}`)
    const before = readFileSync(files.database)
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.newer' }))
    expect([readFileSync(files.database).equals(before), existsSync(files.quarantine)]).toEqual([true, false])
  })

  test.skipIf(process.getuid?.() === 0)('that its owner may not read', () => {
    const { files } = seeded()
    chmodSync(files.database, 0o000)
    expect(() => openStores(files.folder)).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
    chmodSync(files.database, 0o600)
    expect(existsSync(files.quarantine)).toBe(false)
  })

  test('that could not be copied aside', () => {
    const { folder, files } = seeded()
    writeFileSync(files.database, Buffer.alloc(20_000))
    writeFileSync(files.quarantine, 'in the way')
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
    expect(readFileSync(files.database).equals(Buffer.alloc(20_000))).toBe(true)
  })

  test('whose backups are all damaged or from a newer Parley', () => {
    const { folder, files } = seeded()
    for (const { path } of generationsIn(files)) changeWithin(path, `pragma user_version = ${newestVersion + 1}`)
    writeFileSync(files.database, Buffer.alloc(20_000))
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
    expect(readFileSync(files.database).equals(Buffer.alloc(20_000))).toBe(true)
  })
})

test('a record in which a statement met damage is read through at the next start, however it was closed', () => {
  const { folder, files } = seeded()
  const stores = openStores(folder)
  stores.erasure.emptyLog()
  const content = readFileSync(files.database)
  randomFillSync(content, 8_192, content.length - 8_192)
  writeFileSync(files.database, content)
  expect(() => stores.integrity()).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
  stores.close()
  expect(runIds(freshStores(folder))).toHaveLength(40)
})
