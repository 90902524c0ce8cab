import { describe, expect, test } from 'vitest'
import { openDoor, type Sender } from '../../electron/door.ts'
import { silentLog, type Log, type LogFields } from '../../electron/log.ts'
import { AppError } from '../../shared/errors.ts'
import { commandNames, type Handlers } from '../../shared/ipc.ts'
import { commandMaxBytes, imageCommandMaxBytes, imageMaxBytes, runFileCommandMaxBytes } from '../../shared/limits.ts'

const pageUrl = 'file:///opt/parley/dist/renderer/index.html'
const trusted: Sender = { window: true, mainFrame: true, url: pageUrl }

const strangers: [string, Sender][] = [
  ['another window', { ...trusted, window: false }],
  ['a frame inside the page', { ...trusted, mainFrame: false }],
  ['another file', { ...trusted, url: 'file:///opt/parley/dist/renderer/other.html' }],
  ['a page of the same name elsewhere', { ...trusted, url: 'file:///tmp/dist/renderer/index.html' }],
  ['the page with a query', { ...trusted, url: `${pageUrl}?x` }],
  ['a site', { ...trusted, url: 'https://example.org/index.html' }],
  ['a page with the address in its hash', { ...trusted, url: `https://example.org/#${pageUrl}` }],
  ['no address', { ...trusted, url: '' }],
]

/** Handlers that note their calls and give back what a test wants. */
const handlersThat = (answer: (name: string, input: unknown) => unknown) => {
  const calls: string[] = []
  const entries = commandNames.map((name) => [
    name,
    async (input: unknown) => {
      calls.push(name)
      return answer(name, input)
    },
  ])
  return { handlers: Object.fromEntries(entries) as Handlers, calls }
}

const doorOf = (
  answer: (name: string, input: unknown) => unknown = () => ({}),
  more: { mayServe?: () => boolean; log?: Log } = {},
) => {
  const { handlers, calls } = handlersThat(answer)
  const door = openDoor({ handlers, pageUrl, mayServe: more.mayServe ?? (() => true), log: more.log ?? silentLog() })
  return { door, calls }
}

/** What comes through the door as a file is. */
const takesMore: Partial<Record<string, number>> = {
  'image.add': imageCommandMaxBytes,
  'import.preview': runFileCommandMaxBytes,
  'import.keep': runFileCommandMaxBytes,
}

const refusedAs = (code: string) => ({ ok: false, failure: expect.objectContaining({ code }) })

describe.each(commandNames)('%s', (name) => {
  test.each(strangers)('is refused to %s', async (_who, sender) => {
    const { door, calls } = doorOf()
    expect(await door.call(sender, name, '{}')).toEqual(refusedAs('ipc.untrusted-sender'))
    expect(calls).toEqual([])
  })

  test('is refused once quitting has begun', async () => {
    const { door, calls } = doorOf(() => ({}), { mayServe: () => false })
    expect(await door.call(trusted, name, '{}')).toEqual(refusedAs('app.shutting-down'))
    expect(calls).toEqual([])
  })

  test.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['text that is no JSON', '{"conversationId":'],
    ['an unknown key', '{"and a key nobody declared":1}'],
    ['an own __proto__', '{"__proto__":{"conversationId":"c1"}}'],
    ['an object instead of text', {}],
    ['nothing', undefined],
  ])('is refused with %s', async (_what, text) => {
    const { door, calls } = doorOf()
    expect(await door.call(trusted, name, text)).toEqual(refusedAs('ipc.bad-input'))
    expect(calls).toEqual([])
  })

  test('is refused when its input is too large to read', async () => {
    const { door, calls } = doorOf()
    const maxBytes = takesMore[name] ?? commandMaxBytes
    const wide = JSON.stringify({ text: 'é'.repeat(maxBytes / 2) })
    expect(wide.length).toBeLessThan(maxBytes)
    expect(await door.call(trusted, name, wide)).toEqual(refusedAs('ipc.too-large'))
    expect(calls).toEqual([])
  })
})

