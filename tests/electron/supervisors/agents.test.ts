import { describe, expect, test, vi } from 'vitest'
import { ampAdapter } from '../../../adapters/agents/amp.ts'
import { stageOf, withStage } from '../../../adapters/agents/stages.ts'
import type { AgentAdapter, Detection, OpenSession } from '../../../adapters/ports.ts'
import { Agents } from '../../../electron/supervisors/agents.ts'
import type { AgentCard } from '../../../shared/agent.ts'
import { FakeAdapter } from '../../fakes/fake-adapter.ts'

/** Two kinds of agents, one of which answers when the test says so. */
const twoKinds = () => {
  const late = Promise.withResolvers<void>()
  class LateAdapter extends FakeAdapter {
    override async detect() {
      await late.promise
      return super.detect()
    }
  }
  const told: AgentCard[][] = []
  const agents = new Agents(
    [new LateAdapter(() => undefined, { kind: 'codex' }), new FakeAdapter(() => undefined)],
    (cards) => told.push(cards),
  )
  return { agents, told, answer: () => late.resolve() }
}

test('whoever hears of one agent hears of all of them, as they are known so far', async () => {
  const { agents, told, answer } = twoKinds()
  const scan = agents.scan()
  answer()
  await scan
  expect(told.map((cards) => cards.map(({ agent }) => agent))).toEqual(
    told.map(() => ['codex', 'rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']),
  )
  expect(told.at(-1)?.map(({ readiness }) => readiness)).toEqual(['ready', 'ready', 'ready', 'ready'])
})

test('a slow one holds up nobody, and scans at the same time are one scan', async () => {
  const { agents, told, answer } = twoKinds()
  const scans = [agents.scan(), agents.scan()]
  await Promise.resolve()
  const early = agents.cards.map(({ kind, readiness }) => [kind, readiness])
  answer()
  expect(await scans[0]).toEqual(await scans[1])
  expect(early[0]).toEqual(['codex', 'checking'])
  expect(told.length).toBe(3)
})

test('a refused key is remembered until the agent has answered again', async () => {
  const { agents, answer } = twoKinds()
  answer()
  await agents.scan()
  const codex = () => agents.cards.find(({ agent }) => agent === 'codex')?.readiness
  agents.learn('codex', { code: 'agent.unauthorized', message: 'The key was refused.' }, 5)
  const refused = codex()
  agents.learn('codex', null, 6)
  expect([refused, codex()]).toEqual(['needsLogin', 'recentlyVerified'])
})

describe('a profile of a provider', () => {
  const loggedOut = (): AgentAdapter => {
    const adapter = new FakeAdapter(() => undefined, { kind: 'codex' })
    const { kind, agents, transport, abilities, mayContinue } = adapter
    const detect = async () => {
      const found = await adapter.detect()
      return { ...found, card: { ...found.card, readiness: 'needsLogin' as const, remedy: 'codex login' } }
    }
    return { kind, agents, transport, abilities, mayContinue, detect, open: adapter.open.bind(adapter) }
  }
  const withProvider = async (provider: string | null) => {
    const agents = new Agents([loggedOut()], () => undefined, { providerOf: () => provider })
    await agents.scan()
    return { agents, codex: () => agents.cards[0] }
  }

  test('stands in for a login of the agent’s own', async () => {
    expect((await withProvider(null)).codex()).toMatchObject({ readiness: 'needsLogin', remedy: 'codex login' })
    expect((await withProvider('Gateway')).codex()).toMatchObject({
      readiness: 'ready', evidence: 'has the provider profile “Gateway”', remedy: null,
    })
  })

  test('is said to the look, which then leaves out what takes long, and counts as a login afterwards', async () => {
    const looks: (boolean | undefined)[] = []
    const adapter = loggedOut()
    const agents = new Agents(
      [{
        ...adapter,
        detect: async (signal, hasProvider) => {
          looks.push(hasProvider)
          const found = await adapter.detect(signal)
          const stages = withStage(found.card.stages, stageOf('credentials', 'unknown', 'Not looked for.'))
          return { ...found, card: { ...found.card, readiness: 'installed', remedy: null, stages } }
        },
      }],
      () => undefined,
      { providerOf: () => 'Gateway' },
    )
    await agents.scan()
    expect(looks).toEqual([true])
    expect(agents.cards[0]).toMatchObject({ readiness: 'ready', evidence: 'has the provider profile “Gateway”' })
  })

  test('does not hide that a key was refused', async () => {
    const { agents, codex } = await withProvider('Gateway')
    agents.learn('codex', { code: 'agent.unauthorized', message: 'The key was refused.' }, 5)
    expect(codex()).toMatchObject({ readiness: 'needsLogin', evidence: 'refused our credentials' })
  })
})

test('an agent that is added has a card of its own until it is removed', async () => {
  const told: AgentCard[][] = []
  const agents = new Agents([new FakeAdapter(() => undefined)], (cards) => told.push(cards))
  await agents.add(new FakeAdapter(() => undefined, { kind: 'codex' }))
  const added = agents.cards.find(({ agent }) => agent === 'codex')
  agents.remove('codex')
  expect(added?.readiness).toBe('ready')
  expect(told.at(-1)?.map(({ agent }) => agent)).toEqual(['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'])
  expect(() => agents.adapterOf('codex')).toThrow(expect.objectContaining({ code: 'agent.not-found' }))
})

/** One agent whose looks end when and as the test says, in the order in which they began. */
const lookedFor = () => {
  const looks: PromiseWithResolvers<Detection>[] = []
  class AskedAdapter extends FakeAdapter {
    override detect() {
      const look = Promise.withResolvers<Detection>()
      looks.push(look)
      return look.promise
    }
  }
  const told: AgentCard[][] = []
  const agents = new Agents([new AskedAdapter(() => undefined, { kind: 'codex' })], (cards) => told.push(cards))
  return { agents, told, looks, card: () => agents.cards[0] }
}

