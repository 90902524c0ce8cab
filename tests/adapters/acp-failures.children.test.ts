import { afterAll, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import { failureOfProse } from '../../adapters/agents/acp/failures.ts'
import { gemini } from '../../adapters/agents/gemini.ts'
import { qwen } from '../../adapters/agents/qwen.ts'
import { Processes } from '../../adapters/process.ts'
import { fakeAgent, fakeRequest } from './acp-program.ts'
import { takeTurn } from './rehearsal-table.ts'

const processes = new Processes()

afterAll(() => processes.endAll())

/** What each agent said of a failure of its provider, and what it was. */
const recorded = [
  ['opencode', 'mock error 401', { statusCode: 401 }, 'agent.unauthorized'],
  ['opencode', 'mock error 429', { statusCode: 429, isRetryable: true }, 'agent.rate-limited'],
  ['opencode', 'Cannot connect to API: Unable to connect. Is the url right?', {}, 'agent.unreachable'],
  ['gemini', '{"error":{"code":401,"message":"mock error 401","status":"UNAUTHENTICATED"}}', {}, 'agent.unauthorized'],
  ['gemini', '{"error":{"message":"{\\"error\\":{\\"code\\":403}}"}}', {}, 'agent.forbidden'],
  ['qwen', '500 mock error 500', {}, 'agent.provider-failed'],
  ['qwen', 'Connection error. (cause: connect ECONNREFUSED 127.0.0.1:4999)', {}, 'agent.unreachable'],
  [
    'copilot',
    'Authentication failed with provider at http://127.0.0.1:4100/v1 (HTTP 403).\n  Check your key.',
    {},
    'agent.forbidden',
  ],
  [
    'copilot',
    'Failed to get response from the AI model; retried 5 times (10.69 seconds) Last error: 429 x',
    {},
    'agent.rate-limited',
  ],
  ['copilot', 'Could not connect to local model provider at http://127.0.0.1:4999/v1.', {}, 'agent.unreachable'],
  ['kimi', 'provider.auth_error: 401 mock error 401', {}, 'agent.unauthorized'],
  ['kimi', 'provider.rate_limit: 429 mock error 429', {}, 'agent.rate-limited'],
  ['kimi', 'the model is on holiday', {}, 'agent.provider-failed'],
] as const

test.concurrent.for(recorded)('%s says %s', async ([, details, more, code]) => {
  const session = await acpAdapter(fakeAgent, processes).open(fakeRequest('report'), new AbortController().signal)
  const error = { code: -32_603, message: 'Internal error', data: { details, ...more } }
  const { end } = await takeTurn(session, `do:error:${JSON.stringify(error)}`, null)
  expect(end).toMatchObject({ status: 'failed', failure: { code } })
  await session.close()
})

test('a status in the place of the protocol’s own code is one', async () => {
  const session = await acpAdapter(fakeAgent, processes).open(fakeRequest('report'), new AbortController().signal)
  const { end } = await takeTurn(session, 'do:error:{"code":429,"message":"Rate limit exceeded."}', null)
  expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.rate-limited' } })
})

test.each([
  ['[API Error: 401 mock error 401]', 'agent.unauthorized'],
  ['[API Error: {"error":{"code":403,"message":"no"}}]', 'agent.forbidden'],
  ['[API Error: Connection error. (cause: connect ECONNREFUSED 127.0.0.1:4999)]', 'agent.unreachable'],
])('%s is the prose of a failure, and only alone', (prose, code) => {
  for (const { failureProse } of [gemini, qwen]) {
    expect(failureOfProse(failureProse?.exec(prose)?.[1] ?? '').code).toBe(code)
    expect(failureProse?.test(`The log says ${prose} and so on.`)).toBe(false)
  }
})
