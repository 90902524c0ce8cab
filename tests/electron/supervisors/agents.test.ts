import { describe, expect, test } from 'vitest'
import type { AgentAdapter } from '../../../adapters/ports.ts'
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
    const agents = new Agents([loggedOut()], () => undefined, () => provider)
    await agents.scan()
    return { agents, codex: () => agents.cards[0] }
  }

  test('stands in for a login of the agent’s own', async () => {
    expect((await withProvider(null)).codex()).toMatchObject({ readiness: 'needsLogin', remedy: 'codex login' })
    expect((await withProvider('Gateway')).codex()).toMatchObject({
      readiness: 'ready', evidence: 'has the provider profile “Gateway”', remedy: null,
    })
  })

  test('does not hide that a key was refused', async () => {
    const { agents, codex } = await withProvider('Gateway')
    agents.learn('codex', { code: 'agent.unauthorized', message: 'The key was refused.' }, 5)
    expect(codex()).toMatchObject({ readiness: 'needsLogin', evidence: 'refused our credentials' })
  })
})
