import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { documentDecoder } from '../../../adapters/agents/one-shot/document.ts'
import { openclawAdapter } from '../../../adapters/agents/openclaw.ts'
import { readResult } from '../../../adapters/agents/openclaw/read-result.ts'
import { makeWorkplace } from '../../../adapters/agents/openclaw/workplace.ts'
import type { ProviderAccess } from '../../../adapters/ports.ts'
import { tapeFile } from '../tapes.ts'
import { say } from './fake-agent.ts'
import { program, processes } from './one-shot-fake.ts'

afterEach(async () => {
  await processes.endAll()
})

const onLinux = process.platform === 'linux'

const recorded = (name: string) => readFileSync(tapeFile(`openclaw/${name}.txt`), 'utf8')

const decoded = (printed: string) => {
  const decoder = documentDecoder(readResult)
  for (const line of printed.split('\n')) decoder.line(line)
  return decoder.end()
}

const usage = (turns: number) => ({
  type: 'usage',
  usage: {
    inputTokens: 1_200 * turns,
    cachedTokens: 0,
    outputTokens: 34 * turns,
    reasoningTokens: 0,
    costUsd: null,
    provenance: 'reported',
  },
})
const tool = (number: number, kind: string, title: string) => ({
  type: 'tool',
  tool: { toolId: `tool-${number}`, kind, title, status: 'done', detail: null },
})

describe('what OpenClaw 2026.9.6 printed', () => {
  test('for an answer', () => {
    expect(decoded(recorded('text'))).toEqual({
      status: 'answered',
      items: [usage(1), { type: 'text', delta: 'Hello from the mock.' }],
    })
  })

  test('for a turn with tools', () => {
    expect(decoded(recorded('write-default'))).toEqual({
      status: 'answered',
      items: [
        tool(1, 'edit', 'write'),
        tool(2, 'execute', 'exec'),
        usage(3),
        { type: 'text', delta: 'Could I write?' },
      ],
    })
  })

  test('for a refused key: its sentence is no answer', () => {
    expect(decoded(recorded('err-401'))).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.unauthorized', params: { status: 401 } },
    })
  })

  test('between everything that it complained about', () => {
    const [before, after] = [recorded('text.stderr'), recorded('write-default.stderr')]
    expect(decoded(`${before}\n${recorded('text')}\n${after}`)).toMatchObject({ status: 'answered' })
  })

  test('for another of its commands is not taken for this one', () => {
    expect(decoded(recorded('other-command'))).toMatchObject({ status: 'nothing' })
  })

  test.each([
    ['that says ok beside an error', { ok: true, status: 'ok', final: 'API Error', error: { message: 'HTTP 500' } }],
    ['whose status is not ok', { ok: true, status: 'error', final: 'API Error' }],
    ['that is not ok', { ok: false, status: 'ok', final: 'API Error', error: null }],
  ])('is a failure for a result %s', (_name, result) => {
    expect(decoded(JSON.stringify(result))).toMatchObject({ status: 'failed' })
  })

  test('is no answer when it is empty, and a part that is unknown or odd hurts nothing', () => {
    expect(decoded('{"ok":true,"status":"ok","final":""}')).toEqual({ status: 'nothing', noise: '' })
    const odd = { ok: true, status: 'ok', final: 'Yes.', usage: { input: -1, output: 'x' }, toolSummary: 7, zzz: {} }
    expect(decoded(JSON.stringify(odd))).toMatchObject({ status: 'answered' })
  })

  test.each([
    ['No API key found for provider "anthropic".', 'agent.unauthorized'],
    ['No route-compatible authentication source is configured for openai.', 'agent.unauthorized'],
    ['request failed (HTTP 403)', 'agent.forbidden'],
    ['rate limit reached, try again in 20s', 'agent.rate-limited'],
    ['TypeError: fetch failed', 'agent.unreachable'],
    ['something else', 'agent.crashed'],
  ])('tells a failure by its words: %s', (message, code) => {
    const result = JSON.stringify({ ok: false, status: 'error', error: { message } })
    expect(decoded(result)).toMatchObject({ status: 'failed', failure: { code } })
  })
})

