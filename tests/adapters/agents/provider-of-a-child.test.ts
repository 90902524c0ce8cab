import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { beginningOf, redactText } from '../../../adapters/redact.ts'
import { codexEnds, codexGreeting, codexSays, codexTurn, openFake, say, secret } from './fake-agent.ts'
import type { TapeEntry } from '../../fakes/tape.ts'

const key = 'qz-canary-0123456789'
const provider = { baseUrl: 'https://gateway.example/v1', model: 'm1', key }

/** The environment and the arguments that the operating system knows of a process. */
const processOf = (pid: number) => ({
  env: readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
  args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'),
})
const claudeGreeting: TapeEntry[] = [
  { dir: '->', msg: {} },
  { dir: '<-', msg: { type: 'control_response', response: { subtype: 'success', request_id: 'r1', response: {} } } },
] as TapeEntry[]

describe.skipIf(process.platform !== 'linux')('the process of an agent with a provider', () => {
  test('of codex has the key in its environment, the address in its arguments, and no other key', async () => {
    const tape = [...codexGreeting(), ...codexTurn, codexSays(`It is ${key.slice(0, 9)}`), codexSays(`${key.slice(9)}.`)]
    const session = await openFake('codex', [...tape, codexEnds('completed')], { provider })
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
})

test('half a secret at the end of what is kept of a text is not kept', () => {
  const whole = `The key is ${key}`
  for (let length = 1; length <= whole.length; length += 1) {
    const cleaned = redactText(beginningOf(whole, length), { secrets: [key], home: null })
    expect(cleaned.length).toBeLessThanOrEqual(whole.length)
    expect(cleaned).not.toMatch(/qz|canary|0123/)
  }
})