const detected = (version: string, more: Partial<Detection> = {}): Detection => ({
  card: {
    readiness: 'ready', version, evidence: 'found a login of Codex', failure: null, remedy: null, checkedAt: 1,
    stages: [
      { stage: 'found', outcome: 'yes', how: 'Found in PATH.' },
      { stage: 'answered', outcome: 'unknown', how: 'Not yet.' },
    ],
  },
  program: { file: 'codex', before: [], version },
  login: 'codex login',
  ...more,
})

const refused = { code: 'agent.unauthorized', message: 'The key was refused.' } as const

test('a slower look that began before does not overwrite what a newer one found', async () => {
  const { agents, looks, card } = lookedFor()
  const scan = agents.scan()
  const refresh = agents.refresh('codex')
  looks[1]?.resolve(detected('2.0.0'))
  await refresh
  looks[0]?.resolve(detected('1.0.0'))
  await scan
  expect(card()?.version).toBe('2.0.0')
})

test('a look does not overwrite a refusal, neither a slow one nor one that begins later', async () => {
  const { agents, looks, card } = lookedFor()
  const first = agents.scan()
  looks[0]?.resolve(detected('1.0.0', { loginAt: 1 }))
  await first
  const slow = agents.scan()
  agents.learn('codex', refused, 50)
  looks[1]?.resolve(detected('1.0.0', { loginAt: 1 }))
  await slow
  const afterSlow = card()?.readiness
  const later = agents.scan()
  looks[2]?.resolve(detected('1.0.0', { loginAt: 1 }))
  await later
  expect([afterSlow, card()?.readiness, card()?.remedy, card()?.stages.at(-1)]).toEqual([
    'needsLogin',
    'needsLogin',
    'codex login',
    { stage: 'answered', outcome: 'no', how: 'Its provider refused its credentials.' },
  ])
})

test('a login that is newer than the refusal ends it', async () => {
  const { agents, looks, card } = lookedFor()
  const first = agents.scan()
  looks[0]?.resolve(detected('1.0.0', { loginAt: 1 }))
  await first
  agents.learn('codex', refused, 50)
  const again = agents.refresh('codex')
  looks[1]?.resolve(detected('1.0.0', { loginAt: 60 }))
  expect((await again).readiness).toBe('ready')
  expect(card()?.failure).toBeNull()
})

test('an answer is remembered by the next look, unless another version or no login was found', async () => {
  const { agents, looks, card } = lookedFor()
  const look = async (detection: Detection) => {
    const scan = agents.scan()
    looks.at(-1)?.resolve(detection)
    await scan
    return card()?.readiness
  }
  await look(detected('1.0.0'))
  agents.learn('codex', null, 50)
  expect(await look(detected('1.0.0'))).toBe('recentlyVerified')
  expect(await look(detected('1.1.0'))).toBe('ready')
})

test('a look that fails keeps what was known and tells nobody', async () => {
  const { agents, looks, told, card } = lookedFor()
  const first = agents.scan()
  looks[0]?.resolve(detected('1.0.0'))
  await first
  const before = told.length
  const again = agents.refresh('codex')
  looks[1]?.reject(new Error('it broke'))
  expect((await again).version).toBe('1.0.0')
  expect([told.length, card()?.version]).toEqual([before, '1.0.0'])
})

test('a first look that fails is at an end all the same', async () => {
  const { agents, looks } = lookedFor()
  const scan = agents.scan()
  looks[0]?.reject(new Error('it broke'))
  expect(await scan).toMatchObject([{ readiness: 'incompatible', failure: { code: 'agent.incompatible' } }])
})

test('a session is opened with what its program needs beside our own environment', async () => {
  const opened: unknown[] = []
  class OwnAdapter extends FakeAdapter {
    override async detect() {
      const { card } = await super.detect()
      return { card, program: { file: 'codex', before: [], version: '1', env: { PATH: '/own', KEY: 'of the shell' } } }
    }
  }
  const opening = async ({ program, env }: OpenSession) => void opened.push([program.file, env])
  const agents = new Agents([new OwnAdapter(() => undefined, { kind: 'codex', opening })], () => undefined)
  const request = { agent: 'codex', cwd: '/', allowWrite: false, resume: null, scope: 's', token: 't' } as const
  await agents.open({ ...request, env: { PATH: '/bin', HOME: '/home/me' } }, AbortSignal.any([]))
  expect(opened).toEqual([['codex', { PATH: '/own', KEY: 'of the shell', HOME: '/home/me' }]])
})

test('an agent that is not spoken with is refused before anything starts', async () => {
  const agents = new Agents([ampAdapter({ env: {} })], () => undefined)
  await expect(agents.programOf('amp', AbortSignal.any([]))).rejects.toMatchObject({ code: 'agent.not-spoken-with' })
})

test('a turn and a connection test of one program start one after another', async () => {
  const begun: string[] = []
  const first = Promise.withResolvers<void>()
  const opening = async ({ scope }: OpenSession) => {
    begun.push(scope)
    if (scope === 'turn') await first.promise
  }
  const agents = new Agents([new FakeAdapter(() => undefined, { kind: 'codex', opening })], () => undefined)
  await agents.scan()
  const request = { agent: 'codex', cwd: '/', allowWrite: false, resume: null, token: 't', env: {} } as const
  const open = (scope: string) => agents.open({ ...request, provider: null, scope }, AbortSignal.any([]))
  const opened = [open('turn'), open('test')]
  await vi.waitFor(() => expect(begun).toEqual(['turn']))
  first.resolve()
  await Promise.all(opened)
  expect(begun).toEqual(['turn', 'test'])
})
