import { afterEach, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import type { OpenSession } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import { fakeAgent, fakeRequest } from './acp-program.ts'
import { allow, takeTurn, toolsOf } from './rehearsal-table.ts'

const processes = new Processes()

afterEach(() => processes.endAll())

const open = (scenario: string, more: Partial<OpenSession> = {}, data: Partial<AcpAgent> = {}) =>
  acpAdapter({ ...fakeAgent, ...data }, processes).open(fakeRequest(scenario, more), new AbortController().signal)

/** What was sent to set modes and options, in order. */
const settingsIn = (report: string): unknown[] =>
  (JSON.parse(report) as { received: { method: string; params: object }[] }).received.flatMap(({ method, params }) =>
    method.startsWith('session/set_') ? [params] : [],
  )

const report = async (scenario: string, more: Partial<OpenSession> = {}, data: Partial<AcpAgent> = {}) =>
  settingsIn((await takeTurn(await open(scenario, more, data), 'do:report', null)).text)

test.each([
  ['plan', { allowWrite: false }],
  ['edit', { allowWrite: true }],
  ['plan', { allowWrite: false, resume: 's1' }],
])('the mode %s is set by the option that offers it, in a session opened by %j', async (value, more) => {
  expect(await report('options', more)).toEqual([{ sessionId: 's1', configId: 'work', value }])
})

test('options that must stand so are set where they are offered', async () => {
  const options = [
    { id: 'allow_all', value: 'off' },
    { id: 'allow_all', value: 'never heard of' },
    { id: 'never_heard_of', value: 'off' },
  ]
  expect(await report('options', {}, { options })).toEqual([
    { sessionId: 's1', configId: 'allow_all', value: 'off' },
    { sessionId: 's1', configId: 'work', value: 'plan' },
  ])
})

test('an agent that answers with another mode than it was told is not spoken with', async () => {
  await expect(open('keeps')).rejects.toMatchObject({ code: 'agent.incompatible' })
  expect(processes.live).toEqual([])
})

test('an agent that leaves its read-only mode by itself is ended at once', async () => {
  const session = await open('report')
  const { end } = await takeTurn(session, 'do:strays', null)
  expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.not-read-only' } })
  await session.gone
  expect(processes.live).toEqual([])
})

test('while it may only read, what would write and what leaves the mode is declined without asking', async () => {
  const session = await open('report')
  for (const verb of ['ask:allow_once,reject_once', 'switches']) {
    const { text, events, end } = await takeTurn(session, `do:${verb}`, allow)
    expect(JSON.parse(text)).toMatchObject({ outcome: { outcome: 'selected', optionId: 'o1-reject_once' } })
    expect(events.filter(({ type }) => type === 'asked')).toEqual([])
    expect(toolsOf(events).at(-1)?.status).toBe('denied')
    expect(end).toEqual({ status: 'completed' })
  }
})

test('its questions reach the person in each mode where its data says so', async () => {
  const session = await open('report', {}, { asksInReadOnly: true })
  const { events } = await takeTurn(session, 'do:ask:allow_once', allow)
  expect(events.filter(({ type }) => type === 'asked')).toHaveLength(1)
})

test('what reads, and what nobody can tell the kind of, reaches the person in read-only mode as well', async () => {
  const { events } = await takeTurn(await open('details'), '1', allow)
  expect(events.flatMap((event) => (event.type === 'asked' ? [event.request.kind] : []))).toEqual(['other', 'other'])
})

test('an answer that is nothing but the prose of a failure is one', async () => {
  const session = await open('report', {}, { failureProse: /^\[API Error: (.*)\]$/s })
  expect((await takeTurn(session, 'do:prose', null)).end).toMatchObject({
    status: 'failed',
    failure: { code: 'agent.rate-limited', params: { status: 429 }, retryAfterMs: 3_000 },
  })
})
