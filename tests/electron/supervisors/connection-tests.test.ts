import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Agents } from '../../../electron/supervisors/agents.ts'
import { ConnectionTests } from '../../../electron/supervisors/connection-tests.ts'
import { AppError } from '../../../shared/errors.ts'
import { failing, FakeAdapter, type Script } from '../../fakes/fake-adapter.ts'

const provider = { baseUrl: 'http://127.0.0.1:9/v1', model: 'own', key: 'k' }

type Opening = ConstructorParameters<typeof FakeAdapter>[1]

const testOf = async (script: Script, more: Opening = {}, atMostMs?: number) => {
  const adapter = new FakeAdapter(script, { kind: 'codex', ...more })
  const agents = new Agents([adapter], () => undefined)
  await agents.scan()
  const env = { PATH: '/bin' }
  const bound = atMostMs === undefined ? {} : { atMostMs }
  const tests = new ConnectionTests(agents, { env, accessFor: () => provider, now: () => 7, ...bound })
  return { adapter, tests, card: () => agents.cards[0] }
}

test('an agent that answers is verified, read-only in an empty folder that is gone afterwards', async () => {
  const seen: unknown[] = []
  const { adapter, tests, card } = await testOf(({ say, request }) => {
    seen.push([readdirSync(request.cwd), request.allowWrite, request.resume])
    say('ready')
  })
  const result = await tests.test('codex')
  expect(result).toEqual({ ok: true, tookMs: expect.any(Number), failure: null })
  expect([seen, adapter.opened[0]?.prompts]).toEqual([[[[], false, null]], ['Reply with the one word ready.']])
  expect([adapter.alive, existsSync(adapter.opened[0]?.request.cwd ?? '')]).toEqual([0, false])
  expect(card()).toMatchObject({ readiness: 'recentlyVerified', evidence: 'answered a turn', checkedAt: 7 })
})

test('an agent is tested with the provider that the person chose for it', async () => {
  const { adapter, tests } = await testOf(({ say }) => say('ready'))
  await tests.test('codex')
  expect(adapter.opened[0]?.request.provider).toEqual(provider)
})

test('an agent that refuses its credentials needs a login', async () => {
  const { tests, card } = await testOf(() => failing('agent.unauthorized'))
  expect(await tests.test('codex')).toMatchObject({ ok: false, failure: { code: 'agent.unauthorized' } })
  expect(card()).toMatchObject({ readiness: 'needsLogin', failure: { code: 'agent.unauthorized' } })
})

test.each([
  ['cannot be reached', () => failing('agent.unreachable'), {}, 'agent.unreachable'],
  ['says nothing', () => undefined, {}, 'agent.garbled'],
  ['refuses', () => ({ status: 'refused' }) as const, {}, 'agent.refused'],
  [
    'does not start',
    () => undefined,
    { opening: () => Promise.reject(new AppError('agent.spawn-failed', 'It does not start.')) },
    'agent.spawn-failed',
  ],
] as [string, Script, Opening, string][])('of an agent that %s the card says so', async (_, script, more, code) => {
  const { adapter, tests, card } = await testOf(script, more)
  expect(await tests.test('codex')).toMatchObject({ ok: false, failure: { code } })
  expect(card()).toMatchObject({ readiness: 'ready', failure: { code } })
  expect(card()?.stages.at(-1)).toMatchObject({ stage: 'answered', outcome: 'no' })
  expect(adapter.alive).toBe(0)
})

test('what it asks is denied', async () => {
  const { adapter, tests } = await testOf(async ({ ask, say }) => {
    await ask('run a command', 'rm -rf /')
    say('ready')
  })
  await tests.test('codex')
  expect(adapter.opened[0]?.answers).toEqual(['request-1: deny'])
})

test('one that does not answer in time is ended', async () => {
  const { adapter, tests } = await testOf(({ hang }) => hang(), {}, 1)
  expect(await tests.test('codex')).toMatchObject({ ok: false, failure: { code: 'agent.first-byte-late' } })
  expect(adapter.alive).toBe(0)
})

test('one agent is tested once at a time, and again afterwards', async () => {
  const asked = Promise.withResolvers<void>()
  const { tests } = await testOf(async ({ say }) => {
    await asked.promise
    say('ready')
  })
  const first = tests.test('codex')
  await expect(tests.test('codex')).rejects.toMatchObject({ code: 'agent.testing' })
  asked.resolve()
  expect([(await first).ok, (await tests.test('codex')).ok]).toEqual([true, true])
})

test('an agent that nobody knows is refused', async () => {
  const { tests } = await testOf(() => undefined)
  await expect(tests.test('kimi')).rejects.toMatchObject({ code: 'agent.not-found' })
})
