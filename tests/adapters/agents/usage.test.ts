import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { hearTurn, type PipeDialect } from './streams.ts'

const newestUsage = async (name: PipeDialect, messages: readonly object[]) => {
  const { events } = await hearTurn(name, [messages.map((message) => `${JSON.stringify(message)}\n`).join('')])
  return events.findLast((event): event is AgentEvent & { type: 'usage' } => event.type === 'usage')?.usage
}

const codexTells = (tokens: object, last: object = tokens) => ({
  method: 'thread/tokenUsage/updated',
  params: { threadId: 'thread-1', turnId: 'turn-1', tokenUsage: { total: tokens, last } },
})
const codexBegins = { method: 'turn/started', params: { threadId: 'thread-1', turn: { id: 'turn-1', status: 'x' } } }
const claudeTells = (id: string, usage: object) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id, content: [], usage },
})

test('counters that are told again are counted once', async () => {
  const counts = [100, 100, 100, 250]
  const codex = counts.map((count, index) =>
    codexTells(
      { inputTokens: count, outputTokens: count },
      { inputTokens: index === 0 ? 100 : 0, outputTokens: index === 0 ? 100 : 0 },
    ),
  )
  expect(await newestUsage('codex', [codexBegins, ...codex])).toMatchObject({ inputTokens: 250, outputTokens: 250 })
  const claude = counts.map((count) => claudeTells('m1', { input_tokens: count, output_tokens: count }))
  expect(await newestUsage('claude', claude)).toMatchObject({ inputTokens: 250, outputTokens: 250 })
})

test('two messages are counted together, each by its last word', async () => {
  const told = [
    claudeTells('m1', { input_tokens: 10, output_tokens: 1 }),
    claudeTells('m2', { input_tokens: 20, output_tokens: 2 }),
    claudeTells('m1', { input_tokens: 10, output_tokens: 5 }),
  ]
  expect(await newestUsage('claude', told)).toMatchObject({ inputTokens: 30, outputTokens: 7 })
})

test('what came from a cache is a part of the input, whether an agent tells it inside or beside', async () => {
  const inside = codexTells({ inputTokens: 1_000, cachedInputTokens: 800, outputTokens: 34 })
  const beside = claudeTells('m1', { input_tokens: 200, cache_read_input_tokens: 800, output_tokens: 34 })
  const one = await newestUsage('codex', [codexBegins, inside])
  expect(one).toMatchObject({ inputTokens: 1_000, cachedTokens: 800, outputTokens: 34, provenance: 'reported' })
  expect(await newestUsage('claude', [beside])).toEqual(one)
})
