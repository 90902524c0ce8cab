import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openLog } from '../../electron/log.ts'
import { topicMaxCharacters } from '../../shared/limits.ts'
import { codexGreeting } from '../adapters/agents/fake-agent.ts'
import { processesIn } from '../fakes/launched.ts'
import { TestOffice } from '../fakes/office.ts'
import type { Act, TapeEntry, Turn } from '../fakes/tape.ts'
import { tapeAdapters } from '../fakes/tape-adapters.ts'

const canaries = ['sk-canary-of-openai-0123456789', 'canary of anthropic 0123456789', 'canary-of-somebody-else-0123']
const [openai = '', anthropic = '', other = ''] = canaries
const env = {
  PATH: process.env.PATH,
  HOME: '/home/canary-person',
  OPENAI_API_KEY: openai,
  ANTHROPIC_API_KEY: anthropic,
  SOME_TOKEN: other,
  CLAUDECODE: '1',
  NODE_OPTIONS: '--no-deprecation',
}
const offices: TestOffice[] = []
const scratch = () => mkdtempSync(join(tmpdir(), 'parley-scratch-'))

afterEach(async () => {
  for (const office of offices.splice(0)) {
    await office.quit()
    office.remove()
  }
})

const open = async (tapes: Parameters<typeof tapeAdapters>[0], folder = scratch()) => {
  const office = new TestOffice((processes) => tapeAdapters(tapes, { processes, env }), folder, {
    env,
    log: openLog(folder),
  })
  offices.push(office)
  await office.start()
  return office
}

const says = (text: string): Act => ({ act: 'say', text })
const completed: Act = { act: 'end', as: 'completed' }
const serves = (dialect: 'codex' | 'claude', ...turns: Turn[]): TapeEntry[] => [{ do: 'serve', dialect, turns }]

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('a key is in no file, no push and no argument, whatever an agent does with it', async () => {
  const folder = scratch()
  const report = (name: string) => ({ do: 'report', file: join(folder, name) }) as const
  const leaks = (key: string): Turn => [
    { act: 'think', text: `I know ${key.slice(0, 9)}` },
    { act: 'think', text: `${key.slice(9)} by heart. ` },
    says(`The key is "${key.slice(0, 12)}`),
    says(`${key.slice(12)}", in ${env.HOME}/notes.`),
    { act: 'tool', id: 't1', status: 'running' },
    { act: 'tool', id: 't1', status: 'done', output: `export KEY=${key} OTHER=${other}` },
    { do: 'complain', text: `debug: ${key} ${other}\n` },
  ]
  const office = await open({
    codex: serves(
      'codex',
      [report('codex'), ...leaks(openai), completed],
      [...leaks(openai), { act: 'end', as: 'failed', said: `no credit for ${openai}` }],
      [...leaks(openai), { do: 'print', text: `${openai} is no message\n` }, { do: 'exit', code: 3 }],
    ),
    claude: serves('claude', [report('claude'), ...leaks(anthropic), completed]),
  })
  const chat = await office.chat('codex')
  const ends: string[] = []
  for (const text of ['One.', 'Two.', 'Three.']) ends.push(await office.runEnds(await office.send(chat, text)))
  const runId = await office.send(await office.chat('claude'), 'Four.')
  ends.push(await office.runEnds(runId))
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns[0]?.text).toBe('The key is "[secret]", in ~/notes.')
  await office.quit()
  expect(ends[0]).toBe('completed')
  expect(ends[3]).toBe('completed')

  const stored = filesIn(office.folder)
  expect(stored.length).toBeGreaterThan(1)
  const places = [...stored.map((file) => readFileSync(file)), Buffer.from(JSON.stringify(office.pushes))]
  for (const place of places) {
    for (const canary of canaries) expect(place.includes(canary)).toBe(false)
    expect(place.includes(env.HOME)).toBe(false)
  }

  for (const [name, own, theirs] of [['codex', openai, anthropic], ['claude', anthropic, openai]] as const) {
    const told = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { args: string[]; env: object }
    for (const canary of canaries) expect(told.args.join(' ')).not.toContain(canary)
    expect(Object.values(told.env)).toContain(own)
    expect(Object.values(told.env)).not.toContain(theirs)
    expect(Object.keys(told.env)).not.toEqual(expect.arrayContaining(['SOME_TOKEN']))
    expect(told.env).not.toHaveProperty('CLAUDECODE')
    expect(told.env).not.toHaveProperty('NODE_OPTIONS')
  }
})

