import { existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { acpAdapter } from '../../../adapters/agents/acp.ts'
import { beginningOf, redactText } from '../../../adapters/redact.ts'
import { codexEnds, codexGreeting, codexSays, codexTurn, openFake, processes, say, secret } from './fake-agent.ts'
import type { TapeEntry } from '../../fakes/tape.ts'

const key = 'qz-canary-0123456789'
const provider = { baseUrl: 'https://gateway.example/v1', model: 'm1', key }

/** The environment and the arguments that the operating system knows of a process. */
const processOf = (pid: number) => ({
  env: readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
  args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'),
})
const claudeGreeting: TapeEntry[] = [
  { dir: '->', msg: { request_id: 'hello' } },
  { dir: '<-', msg: { type: 'control_response', response: { subtype: 'success', request_id: 'hello', response: {} } } },
]

describe.skipIf(process.platform !== 'linux')('the process of an agent with a provider', () => {
  test('of codex has the key in its environment, the address in its arguments, and no other key', async () => {
    const says = [codexSays(`It is ${key.slice(0, 9)}`), codexSays(`${key.slice(9)}.`)]
    const tape = [...codexGreeting(), ...codexTurn, ...says, codexEnds('completed')]
    const session = await openFake('codex', tape, { provider })
    const { env, args } = processOf(session.pid)
    const { text } = await say(session)
    await session.close()
    expect(env).toContain(`PARLEY_PROVIDER_KEY=${key}`)
    expect(env.join('\n')).not.toContain(secret)
    expect(args).toContain('model_providers.parley.base_url="https://gateway.example/v1"')
    expect(args.indexOf('app-server')).toBeGreaterThan(args.indexOf('model="m1"'))
    expect(args.join('\n')).not.toContain(key)
    expect(text).toBe('It is [secret].')
  })

  test('of claude has the key in its environment only, and no other key', async () => {
    const session = await openFake('claude', claudeGreeting, { provider })
    const { env, args } = processOf(session.pid)
    await session.close()
    expect(env).toEqual(
      expect.arrayContaining([`ANTHROPIC_API_KEY=${key}`, 'ANTHROPIC_BASE_URL=https://gateway.example/v1']),
    )
    expect([env.join('\n').includes(secret), args.join('\n').includes(key)]).toEqual([false, false])
  })

  test('of an agent that is configured by a file has one that only this person can read, until it ends', async () => {
    const session = await openClaw()
    const { env, args } = processOf(session.pid)
    const file = env.find((line) => line.startsWith('OPENCLAW_CONFIG_PATH='))?.split('=')[1] ?? ''
    const [text, mode, folderMode] = [readFileSync(file, 'utf8'), statSync(file).mode, statSync(dirname(file)).mode]
    await session.close()
    expect([mode & 0o077, folderMode & 0o077]).toEqual([0, 0])
    expect(env).toContain(`PARLEY_PROVIDER_KEY=${key}`)
    expect([text.includes('gateway.example'), text.includes(key), args.join('\n').includes(key)]).toEqual([
      true, false, false,
    ])
    await expect.poll(() => existsSync(dirname(file))).toBe(false)
  })
})

const openClaw = () => {
  const program = {
    file: process.execPath,
    before: [fileURLToPath(new URL('../acp-fake.ts', import.meta.url)), 'report'],
    version: '1.0.0',
  }
  const adapter = acpAdapter(
    {
      kind: 'openclaw',
      agents: ['openclaw'],
      abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 0, usage: false },
      args: () => [],
      env: { names: [], credentials: [] },
      modes: { readOnly: ['plan'], write: ['edit'] },
      usage: 'turn',
      detect: () => Promise.reject(new Error('not used here')),
    },
    processes,
  )
  return adapter.open(
    {
      program,
      agent: 'openclaw',
      cwd: tmpdir(),
      allowWrite: false,
      resume: null,
      scope: 'chat',
      token: crypto.randomUUID(),
      env: { PATH: process.env.PATH },
      provider,
    },
    new AbortController().signal,
  )
}

test('half a secret at the end of what is kept of a text is not kept', () => {
  const whole = `The key is ${key}`
  for (let length = 1; length <= whole.length; length += 1) {
    const cleaned = redactText(beginningOf(whole, length), { secrets: [key], home: null })
    expect(cleaned.length).toBeLessThanOrEqual(whole.length)
    expect(cleaned).not.toMatch(/qz|canary|0123/)
  }
})
