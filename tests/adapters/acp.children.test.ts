import { afterEach, describe, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import type { AgentSession, Answer } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { fakeAgent, fakeKey, fakeRequest } from './acp-program.ts'
import { allow, deny, takeTurn, textOf, toolsOf } from './rehearsal-table.ts'

const processes = new Processes()
afterEach(async () => {
  await processes.endAll()
})

interface More {
  resume?: string
  allowWrite?: boolean
  data?: Partial<AcpAgent>
  openMs?: number
  firstSignMs?: number
  signal?: AbortSignal
  cwd?: string
}

const open = (scenario: string, more: More = {}) => {
  const {
    resume,
    allowWrite = false,
    data = {},
    openMs = 20_000,
    firstSignMs = 20_000,
    signal,
    cwd = process.cwd(),
  } = more
  return acpAdapter({ ...fakeAgent, ...data }, processes, { openMs, firstSignMs }).open(
    fakeRequest(scenario, { resume: resume ?? null, allowWrite, cwd }),
    signal ?? new AbortController().signal,
  )
}

const turn = async (scenario: string, more: More & { answer?: Answer | null } = {}) => {
  const session = await open(scenario, more)
  return { session, ...(await takeTurn(session, '1', more.answer ?? null)) }
}

const named = (events: readonly AgentEvent[]) => events.map(({ type }) => type)

describe('opening', () => {
  test('shakes hands without offering files or terminals, sets the mode and passes only what is allowed', async () => {
    const { session, end, text } = await turn('report')
    const report = JSON.parse(text)
    expect(report.received.map(({ method, params }: { method: string; params: unknown }) => [method, params])).toEqual([
      [
        'initialize',
        {
          protocolVersion: 1,
          clientInfo: { name: 'parley', version: '1' },
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        },
      ],
      ['session/new', { cwd: process.cwd(), mcpServers: [] }],
      ['session/set_mode', { sessionId: 's1', modeId: 'plan' }],
      ['session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: '1' }] }],
    ])
    expect(Object.keys(report.env).toSorted()).toEqual(['FAKE_KEY', 'FAKE_MODE', 'HOME', 'PARLEY_ATTEMPT', 'PATH'])
    expect(end).toEqual({ status: 'completed' })
    expect({ version: session.version, native: session.native }).toEqual({
      version: '7.8.9',
      native: { id: 's1', resumed: false },
    })
  })

  test('asks for the mode that may write where writing is allowed', async () => {
    const { text } = await turn('report', { allowWrite: true })
    expect(text).toContain('"modeId":"edit"')
  })

  test('refuses to go read-only where no mode keeps the agent from writing', async () => {
    await expect(open('report', { data: { modes: { readOnly: ['ask'], write: [] } } })).rejects.toMatchObject({
      code: 'agent.not-read-only',
    })
    expect(processes.live).toEqual([])
  })

  test('goes on where it may write and no mode is offered, and is refused where it may only read', async () => {
    expect((await turn('bare', { allowWrite: true })).end).toEqual({ status: 'completed' })
    await expect(open('bare')).rejects.toMatchObject({ code: 'agent.not-read-only' })
  })

  test('loads a session, sets its mode again and shows nothing of what is replayed', async () => {
    const { session, events, text } = await turn('report', { resume: 's1' })
    expect(session.native).toEqual({ id: 's1', resumed: true })
    expect(text).not.toContain('an old answer')
    expect(text).toContain('"method":"session/set_mode"')
    expect(events[0]).toEqual({ type: 'session', nativeId: 's1', resumed: true })
  })

  test('enters its mode anew where the agent refuses to enter the one that it is in', async () => {
    const { end } = await turn('sticks', { resume: 's1' })
    expect(end).toEqual({ status: 'completed' })
  })

  test.each([
    ['a session that is unknown', 'report', { resume: 's2' }, 'agent.session-lost'],
    ['an agent that loads none', 'no-load', { resume: 's1' }, 'agent.session-lost'],
    ['an agent that is not logged in', 'login', {}, 'agent.unauthorized'],
    ['an agent of another protocol version', 'other-version', {}, 'agent.incompatible'],
    ['an answer that makes no sense', 'odd', {}, 'agent.garbled'],
    ['an agent that ends at once', 'dies-early', {}, 'agent.crashed'],
    ['an agent that says nothing', 'mute', { openMs: 300 }, 'agent.first-byte-late'],
    ['a folder that is not there', 'report', { cwd: '/nowhere/at/all' }, 'workdir.missing'],
  ] as const)('throws for %s, and leaves nothing alive', async (_title, scenario, more, code) => {
    await expect(open(scenario, more)).rejects.toMatchObject({ name: 'AppError', code })
    expect(processes.live).toEqual([])
  })

  test('can be called off', async () => {
    const controller = new AbortController()
    const opening = open('mute', { signal: controller.signal })
    controller.abort()
    await expect(opening).rejects.toMatchObject({ code: 'agent.cancelled' })
    await expect(open('mute', { signal: controller.signal })).rejects.toMatchObject({ code: 'agent.cancelled' })
    expect(processes.live).toEqual([])
  })
})

describe('a turn', () => {
  test.each([
    ['end_turn', { status: 'completed' }, []],
    ['refusal', { status: 'refused' }, []],
    ['cancelled', { status: 'cancelled' }, []],
    ['max_tokens', { status: 'completed' }, ['warning']],
    ['max_turn_requests', { status: 'completed' }, ['warning']],
    ['something_new', { status: 'failed', failure: { code: 'agent.garbled' } }, []],
  ])('that stops for %s ends %o', async (reason, end, said) => {
    const heard = await turn(`stop:${reason}`)
    expect(heard.end).toMatchObject(end)
    expect(named(heard.events)).toEqual(['session', ...said])
  })

  test.each([
    [{ code: -32_000, message: 'Authentication required' }, { code: 'agent.unauthorized' }],
    [{ code: -32_002, message: 'Resource not found' }, { code: 'agent.session-lost' }],
    [{ code: -32_601, message: 'Method not found' }, { code: 'agent.incompatible' }],
    [{ code: -32_603, message: 'Internal error' }, { code: 'agent.provider-failed' }],
    [
      { code: -32_603, message: 'no', data: { status: 401 } },
      { code: 'agent.unauthorized', params: { status: 401 } },
    ],
    [{ code: -32_603, message: 'no', data: { error: { code: 403 } } }, { code: 'agent.forbidden' }],
    [
      { code: 429, message: 'no', data: { statusCode: 429, details: 'try again in 2 seconds' } },
      { code: 'agent.rate-limited', retryAfterMs: 2_000 },
    ],
    [
      { code: -32_603, message: `used ${fakeKey}`, data: { status: 503 } },
      { code: 'agent.provider-failed', params: { said: 'used [secret]' } },
    ],
    [
      { code: -32_603, message: 'Internal error: Incorrect API key provided: sk-mo***.' },
      { code: 'agent.unauthorized', params: { status: 401 } },
    ],
  ])('that is answered with the error %j fails as %j', async (error, failure) => {
    const { end } = await turn(`error:${JSON.stringify(error)}`)
    expect(end).toMatchObject({ status: 'failed', failure })
  })

  test('passes on text, tools and plans in order, and says what it leaves out', async () => {
    const { events, text, end } = await turn('tools')
    expect(end).toEqual({ status: 'completed' })
    expect(text).toBe('Let me look.\n\nIt says yes.\n\nnot mine')
    expect(toolsOf(events)).toEqual([
      { toolId: 't1', kind: 'read', title: 'Read a', status: 'running', detail: null },
      { toolId: 't1', kind: 'read', title: 'Read a', status: 'done', detail: 'found' },
      { toolId: 't2', kind: 'edit', title: 'Move b', status: 'running', detail: null },
      { toolId: 't2', kind: 'edit', title: 'Move b', status: 'running', detail: 'changed b.txt' },
      { toolId: 't2', kind: 'edit', title: 'Move b', status: 'done', detail: 'changed b.txt' },
    ])
    expect(events).toContainEqual({
      type: 'plan',
      entries: [
        { title: 'one', status: 'done' },
        { title: 'two', status: 'inProgress' },
      ],
    })
    expect(events.flatMap((event) => (event.type === 'omitted' ? [event.what] : []))).toEqual([
      'an unknown update: constructor',
      'an update that could not be read: tool_call',
      'content of the kind image',
    ])
    const firstTool = events.findIndex(({ type }) => type === 'tool')
    expect(textOf(events.slice(0, firstTool))).toBe('Let me look.')
  })

  test('holds no secret and no home folder, however it was cut', async () => {
    const { events, text } = await turn('secrets')
    expect(text).toBe('The key is [secret] and home is ~/notes.')
    expect(toolsOf(events)[0]?.title).toBe('curl -H [secret]')
  })

  test('goes on over lines that are no messages', async () => {
    const { events, text, end } = await turn('noise')
    expect([text, end]).toEqual(['fine', { status: 'completed' }])
    expect(events).toContainEqual({ type: 'omitted', what: 'a line that is no message', bytes: 21, sha256: null })
  })

  test.each(['broken', 'babble'])('cannot be understood after %s output, and the agent is ended', async (scenario) => {
    const { session, end } = await turn(scenario)
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.garbled' } })
    await session.gone
    expect(processes.live).toEqual([])
  })

  test('fails with its text kept when the process ends, in words without secrets', async () => {
    const { end, text, session } = await turn('dies')
    expect(text).toBe('I was about to')
    expect(end).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.crashed', params: { code: 3, said: 'fatal: no credit left for [secret] in ~/x' } },
    })
    expect(await session.gone).toMatchObject({ code: 3, killed: 0 })
  })

  test('fails when no sign of an answer comes in time', async () => {
    const { end } = await turn('silent', { firstSignMs: 300 })
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.first-byte-late' } })
  })

  test('counts its own usage where the agent counts since the session began', async () => {
    const session = await open('cumulative')
    const counts = []
    for (const total of ['1', '2', '5']) {
      const { events } = await takeTurn(session, total, null)
      counts.push(
        events.flatMap((event) =>
          event.type === 'usage' ? [[event.usage.inputTokens, event.usage.outputTokens]] : [],
        ),
      )
    }
    expect(counts).toEqual([[[1_200, 30]], [[1_200, 30]], [[3_600, 90]]])
    const resumed = await open('cumulative', { resume: 's1' })
    expect(named((await takeTurn(resumed, '9', null)).events)).toEqual(['session'])
    const perTurn = await open('cumulative', { resume: 's1', data: { usage: 'turn' } })
    expect(named((await takeTurn(perTurn, '9', null)).events)).toEqual(['session', 'usage'])
  })
})

