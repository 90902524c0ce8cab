import { expect, test } from 'vitest'
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