test('the longest message goes by the protocol, and not as an argument', async () => {
  const folder = scratch()
  const report = { do: 'report', file: join(folder, 'told') } as const
  const office = await open({ codex: serves('codex', [report, says('Read.'), completed]) })
  const runId = await office.send(await office.chat('codex'), 'word '.repeat(topicMaxCharacters / 5))
  expect(await office.runEnds(runId)).toBe('completed')
  const told = JSON.parse(readFileSync(report.file, 'utf8')) as { args: string[]; promptCharacters: number }
  expect(told.args).toEqual(['app-server'])
  expect(told.promptCharacters).toBeGreaterThanOrEqual(topicMaxCharacters)
})

test('of two runs in one folder one freezes: stop and delete work on both', async () => {
  const office = await open({
    codex: [...codexGreeting(), { do: 'ignore', signal: 'SIGTERM' }, { do: 'hang' }],
    claude: serves('claude', [says('On it. '), { do: 'hang' }]),
  })
  const chats = [await office.chat('codex'), await office.chat('claude')]
  const runs = await Promise.all(chats.map((chat) => office.send(chat, 'Go.')))
  await office.until(async () => (await processesIn(office.folder)) === 2)
  for (const [index, runId] of runs.entries()) {
    await office.handlers['run.stop']({ runId })
    expect(await office.runEnds(runId)).toBe('stopped')
    expect(await processesIn(office.folder)).toBe(1 - index)
  }
  for (const conversationId of chats) await office.handlers['conversation.delete']({ conversationId })
  expect((await office.handlers['conversation.list']({ query: '', after: null, limit: 10 })).rows).toEqual([])
})

test('a run is not stopped before what it started has stopped writing', async () => {
  const file = join(scratch(), 'growing')
  const deaf: TapeEntry = { do: 'ignore', signal: 'SIGTERM' }
  const writer: TapeEntry[] = [deaf, { do: 'scribble', file, everyMs: 5 }, { do: 'hang' }]
  const office = await open({
    codex: serves('codex', [{ do: 'spawn', how: 'double-fork', tape: writer }, says('Writing. '), { do: 'hang' }]),
  })
  const chat = await office.chat('codex')
  const runId = await office.send(chat, 'Go.')
  writeFileSync(file, '')
  await expect.poll(() => statSync(file).size, { timeout: 10_000 }).toBeGreaterThan(3)
  await office.handlers['run.stop']({ runId })
  expect(await office.runEnds(runId)).toBe('stopped')
  expect(await processesIn(office.folder)).toBe(0)
  const { size } = statSync(file)
  await office.quit()
  expect(statSync(file).size).toBe(size)
})

test('four that start at the same moment do not spend each other’s login', async () => {
  const file = join(scratch(), 'token')
  writeFileSync(file, '0')
  const office = await open({
    codex: [{ do: 'refresh', file, takesMs: 150 }, ...serves('codex', [says('Here.'), completed])],
  })
  const chats = await Promise.all([1, 2, 3, 4].map(() => office.chat('codex')))
  const runs = await Promise.all(chats.map((chat) => office.send(chat, 'Go.')))
  expect(await Promise.all(runs.map((runId) => office.runEnds(runId)))).toEqual(runs.map(() => 'completed'))
  expect(readFileSync(file, 'utf8')).toBe('4')
})

test('a notice of a used-up limit is no answer, no vote, and nobody is shown it', async () => {
  const notice = 'You’ve hit your usage limit. Try again in 5 hours.'
  const office = await open({
    codex: serves('codex', [says(notice), completed]),
    claude: serves('claude', [says('I would wait.'), completed]),
  })
  const group = await office.group({ members: ['codex', 'claude'] })
  const runId = await office.send(group, 'Shall we?', { settings: { rounds: 2, blindFirst: false } })
  await office.runEnds(runId)
  const { turns } = await office.handlers['run.open']({ runId })
  const mine = turns.filter(({ agent }) => agent === 'codex')
  expect(mine[0]).toMatchObject({ status: 'failed', text: '', vote: null })
  expect(mine[0]?.failure).toMatchObject({ code: 'agent.rate-limited', retryAfterMs: 5 * 60 * 60_000 })
  // what a person is told of a failure is no part of what the others are told
  const theirs = turns.filter(({ agent }) => agent === 'claude').map(({ attemptId }) => attemptId)
  const sent = theirs.flatMap((attemptId) => office.stores.deliveries.ofAttempt(attemptId))
  expect(sent.length).toBeGreaterThan(0)
  for (const { deliveryId } of sent) {
    expect((await office.handlers['delivery.open']({ deliveryId })).prompt).not.toContain('usage limit')
  }
})