describe('a permission', () => {
  test.each([
    [allow, 'allow_always,allow_once,reject_once', { outcome: 'selected', optionId: 'o1-allow_once' }],
    [deny, 'allow_always,reject_always,reject_once', { outcome: 'selected', optionId: 'o2-reject_once' }],
    [deny, 'allow_once,reject_always', { outcome: 'selected', optionId: 'o1-reject_always' }],
    [allow, 'allow_always,reject_once', { outcome: 'selected', optionId: 'o1-reject_once' }],
    [allow, 'allow_always', { outcome: 'cancelled' }],
    [deny, 'strange', { outcome: 'cancelled' }],
    [
      { effect: 'deny', note: 'use y' } as const,
      'reject_once',
      { outcome: 'selected', optionId: 'o0-reject_once', _meta: { 'parley/note': 'use y' } },
    ],
  ])('answered %j of %s becomes %j', async (answer, kinds, outcome) => {
    const { text, end, events } = await turn(`ask:${kinds}`, { answer, allowWrite: true })
    expect(JSON.parse(text)).toEqual({ outcome })
    expect(end).toEqual({ status: 'completed' })
    const isRefused = !('optionId' in outcome) || !outcome.optionId.includes('allow')
    expect(toolsOf(events).some(({ status }) => status === 'denied')).toBe(isRefused)
  })

  test('says what is asked by command, path or text, whatever the agent gives', async () => {
    const { events } = await turn('details', { answer: allow, allowWrite: true })
    const asked = events.flatMap((event) => (event.type === 'asked' ? [event.request] : []))
    expect(asked.map(({ kind, title, detail, reason }) => [kind, title, detail, reason])).toEqual([
      ['execute', 'run a command', 'rm -r x', 'run it'],
      ['edit', 'edit a file', '/w/a.txt', 'Edit'],
      ['other', 'use a tool', 'Shell\ntouch y', null],
      ['other', 'use a tool', 'It does not say what.', null],
    ])
    expect(new Set(asked.map(({ requestId }) => requestId)).size).toBe(4)
  })

  test('about a call that is being asked about, or for another session, is refused', async () => {
    const session = await open('double', { allowWrite: true })
    const events: AgentEvent[] = []
    const running = session.prompt({ prompt: '1' }, (event) => events.push(event))
    await expect.poll(() => named(events)).toContain('asked')
    answerFirst(session, events)
    expect(await running).toEqual({ status: 'completed' })
    expect(JSON.parse(textOf(events))).toEqual([
      -32_600,
      { outcome: { outcome: 'cancelled' } },
      { outcome: { outcome: 'selected', optionId: 'o0-allow_once' } },
    ])
  })

  test('that is still open when the turn ends fails the turn', async () => {
    const { end, events } = await turn('open', { allowWrite: true })
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.garbled' } })
    expect(named(events)).toEqual(['session', 'tool', 'asked', 'askedNoMore', 'tool'])
  })
})

