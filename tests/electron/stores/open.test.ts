import { createHash, randomFillSync } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { numberIn } from '../../../electron/stores/columns.ts'
import { Database } from '../../../electron/stores/database.ts'
import { migrate, newestVersion, versionStanding } from '../../../electron/stores/migrations.ts'
import { openReadOnly } from '../../../electron/stores/look.ts'
import { openStores } from '../../../electron/stores/open.ts'
import { pageBytes } from '../../../shared/limits.ts'
import { freshFolder, freshStores, withTask } from './fresh.ts'
import { conversation } from './records.ts'

const databaseOf = (folder: string) => join(folder, 'parley.db')

/** A folder that held some data and was closed in order. */
const usedFolder = () => {
  const folder = freshFolder()
  const stores = openStores(folder)
  for (let number = 1; number <= 40; number += 1) withTask(stores, `conversation-${number}`, `run-${number}`)
  stores.close()
  return folder
}

/** Every file that holds something, by a hash of what it holds. */
const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map((entry) => ({ name: entry.name, content: readFileSync(join(entry.parentPath, entry.name)) }))
    .filter(({ content }) => content.length > 0)
    .map(({ name, content }) => `${name} ${createHash('sha256').update(content).digest('hex')}`)

describe('a data folder', () => {
  test('gets a new database when it is empty, and gives back tomorrow what it was given today', () => {
    const folder = join(freshFolder(), 'made', 'here')
    const today = openStores(folder)
    today.conversations.create(conversation('conversation-one', { name: 'Kept' }))
    today.close()
    expect(freshStores(folder).conversations.get('conversation-one')?.name).toBe('Kept')
  })

  test('is private to the person, and so is every file in it', () => {
    const folder = join(freshFolder(), 'private')
    const stores = freshStores(folder)
    withTask(stores, 'conversation-one', 'run-one')
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
    expect([statSync(folder).mode & 0o777, ...new Set(modes)]).toEqual([0o700, 0o600])
  })

  test('that somebody else filled keeps its mode', () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'shared'), { mode: 0o755 })
    writeFileSync(join(folder, 'shared', 'letter.txt'), 'not ours')
    freshStores(join(folder, 'shared'))
    expect(statSync(join(folder, 'shared')).mode & 0o777).toBe(0o755)
  })

  test('that cannot be a folder is refused as unwritable', () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'file'), '')
    expect(() => openStores(join(folder, 'file', 'below'))).toThrow(
      expect.objectContaining({ code: 'ledger.unwritable' }),
    )
  })

  test('is refused to a second opener, and free again after the first has closed', () => {
    const folder = freshFolder()
    const first = openStores(folder)
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.locked' }))
    first.close()
    first.close()
    expect(freshStores(folder).integrity()).toEqual([])
  })

  test('can be looked at while another holds it, and takes no change that way', () => {
    const folder = freshFolder()
    const stores = freshStores(folder)
    withTask(stores, 'conversation-one', 'run-one')
    const looking = openReadOnly(folder)
    onTestFinished(() => looking?.close())
    expect(looking?.runs.nonTerminal().map(({ runId }) => runId)).toEqual(['run-one'])
    expect(() => looking?.drafts.save('conversation-one', 'no', 1)).toThrow(
      expect.objectContaining({ code: 'app.read-only' }),
    )
  })

  test('that holds nothing has nothing to be looked at', () => {
    expect(openReadOnly(freshFolder())).toBeNull()
  })
})