test('an image of the largest size comes through the door, which is wider for nothing else', async () => {
  const { door } = doorOf((_name, input) => ({
    image: {
      imageId: 'image_1', name: 'a.png', mime: 'image/png', width: 1, height: 1, sha256: '0'.repeat(12),
      bytes: Buffer.from((input as { dataBase64: string }).dataBase64, 'base64').length,
    },
  }))
  const dataBase64 = Buffer.alloc(imageMaxBytes).toString('base64')
  const text = JSON.stringify({ conversationId: 'c1', name: 'a.png', type: 'image/png', dataBase64 })
  const reply = await door.call(trusted, 'image.add', text)
  expect(reply).toMatchObject({ ok: true, value: { image: { bytes: 3_670_016 } } })
  expect(await door.call(trusted, 'message.send', text)).toEqual(refusedAs('ipc.too-large'))
})

test.each(['toString', '__proto__', 'constructor', 'app.snapshot ', '', 7, null, ['app.snapshot']])(
  'the name %j is no command',
  async (name) => {
    const { door, calls } = doorOf()
    expect(await door.call(trusted, name, '{}')).toEqual(refusedAs('ipc.unknown-command'))
    expect(calls).toEqual([])
  },
)

test('the page may call from any place inside itself', async () => {
  const { door } = doorOf(() => ({ path: null }))
  expect(await door.call({ ...trusted, url: `${pageUrl}#/runs/r1` }, 'directory.pick', '{}')).toEqual({
    ok: true,
    value: { path: null },
  })
})

test('what a handler gives back beyond its contract does not leave', async () => {
  const { door } = doorOf(() => ({ path: '/home', nativeSession: 'secret', card: { executable: '/usr/bin/codex' } }))
  expect(await door.call(trusted, 'directory.pick', '{}')).toEqual({ ok: true, value: { path: '/home' } })
})

test('an answer that breaks its contract becomes a neutral failure', async () => {
  const { door } = doorOf(() => ({ path: 7 }))
  expect(await door.call(trusted, 'directory.pick', '{}')).toEqual({
    ok: false,
    failure: { code: 'internal.unexpected', message: 'Something unexpected happened.' },
  })
})

test('a coded error reaches the window with its code, sentence and parameters', async () => {
  const { door } = doorOf(() => {
    throw new AppError('run.unknown', 'There is no such run.', { params: { run: 'r1' }, cause: new Error('private') })
  })
  expect(await door.call(trusted, 'run.stop', '{"runId":"r1"}')).toEqual({
    ok: false,
    failure: { code: 'run.unknown', message: 'There is no such run.', params: { run: 'r1' } },
  })
})

test('a foreign error reaches neither the window nor the log with its words', async () => {
  const lines: string[] = []
  const { door } = doorOf(
    () => {
      throw Object.assign(new TypeError('cannot open /home/someone/.key'), { code: 'EACCES' })
    },
    { log: logInto(lines) },
  )
  const reply = await door.call(trusted, 'run.stop', '{"runId":"r1"}')
  expect(reply).toEqual({
    ok: false,
    failure: { code: 'internal.unexpected', message: 'Something unexpected happened.' },
  })
  expect(lines).toEqual([expect.stringContaining('"error":"TypeError","errno":"EACCES"')])
  expect(lines.join()).not.toContain('/home/someone')
})

test('only the failure code of a refused call is logged, never its input', async () => {
  const lines: string[] = []
  const { door } = doorOf(() => ({}), { log: logInto(lines) })
  await door.call(trusted, 'run.stop', '{"runId":"r1","prompt":"my secret plan"}')
  expect(lines).toEqual([expect.stringContaining('ipc.bad-input')])
  expect(lines.join()).not.toContain('secret plan')
})

const logInto = (lines: string[]): Log => {
  const keep = (code: string, fields: LogFields = {}) => {
    lines.push(JSON.stringify({ code, ...fields }))
  }
  const log: Log = { info: keep, warn: keep, error: keep, for: () => log, close: () => {} }
  return log
}
