import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Frame } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../electron/log.ts'
import type { ShellPort } from '../../electron/shell.ts'
import { openChromiumShell, type ChromiumShell } from '../../electron/shells/chromium.ts'
import { callBinding } from '../../electron/shells/preload-script.ts'
import { commandNames } from '../../shared/ipc.ts'
import { FakeComposition } from '../fakes/composition.ts'

const root = join(import.meta.dirname, '..', '..')
const page = pathToFileURL(join(import.meta.dirname, 'fixtures', 'shell', 'page.html')).href

let preload: string
let builtIn: string
let dataFolder: string
let composition: FakeComposition
let shell: ChromiumShell
let port: ShellPort

beforeAll(async () => {
  builtIn = await mkdtemp(join(tmpdir(), 'parley-preload-'))
  await build({
    configFile: join(root, 'vite.config.ts'), root, mode: 'preload', logLevel: 'error', build: { outDir: builtIn },
  })
  preload = join(builtIn, 'preload.cjs')
})
afterAll(() => rm(builtIn, { recursive: true, force: true }))

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parley-shell-'))
  composition = new FakeComposition(() => ({ path: '/somewhere', executable: '/usr/bin/agent' }))
  shell = await openChromiumShell({
    compose: (given) => {
      port = given
      return composition
    },
    files: { page, preload }, dataFolder, headless: true, log: silentLog(),
  })
})
afterEach(async () => {
  await shell.close()
  await rm(dataFolder, { recursive: true, force: true })
})

test('the page has the frozen bridge and no other way out when its first script runs', async () => {
  expect(await shell.page.evaluate('window.found')).toEqual({
    binding: 'undefined', bridge: ['call', 'listen'], frozen: true,
  })
  expect(composition.started).toBe(1)
})

test('a call goes through the door and comes back stripped', async () => {
  const reply = await shell.page.evaluate(`parley.call('directory.pick', {})`)
  expect(reply).toEqual({ ok: true, value: { path: '/somewhere' } })
  expect(composition.calls).toEqual([{ name: 'directory.pick', input: {} }])
})

test('a name outside the contract is refused before anything leaves the page', async () => {
  const unknown = await shell.page.evaluate(`parley.call('constructor', {})`)
  const surplus = await shell.page.evaluate(`parley.call('run.stop', { runId: 'r1', more: 1 })`)
  expect([unknown, surplus]).toMatchObject([
    { failure: { code: 'ipc.unknown-command' } }, { failure: { code: 'ipc.bad-input' } },
  ])
  expect(composition.calls).toEqual([])
})

test('every command is refused to a frame inside the page', async () => {
  const inner = shell.page.frame('inner')!
  expect(await inner.evaluate('typeof window.parley')).toBe('undefined')
  for (const name of commandNames) {
    expect(await callRaw(inner, name)).toMatchObject({ ok: false, failure: { code: 'ipc.untrusted-sender' } })
  }
  expect(composition.calls).toEqual([])
})

test('pushes arrive in order, numbered by topic, until the page stops listening', async () => {
  composition.push('gates.changed', { gates: [] })
  composition.push('conversations.changed', { rows: [], removed: ['c1'] })
  composition.push('gates.changed', { gates: [] })
  await shell.page.waitForFunction('window.heard.length === 3')
  expect(await shell.page.evaluate('window.heard.map(({ topic, seq }) => [topic, seq])')).toEqual([
    ['gates.changed', 1], ['conversations.changed', 1], ['gates.changed', 2],
  ])
  await shell.page.evaluate('window.again = []; parley.listen((batch) => window.again.push(...batch)); window.stop()')
  composition.push('gates.changed', { gates: [] })
  await shell.page.waitForFunction('window.again.length === 1')
  expect(await shell.page.evaluate('window.heard.length')).toBe(3)
})

test('a link away leaves the window where it is, and calls go on', async () => {
  await shell.page.evaluate(`document.getElementById('away').click()`)
  await shell.page.evaluate(`location.href = 'file:///etc/hostname'`).catch(() => {})
  await shell.page.evaluate(`document.getElementById('hash').click()`)
  expect(shell.page.url()).toBe(`${page}#/runs/r1`)
  expect(await shell.page.evaluate(`parley.call('directory.pick', {})`)).toMatchObject({ ok: true })
})

test('a second window is closed at once', async () => {
  const opened = shell.page.context().waitForEvent('page')
  await shell.page.evaluate(`void window.open('about:blank')`)
  const other = await opened
  if (!other.isClosed()) await other.waitForEvent('close')
  expect(shell.page.context().pages()).toEqual([shell.page])
})

test('files outside the folder of the page and the network are not loaded', async () => {
  const outcome = (url: string) =>
    shell.page.evaluate(
      (source) =>
        new Promise((resolve) => {
          const script = document.createElement('script')
          script.addEventListener('load', () => resolve('loaded'))
          script.addEventListener('error', () => resolve('refused'))
          script.src = source
          document.body.append(script)
        }),
      url,
    )
  expect(await outcome('page.js')).toBe('loaded')
  expect(await outcome(pathToFileURL(preload).href)).toBe('refused')
  expect(await outcome('https://example.org/script.js')).toBe('refused')
})

test.each(['geolocation', 'notifications', 'camera'])('the page is not given %s', async (name) => {
  expect(await shell.page.evaluate(async (permission) => {
    const { state } = await navigator.permissions.query({ name: permission as PermissionName })
    return state
  }, name)).toBe('denied')
})

test('a reload gives the page its bridge again', async () => {
  await shell.page.reload()
  expect(await shell.page.evaluate(`parley.call('directory.pick', {})`)).toMatchObject({ ok: true })
})

test('closing the window ends the composition once and leaves no profile behind', async () => {
  await shell.page.close()
  await shell.closed
  await shell.close()
  expect(composition.quits).toEqual(['forced'])
  expect(await readdir(join(dataFolder, 'browser'))).toEqual([])
})

test('quitting by command ends the composition as asked', async () => {
  port.quit()
  await shell.closed
  expect(composition.quits).toEqual(['asked'])
})

test('a data folder that another Parley holds is refused, and nothing stays open', async () => {
  const second = new FakeComposition()
  second.readOnly = { code: 'ledger.locked', message: 'Another Parley is using this data folder.' }
  const opening = openChromiumShell({
    compose: () => second, files: { page, preload }, dataFolder, headless: true, log: silentLog(),
  })
  await expect(opening).rejects.toMatchObject({ code: 'ledger.locked' })
  expect(second.quits).toEqual(['forced'])
  expect(await readdir(join(dataFolder, 'browser'))).toHaveLength(1)
})

test('a browser that does not start ends the composition again', async () => {
  const second = new FakeComposition()
  const opening = openChromiumShell({
    compose: () => second, files: { page, preload }, dataFolder, headless: true, log: silentLog(),
    environment: { ...process.env, PARLEY_CHROMIUM: process.execPath },
  })
  await expect(opening).rejects.toMatchObject({ code: 'shell.unavailable' })
  expect(second.quits).toEqual(['forced'])
})

test('this shell protects no secrets and so keeps none', () => {
  expect(port.secrets.available()).toBe(false)
  expect(() => port.secrets.protect('key')).toThrow(expect.objectContaining({ code: 'shell.unavailable' }))
})

/** Calls past the bridge: installs the raw binding again, as a hostile script could, and uses that. */
const callRaw = (frame: Frame, name: string) =>
  frame.evaluate(([command, binding]) => {
    Reflect.get(window, '__playwright__binding__controller__').addBinding(binding, false)
    return Reflect.get(window, binding!)(command, '{}')
  }, [name, callBinding])