describe('a damaged database', () => {
  const overwrite = (path: string, from: number, bytes: Buffer) => {
    const content = readFileSync(path)
    bytes.copy(content, from)
    writeFileSync(path, content)
  }
  /** Where the first page of a table begins. */
  const placeOf = (path: string, table: string) => {
    const database = new Database(path, { readOnly: true })
    const row = database.get('select rootpage from sqlite_schema where name = ?', table)
    database.close()
    return (numberIn(row ?? {}, 'rootpage') - 1) * pageBytes
  }
  const damages: Record<string, { reason: string; harm: (path: string) => void }> = {
    'that is empty': { reason: 'empty', harm: (path) => truncateSync(path, 0) },
    'that is all NUL': {
      reason: 'notADatabase',
      harm: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
    },
    'whose second half is lost': {
      reason: 'notADatabase',
      harm: (path) => truncateSync(path, statSync(path).size / 2),
    },
    'that is another kind of file': {
      reason: 'notADatabase',
      harm: (path) => writeFileSync(path, '{"conversations":[]}'),
    },
    'with noise inside': {
      reason: 'checkFailed',
      harm: (path) => overwrite(path, placeOf(path, 'runs'), randomFillSync(Buffer.alloc(pageBytes))),
    },
    'that is a directory': {
      reason: 'directory',
      harm: (path) => {
        rmSync(path)
        mkdirSync(path)
      },
    },
    'that belongs to another program': {
      reason: 'notADatabase',
      harm: (path) => {
        rmSync(path)
        const other = new Database(path, { readOnly: false })
        other.script('create table theirs (x)')
        other.close()
      },
    },
    'that is gone while its log is there': {
      reason: 'mainFileMissing',
      harm: (path) => {
        rmSync(path)
        writeFileSync(`${path}-wal`, 'what was written last')
      },
    },
  }

  test.each(Object.entries(damages))(
    '%s is refused with its reason, and nothing in the folder is changed',
    (_, { reason, harm }) => {
      const folder = usedFolder()
      harm(databaseOf(folder))
      const before = everythingIn(folder)
      expect(() => openStores(folder)).toThrow(
        expect.objectContaining({ code: 'ledger.damaged', params: expect.objectContaining({ reason }) }),
      )
      expect(everythingIn(folder)).toEqual(expect.arrayContaining(before))
    },
  )

  test('is copied aside once, however often it is met', () => {
    const folder = usedFolder()
    overwrite(databaseOf(folder), 4_096, Buffer.alloc(60_000, 7))
    for (let start = 1; start <= 3; start += 1) expect(() => openStores(folder)).toThrow('damaged')
    const [place, ...others] = readdirSync(join(folder, 'quarantine'))
    const copy = databaseOf(join(folder, 'quarantine', place!))
    const same = readFileSync(copy).equals(readFileSync(databaseOf(folder)))
    expect({ same, others }).toEqual({ same: true, others: [] })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
  })

  test('that is damaged in another way is copied aside again', () => {
    const folder = usedFolder()
    for (const noise of [7, 8]) {
      overwrite(databaseOf(folder), 4_096, Buffer.alloc(60_000, noise))
      expect(() => openStores(folder)).toThrow('damaged')
    }
    expect(readdirSync(join(folder, 'quarantine'))).toHaveLength(2)
  })

  test('is found by reading it through when it was not closed in order', () => {
    const folder = usedFolder()
    const path = databaseOf(folder)
    const { atime, mtime } = statSync(path)
    overwrite(path, statSync(path).size - 40_000, Buffer.alloc(30_000, 7))
    utimesSync(path, atime, mtime)
    rmSync(join(folder, 'parley.clean'))
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.damaged' }))
  })

  test('that cannot be read at all gives nothing to look at', () => {
    const folder = usedFolder()
    writeFileSync(databaseOf(folder), Buffer.alloc(50_000))
    expect(openReadOnly(folder)).toBeNull()
  })

  test('does not keep the folder locked after it was refused', () => {
    const folder = usedFolder()
    const path = databaseOf(folder)
    copyFileSync(path, `${path}.good`)
    truncateSync(path, 0)
    expect(() => openStores(folder)).toThrow('damaged')
    copyFileSync(`${path}.good`, path)
    expect(freshStores(folder).conversations.get('conversation-7')?.name).toBe('Talk conversation-7')
  })
})

describe('a database of another version', () => {
  test('that is newer is refused for writing, left as it is, and can be looked at', () => {
    const folder = usedFolder()
    const database = new Database(databaseOf(folder), { readOnly: false })
    database.script(`pragma user_version = ${newestVersion + 1}`)
    database.close()
    const before = everythingIn(folder)
    expect(() => openStores(folder)).toThrow(expect.objectContaining({ code: 'ledger.newer' }))
    expect(everythingIn(folder)).toEqual(before)
    const looking = openReadOnly(folder)
    onTestFinished(() => looking?.close())
    expect(looking?.conversations.get('conversation-7')?.name).toBe('Talk conversation-7')
    expect(existsSync(join(folder, 'quarantine'))).toBe(false)
  })

  test('that is older is brought up to date step by step', () => {
    const database = new Database(':memory:', { readOnly: false })
    onTestFinished(() => database.close())
    migrate(database, ['create table first (x)'])
    migrate(database, ['create table first (x)', 'create table second (x)', 'insert into second values (2)'])
    expect([database.get('select x from second'), database.get('pragma user_version')]).toEqual([
      { x: 2 },
      { user_version: 3 },
    ])
  })

  test('stays whole at its old version when a step fails', () => {
    const database = new Database(':memory:', { readOnly: false })
    onTestFinished(() => database.close())
    migrate(database, ['create table first (x)'])
    expect(() => migrate(database, ['create table first (x)', 'create table second (x)', 'create nonsense'])).toThrow(
      'refused',
    )
    expect([database.get('pragma user_version'), database.all('select name from sqlite_schema')]).toEqual([
      { user_version: 1 }, [{ name: 'first' }],
    ])
  })

  test('that this program made is the current one', () => {
    const database = new Database(':memory:', { readOnly: false })
    onTestFinished(() => database.close())
    const before = versionStanding(database)
    migrate(database)
    expect([before, versionStanding(database)]).toEqual(['foreign', 'current'])
  })
})