test('files, terminals and unknown methods are refused', async () => {
  const { text } = await turn('methods')
  expect(JSON.parse(text)).toEqual([-32_601, -32_601, -32_601])
})

test('a closed session is gone, and no turn starts in it', async () => {
  const session = await open('report')
  expect(await session.close()).toMatchObject({ code: 0, killed: 0 })
  expect(await session.prompt({ prompt: '1' }, () => {})).toMatchObject({
    status: 'failed',
    failure: { code: 'agent.crashed' },
  })
  await session.cancel()
})

const answerFirst = (session: AgentSession, events: readonly AgentEvent[]) => {
  const asked = events.find((event) => event.type === 'asked')
  if (asked) session.answer(asked.request.requestId, allow)
}

describe('remarks of an agent among the words of its model', () => {
  const asides = { retrying: /^Info: trying again$/, known: /^Info: called off$/, failure: /^Error: (.+)$/s }

  test('are told apart from what the model says', async () => {
    const { events, end, text } = await turn('asides', { data: { asides } })
    expect(end).toEqual({ status: 'completed' })
    expect(text).toBe('Error: this one is a sentence of the model and no end.')
    expect(events.find(({ type }) => type === 'retrying')).toMatchObject({ attempt: 1 })
  })

  test('are the failure of a turn that ends with one and counts no use of a model', async () => {
    const { end, text } = await turn('fails-in-prose', { data: { asides } })
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.unauthorized', params: { status: 401 } } })
    expect(text).toBe('')
  })

  test('are an answer where a model was used', async () => {
    const { end, text } = await turn('ends-in-prose', { data: { asides } })
    expect(end).toEqual({ status: 'completed' })
    expect(text).toBe('Error: is how the answer begins and ends')
  })
})
