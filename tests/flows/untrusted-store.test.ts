import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Backups } from '../../electron/stores/backups.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const openOn = (folder: string) => offices.openFolder(folder, [new FakeAdapter(({ say }) => say('Fine.'))])

/** A folder in which a run has been. */
const usedFolder = async () => {
  const office = new TestOffice([new FakeAdapter(({ say }) => say('Fine.'))])
  await office.start()
  const conversationId = await office.group({ settings: { rounds: 1, blindFirst: false } })
  await office.runEnds(await office.send(conversationId, 'Remember this'))
  await office.quit()
  return { folder: office.folder, conversationId, database: join(office.folder, 'parley.db') }
}

test('a store that is damaged opens read-only with the reason, and the bad file is left as it is', async () => {
  const { folder, database } = await usedFolder()
  writeFileSync(database, Buffer.alloc(20_000))
  const office = await openOn(folder)
  const { app, conversations } = await office.handlers['app.snapshot']({})
  expect(app).toMatchObject({ lifecycle: 'readOnly', readOnly: { code: 'ledger.damaged' } })
  expect(conversations).toEqual([])
  await expect(office.group()).rejects.toMatchObject({ code: 'app.read-only' })
  await office.quit()
  expect(readFileSync(database).equals(Buffer.alloc(20_000))).toBe(true)
})

test('a store that is damaged opens its newest backup, goes on from there, and says so until it was read', async () => {
  const { folder, database, conversationId } = await usedFolder()
  await new Backups(folder).make(Date.now(), { replaces: false })
  writeFileSync(database, Buffer.alloc(20_000))
  const office = await openOn(folder)
  const { app } = await office.handlers['app.snapshot']({})
  expect(app).toMatchObject({ lifecycle: 'ready', readOnly: null, restored: { reason: 'notADatabase' } })
  expect(readFileSync(join(folder, 'quarantine', app.restored!.kept!, 'parley.db')).equals(Buffer.alloc(20_000)))
    .toBe(true)
  expect(await office.runEnds(await office.send(conversationId, 'Go on'))).toBe('completed')
  await office.handlers['app.restoredRead']({})
  const said = office.pushes.findLast(({ topic }) => topic === 'app.changed')
  expect(said?.body).toMatchObject({ app: { restored: null } })
  const next = await offices.next(office, [new FakeAdapter(({ say }) => say('Fine.'))])
  expect((await next.handlers['app.snapshot']({})).app.restored).toBeNull()
  expect((await next.handlers['conversation.open']({ conversationId, before: null })).runs).toHaveLength(2)
})

test('a store of a newer version can be looked at, and nothing in it is changed', async () => {
  const { folder, database, conversationId } = await usedFolder()
  const newer = new DatabaseSync(database)
  newer.exec('pragma user_version = 9999')
  newer.close()
  const before = readFileSync(database)
  const office = await openOn(folder)
  expect((await office.handlers['app.snapshot']({})).app).toMatchObject({
    lifecycle: 'readOnly',
    readOnly: { code: 'ledger.newer' },
  })
  expect((await office.handlers['conversation.open']({ conversationId, before: null })).runs[0]?.run.topic).toBe(
    'Remember this',
  )
  await expect(office.send(conversationId, 'Go?')).rejects.toMatchObject({ code: 'app.read-only' })
  await expect(office.handlers['conversation.rename']({ conversationId, name: 'Other' })).rejects.toMatchObject({
    code: 'app.read-only',
  })
  await office.quit()
  expect(readFileSync(database).equals(before)).toBe(true)
})

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written opens read-only', async () => {
  const { folder } = await usedFolder()
  chmodSync(folder, 0o500)
  const office = await openOn(folder)
  expect((await office.handlers['app.snapshot']({})).app.readOnly?.code).toBe('ledger.unwritable')
  chmodSync(folder, 0o700)
})

test('a data folder that is a file is said, and the file is left alone', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'parley-file-'))
  const file = join(parent, 'data')
  writeFileSync(file, 'not a folder')
  const office = await openOn(file)
  expect((await office.handlers['app.snapshot']({})).app).toMatchObject({
    lifecycle: 'readOnly',
    readOnly: { code: 'ledger.unwritable' },
  })
  expect(readFileSync(file, 'utf8')).toBe('not a folder')
  rmSync(parent, { recursive: true, force: true })
})

test('a second instance on the same folder may look but not write, and the first goes on', async () => {
  const { folder, conversationId } = await usedFolder()
  const first = await openOn(folder)
  const second = await openOn(folder)
  expect((await second.handlers['app.snapshot']({})).app.readOnly?.code).toBe('ledger.locked')
  await expect(second.handlers['conversation.rename']({ conversationId, name: 'Second' })).rejects.toMatchObject({
    code: 'app.read-only',
  })
  await first.handlers['conversation.rename']({ conversationId, name: 'First' })
  expect((await second.handlers['conversation.open']({ conversationId, before: null })).conversation.name).toBe('First')
})
