import { afterEach, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import { UsageCounter } from '../../adapters/agents/acp/usage.ts'
import { Processes } from '../../adapters/process.ts'
import type { Usage } from '../../shared/usage.ts'
import { fakeAgent, fakeRequest } from './acp-program.ts'
import { takeTurn } from './rehearsal-table.ts'

const processes = new Processes()

afterEach(() => processes.endAll())

const usageOf = async (usage: AcpAgent['usage'], verb: string): Promise<Usage[]> => {
  const adapter = acpAdapter({ ...fakeAgent, usage }, processes)
  const session = await adapter.open(fakeRequest('report'), new AbortController().signal)
  const { events } = await takeTurn(session, `do:${verb}`, null)
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))
}

const counted = {
  inputTokens: 100,
  cachedTokens: 0,
  outputTokens: 30,
  reasoningTokens: 0,
  costUsd: null,
  provenance: 'reported',
}

test.each([
  ['turn', 'quota', 'a quota beside the answer', { inputTokens: 2_400, outputTokens: 68 }],
  ['turn', 'requests', 'each request of the turn apart', { inputTokens: 350, outputTokens: 10 }],
  ['turn', 'beside', 'the cache beside the input', { inputTokens: 170, cachedTokens: 50 }],
  ['turn', 'within', 'the cache within the input', { inputTokens: 100, cachedTokens: 50 }],
  ['turn', 'costs', 'what the session has cost', { costUsd: 0.5 }],
  [
    'context',
    'tellsLate',
    'its context after the answer',
    { inputTokens: 1_234, outputTokens: 0, provenance: 'estimated' },
  ],
] as const)('an agent that counts by %s and tells by %s is read: %s', async (counts, verb, _title, wanted) => {
  expect(await usageOf(counts, verb)).toEqual([{ ...counted, ...wanted }])
})

test('one that says nothing of usage has none, also where it is waited for', async () => {
  expect([await usageOf('turn', 'noise'), await usageOf('context', 'noise')]).toEqual([[], []])
})

test('counters that are told again and again count once', async () => {
  const counter = new UsageCounter('session', false)
  const inputs = []
  for (const inputTokens of [100, 100, 100, 250]) {
    counter.beginTurn()
    inputs.push((await counter.read({ usage: { inputTokens } }, true))?.inputTokens ?? 0)
  }
  expect(inputs).toEqual([100, 0, 0, 150])
})

test('the cost of a loaded session is counted from what it had cost before', async () => {
  const counter = new UsageCounter('turn', true)
  const costs = []
  for (const cost of [2, 2.5]) {
    counter.beginTurn()
    counter.hearHolds(1, cost)
    costs.push((await counter.read({ usage: { inputTokens: 1 } }, true))?.costUsd)
  }
  expect(costs).toEqual([null, 0.5])
})
