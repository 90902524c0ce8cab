import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findElectron } from '../../../electron/start/find-electron.ts'
import { hasDisplay, pickShell, type Surroundings } from '../../../electron/start/pick-shell.ts'
import { electronFetchAgainMs } from '../../../shared/limits.ts'

describe('the shell that is picked', () => {
  const pick = async (more: Partial<Surroundings>) => {
    const said: string[] = []
    const picked = await pickShell({
      wanted: null, display: true,
      findElectron: async () => ({ file: null, why: 'Electron could not be fetched' }),
      missingBrowser: async () => null,
      say: (line) => said.push(line),
      ...more,
    })
    return { picked, said }
  }

  test('is Electron, without a word, where it is there', async () => {
    expect(await pick({ findElectron: async () => ({ file: '/e', why: null }) })).toEqual({
      picked: { shell: 'electron', file: '/e' }, said: [],
    })
  })

  test('is else a browser, with one line that says why', async () => {
    expect(await pick({})).toEqual({
      picked: { shell: 'chromium' }, said: ['Electron could not be fetched, so Parley opens in a Chromium window.'],
    })
  })

  test('is the terminal where there is no browser either', async () => {
    expect(await pick({ missingBrowser: async () => 'No browser was found.' })).toEqual({
      picked: { shell: 'terminal' },
      said: [expect.stringMatching(/^Electron could not .* no Chromium, .* so Parley runs in this terminal.$/)],
    })
  })

  test('is the terminal where there is no display, and nothing is looked for or fetched', async () => {
    const never = async () => {
      throw new Error('looked for')
    }
    expect(await pick({ display: false, findElectron: never, missingBrowser: never })).toEqual({
      picked: { shell: 'terminal' }, said: ['There is no display here, so Parley runs in this terminal.'],
    })
  })

  test('is the one that was asked for, without looking for a better one', async () => {
    expect(await pick({ wanted: 'terminal' })).toEqual({ picked: { shell: 'terminal' }, said: [] })
    expect(await pick({ wanted: 'chromium' })).toEqual({ picked: { shell: 'chromium' }, said: [] })
  })

  test.each([
    ['electron', {}],
    ['electron', { display: false }],
    ['chromium', { missingBrowser: async () => 'No browser was found.' }],
    ['chromium', { display: false }],
  ] as const)('is never another than %s when that was asked for by name (%o)', async (wanted, more) => {
    await expect(pick({ wanted, ...more })).rejects.toMatchObject({ code: 'shell.unavailable' })
  })

  test('says why the browser that was asked for by name is not to be had', async () => {
    const missingBrowser = async () => 'PARLEY_CHROMIUM does not name a program that can be run.'
    await expect(pick({ wanted: 'chromium', missingBrowser })).rejects.toThrow(/^PARLEY_CHROMIUM does not name/)
  })

  test.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['darwin', {}, true],
    ['win32', {}, true],
  ] as const)('on %s with %o a window can be seen: %s', (platform, environment, seen) => {
    expect(hasDisplay(environment, platform)).toBe(seen)
  })
})

describe('Electron', () => {
  let root: string
  let said: string[]
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parley-electron-'))
    said = []
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const put = async (path: string, content: string) => {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await chmod(file, 0o755)
    return file
  }
  const find = (more: { again?: boolean; environment?: NodeJS.ProcessEnv; now?: () => number } = {}) =>
    findElectron({ root, environment: {}, again: false, say: (line) => said.push(line), ...more })
  const installer = (lines: string) =>
    put('node_modules/electron/install.js', `const fs = require('node:fs'); ${lines}`)
  const fetches = `
    fs.mkdirSync('node_modules/electron/dist')
    fs.writeFileSync('node_modules/electron/dist/electron', '')
    fs.writeFileSync('node_modules/electron/path.txt', 'electron')`

  test('that is present is used as it is', async () => {
    await put('node_modules/electron/path.txt', 'electron')
    const file = await put('node_modules/electron/dist/electron', '')
    expect(await find()).toEqual({ file, why: null })
    expect(said).toEqual([])
  })

  test('in another place is used when the environment names that place', async () => {
    const file = await put('elsewhere/electron', '')
    const environment = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere') }
    expect(await find({ environment })).toEqual({ file, why: null })
  })

  test('that can be fetched is fetched, after a word about the wait', async () => {
    await installer(fetches)
    expect(await find()).toEqual({ file: join(root, 'node_modules/electron/dist/electron'), why: null })
    expect(said).toEqual([expect.stringContaining('Fetching Electron')])
  })

  test('that cannot be fetched is not tried for again within a day, unless it is asked for', async () => {
    await installer('process.exit(1)')
    const missing = { file: null, why: 'Electron could not be fetched' }
    expect(await find()).toEqual(missing)
    expect(await find()).toEqual(missing)
    expect(said).toHaveLength(1)
    expect(await find({ again: true })).toEqual(missing)
    expect(said).toHaveLength(2)
    expect(await find({ now: () => Date.now() + electronFetchAgainMs })).toEqual(missing)
    expect(said).toHaveLength(3)
  })

  test('that is no dependency here is not fetched', async () => {
    expect(await find()).toEqual({ file: null, why: 'Electron is not installed' })
    expect(said).toEqual([])
  })

  test('whose folder was half removed is fetched again', async () => {
    await put('node_modules/electron/path.txt', 'electron')
    await installer(fetches)
    expect(await find()).toMatchObject({ why: null })
    expect(await find()).toMatchObject({ why: null })
    expect(said).toHaveLength(1)
  })
})
