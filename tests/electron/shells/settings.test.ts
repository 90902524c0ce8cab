import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSettings } from '../../../electron/shells/settings.ts'
import { defaultSettings } from '../../../shared/settings.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const file = () => join(folder, 'settings.json')

test('what is saved is there at the next start, in a file for its owner only', async () => {
  openSettings(folder).save({ theme: 'dark', slots: 4 })
  expect(openSettings(folder).read()).toEqual({ ...defaultSettings, theme: 'dark', slots: 4 })
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})

test('only looking writes no file', async () => {
  expect(openSettings(folder).read()).toEqual(defaultSettings)
  expect(await readdir(folder)).toEqual([])
})

test('a setting that is no longer allowed falls back alone', async () => {
  await writeFile(file(), JSON.stringify({ theme: 'neon', welcomed: true, ofAnotherVersion: 1 }))
  expect(openSettings(folder).read()).toEqual({ ...defaultSettings, welcomed: true })
})

test('a byte order mark is no damage', async () => {
  await writeFile(file(), `\uFEFF${JSON.stringify({ theme: 'light' })}`)
  expect(openSettings(folder).read().theme).toBe('light')
})

test.each([['empty', ''], ['cut off', '{"theme":'], ['a list', '[]'], ['zeros', '\0\0\0\0']])(
  'a damaged file (%s) is set aside as it is and never written over',
  async (_what, content) => {
    await writeFile(file(), content)
    const settings = openSettings(folder)
    expect(settings.read()).toEqual(defaultSettings)
    settings.save({ theme: 'dark' })
    const aside = (await readdir(folder)).filter((name) => name.includes('damaged'))
    expect(await Promise.all(aside.map((name) => readFile(join(folder, name), 'utf8')))).toEqual([content])
  },
)

test('a folder that cannot be used gives defaults, and saving says so', async () => {
  await writeFile(file(), '')
  const settings = openSettings(join(file(), 'inside-a-file'))
  expect(settings.read()).toEqual(defaultSettings)
  expect(() => settings.save({ theme: 'dark' })).toThrow(expect.objectContaining({ code: 'ledger.unwritable' }))
})