describe('OpenClaw', () => {
  const key = 'sk-ant-canary-0123456789abcdef'
  const env = { PATH: process.env.PATH, HOME: '/home/user', ANTHROPIC_API_KEY: key, OPENCLAW_STATE_DIR: '/never' }
  const adapter = openclawAdapter({ processes, env })
  const open = (steps: readonly string[], allowWrite = true, provider: ProviderAccess | null = null) =>
    adapter.open(
      {
        program: { file: process.execPath, before: [program, ...steps], version: '2026.9.6' },
        agent: 'openclaw',
        cwd: '/never/looked/at',
        allowWrite,
        resume: null,
        scope: 'chat',
        token: `test-${crypto.randomUUID()}`,
        env,
        provider,
      },
      AbortSignal.timeout(20_000),
    )

  // looks into its process
  test.runIf(onLinux)('works in private folders, without a key in a file or an argument, and leaves none', async () => {
    const session = await open(['hang'])
    const folder = join(tmpdir(), (await folders()).at(-1) ?? '')
    const modes = (await readdir(folder, { recursive: true })).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ])
    expect(Object.fromEntries(modes)).toEqual({
      home: '700', state: '700', workspace: '700', 'state/openclaw.json': '600',
    })
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
    const config = readFileSync(join(folder, 'state', 'openclaw.json'), 'utf8')
    expect(JSON.parse(config).agents.defaults).toEqual({
      workspace: join(folder, 'workspace'),
      model: { primary: 'anthropic/claude-sonnet-4-6' },
    })
    expect(config).not.toContain(key)
    expect(readFileSync(`/proc/${session.pid}/cmdline`, 'utf8').split('\0').slice(3, -1)).toEqual([
      'agent', 'exec', '--json', '--config', join(folder, 'state', 'openclaw.json'),
      '--cwd', join(folder, 'workspace'), '--timeout', '86400', '--message-file', '-',
    ])
    expect(environmentOf(session.pid)).toMatchObject({
      HOME: join(folder, 'home'),
      OPENCLAW_STATE_DIR: join(folder, 'state'),
      ANTHROPIC_API_KEY: key,
    })
    session.kill()
    await session.gone
    expect(existsSync(folder)).toBe(false)
  })

  test('says at once that nothing holds it, and answers when it is done', async () => {
    const session = await open(['read', `print:${JSON.stringify(recorded('text')).slice(1, -1)}`])
    const { end, text, events } = await say(session)
    expect([text, end]).toEqual(['Hello from the mock.', { status: 'completed' }])
    expect(events[1]).toMatchObject({ type: 'warning', text: expect.stringContaining('without a sandbox') })
  })

  test('has what an earlier turn left behind removed, and nothing that is still in use', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'parley-places-'))
    const [old, young] = [join(parent, 'parley-openclaw-old'), join(parent, 'parley-openclaw-young')]
    for (const folder of [old, young]) mkdirSync(folder)
    utimesSync(old, 1, 1)
    const place = await makeWorkplace({ env: { OPENAI_API_KEY: key } }, parent)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    await place.leave()
  })

  test('takes the provider that the person chose for it, whose key goes by the environment alone', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'parley-places-'))
    const provider = { baseUrl: 'https://models.example/v1', model: 'big', key: 'sk-provider-0123456789' }
    const place = await makeWorkplace({ env, provider }, parent)
    const config = readFileSync(place.values['OPENCLAW_CONFIG_PATH'] ?? '', 'utf8')
    expect(config).not.toContain(provider.key)
    expect(JSON.parse(config)).toMatchObject({
      agents: { defaults: { workspace: place.cwd, model: { primary: 'parley/big' } } },
      models: { providers: { parley: { baseUrl: provider.baseUrl } } },
    })
    await place.leave()
  })

  test.runIf(onLinux)('does not take another key to that provider', async () => {
    const provider = { baseUrl: 'https://models.example/v1', model: 'big', key: 'sk-provider-0123456789' }
    const session = await open(['hang'], true, provider)
    const { PARLEY_PROVIDER_KEY, ANTHROPIC_API_KEY, OPENCLAW_CONFIG_PATH } = environmentOf(session.pid)
    expect([PARLEY_PROVIDER_KEY, ANTHROPIC_API_KEY]).toEqual([provider.key, undefined])
    expect(OPENCLAW_CONFIG_PATH).toContain('parley-openclaw-')
    session.kill()
    await session.gone
  })

  test('is never opened where nobody may write', async () => {
    await expect(open(['report'], false)).rejects.toMatchObject({
      code: 'agent.not-held', params: { agent: 'OpenClaw' },
    })
    expect(processes.live).toEqual([])
    expect(adapter.abilities).toMatchObject({ readOnly: 'none', asks: false })
  })
})

const folders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('parley-openclaw-')).toSorted(byAge)

const byAge = (one: string, other: string) => madeAt(one) - madeAt(other)
const madeAt = (name: string) => statSync(join(tmpdir(), name)).ctimeMs

const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
