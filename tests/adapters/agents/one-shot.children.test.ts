import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { documentDecoder } from '../../../adapters/agents/one-shot/document.ts'
import type { Said } from '../../../adapters/agents/one-shot/decoder.ts'
import { aliveWith, ofType, say } from './fake-agent.ts'
import { key, openOneShot, processes } from './one-shot-fake.ts'

afterEach(async () => {
  await processes.endAll()
})

const turn = async (...[steps, more]: Parameters<typeof openOneShot>) => say(await openOneShot(steps, more))

const readFinal = (value: unknown): Said | null => {
  if (typeof value !== 'object' || value === null || !('final' in value)) return null
  return { status: 'answered', items: [{ type: 'text', delta: String(value.final) }] }
}
const document = { decoder: () => documentDecoder(readFinal) }

describe('a turn', () => {
  test('has its task on stdin exactly as it is, also when that is longer than an argument may be', async () => {
    const prompt = `  "$(touch x)" 'é' 😀 -- \\n\n\n${'line of some length\n'.repeat(20_000)} end  `
    const session = await openOneShot(['report'])
    const heard: string[] = []
    await session.prompt({ prompt }, (event) => event.type === 'text' && heard.push(event.delta))
    const report = JSON.parse(heard.join(''))
    expect(report.stdin).toBe(prompt)
    expect(report.argv).toEqual(['report'])
    expect(realpathSync(report.cwd)).toBe(realpathSync(tmpdir()))
  })

  test('gives the program what is on its list, and no mark of an agent around us', async () => {
    const { text } = await turn(['report'])
    expect(Object.keys(JSON.parse(text).env).toSorted()).toEqual(['FAKE_KEY', 'HOME', 'PARLEY_ATTEMPT', 'PATH'])
    expect(text).not.toContain(key)
  })

  test('streams text by lines, keeps indentation and shows no control codes', async () => {
    const { text, end } = await turn(['read', 'print:\\u001b[1mOne\\u001b[0m\\n\\n  10%\\r  two\\r\\n한글 😀\\n\\n'])
    expect([text, end]).toEqual(['One\n\n  two\n한글 😀', { status: 'completed' }])
  })

  test('has its last line once, also when a child says it after the exit, with no line break', async () => {
    const { text, end, events } = await turn(['print:First.\\n', 'heir:Last.'])
    expect([text, end]).toEqual(['First.\nLast.', { status: 'completed' }])
    expect(ofType(events, 'text').filter(({ delta }) => delta.includes('Last.'))).toHaveLength(1)
  })

  test('counts what is printed before it has its task, and an end before that', async () => {
    const session = await openOneShot(['print:Early.', 'exit:0'])
    await session.gone
    expect(await say(session)).toMatchObject({ text: 'Early.', end: { status: 'completed' } })
  })

  test('is the only one of its session', async () => {
    const session = await openOneShot(['echo'])
    await say(session)
    expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.busy' } })
  })

  test('lets no secret through, cut wherever', async () => {
    const { text } = await turn(['read', `print:the key is ${key.slice(0, 9)}`, `print:${key.slice(9)}!`])
    expect(text).toBe('the key is [secret]!')
  })
})

describe('an end', () => {
  test.each([
    ['a failing exit code', ['print:API Error: no credit', 'complain:fatal: no credit\n', 'exit:3'], 'agent.crashed'],
    ['an exit in good order without a word', ['read', 'exit:0'], 'agent.crashed'],
    ['a command line that no shell took', ['complain:The command line is too long.', 'exit:1'], 'agent.spawn-failed'],
    ['a longer answer than is read', ['read', 'lines:5'], 'agent.output-limit'],
    ['more than a turn may print', ['read', 'flood:70'], 'agent.output-limit'],
  ] as const)('with %s is a failure', async (_name, steps, code) => {
    const { end } = await turn(steps)
    expect(end).toMatchObject({ status: 'failed', failure: { code } })
  })
})

describe('an answer that comes as a whole', () => {
  test('is announced early and said at the end, whatever noise is around it', async () => {
    const pretty = JSON.stringify({ final: 'Yes. {"final":"no"}', more: { a: [1] } }, null, 2)
    const noise = ['(node:1) Warning: deprecated', '{ not: json', 'Loaded cached credentials.', '{"other":1}']
    const printed = [...noise, pretty, 'A new version {1.2} is there.', ''].join('\n')
    const steps = ['read', `print:${JSON.stringify(printed).slice(1, -1)}`]
    const { text, end, events } = await turn(steps, { data: document })
    expect([text, end]).toEqual(['Yes. {"final":"no"}', { status: 'completed' }])
    expect([...new Set(events.map(({ type }) => type))]).toEqual(['session', 'warning', 'omitted', 'text'])
    expect(ofType(events, 'omitted')[0]?.what).toBe('beside the answer: (node:1) Warning: deprecated')
  })

  test('that is not there shows what was printed instead, without secrets', async () => {
    const { end, text } = await turn(['read', `print:Please log in with ${key} first.\\n`], { data: document })
    expect(text).toBe('')
    expect(end).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.garbled', params: { said: 'Please log in with [secret] first.' } },
    })
  })

  test('is not taken from a program that failed', async () => {
    const { end, text } = await turn(['print:{\\"final\\":\\"API Error\\"}', 'exit:1'], { data: document })
    expect([text, end]).toMatchObject(['', { status: 'failed', failure: { code: 'agent.crashed' } }])
  })
})

describe('stopping', () => {
  test('ends the whole tree, also one that heeds nothing', async () => {
    const token = `test-${randomUUID()}`
    const session = await openOneShot(['read', 'print:Working.\\n', 'stubborn'], { request: { token } })
    const working = Promise.withResolvers<void>()
    const end = say(session, null, (event) => event.type === 'text' && working.resolve())
    await working.promise
    await session.cancel()
    expect((await end).end).toEqual({ status: 'cancelled' })
    expect((await session.gone).killed).toBeGreaterThan(0)
    expect(await aliveWith(token)).toBe(0)
  })

  test('before there is a task starts nothing with it', async () => {
    const session = await openOneShot(['echo'])
    await session.close()
    const { text, end } = await say(session)
    expect([text, end]).toEqual(['', { status: 'cancelled' }])
  })

  test('a program that gives no sign of life is told apart from one that failed, and ended', async () => {
    const session = await openOneShot(['read', 'hang'], { launchMs: 300 })
    expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.first-byte-late' } })
    await session.gone
    expect(processes.live).toEqual([])
  })
})

describe('nothing is started', () => {
  test.each([
    ['where nobody may write, and it cannot be held to reading', { allowWrite: false }, 'agent.not-held'],
    ['for a session from before', { resume: 'native-1' }, 'agent.session-lost'],
    ['in a folder that is not there', { cwd: '/nowhere/at/all' }, 'workdir.missing'],
  ] as const)('%s', async (_name, request, code) => {
    const mark = join(mkdtempSync(join(tmpdir(), 'parley-mark-')), 'started')
    await expect(openOneShot([`note:${mark}`, 'echo'], { request })).rejects.toMatchObject({ name: 'AppError', code })
    expect([existsSync(mark), processes.live]).toEqual([false, []])
  })

  test('once the start was called off', async () => {
    await expect(openOneShot(['echo'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'agent.cancelled',
    })
  })
})
