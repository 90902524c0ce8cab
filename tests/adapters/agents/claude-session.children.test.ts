import { afterAll, describe, expect, test } from 'vitest'
import type { TapeEntry } from '../../fakes/tape.ts'
import { aliveWith, ofType, openFake, processes, say, secret } from './fake-agent.ts'

const grant = { effect: 'grant', note: null } as const

const heard: TapeEntry = { dir: '->', msg: {} }
const greeting: TapeEntry[] = [
  { dir: '->', msg: { request_id: 'hello' } },
  { dir: '<-', msg: { type: 'control_response', response: { subtype: 'success', request_id: 'hello', response: {} } } },
]
const says = (text: string): TapeEntry => ({
  dir: '<-',
  msg: {
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  },
})
const ends = (more: object = {}): TapeEntry => ({
  dir: '<-',
  msg: { type: 'result', subtype: 'success', is_error: false, session_id: 'session-of-the-tape', result: '', ...more },
})

afterAll(() => processes.endAll())

describe.concurrent('a session with claude', () => {
  describe('the recorded conversations, played by a real process', () => {
    test('what is granted is done, and the answer comes whole', async () => {
      const session = await openFake('claude', 'claude/session-write.jsonl', { cwd: '/' })
      const { end, events, text } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(text).toBe('I will run it now.\n\nWriting.\n\nAll done.')
      expect(events[0]).toEqual({ type: 'session', nativeId: session.native.id, resumed: false })
      expect(ofType(events, 'asked').map(({ request }) => request.title)).toEqual(['run a command', 'edit a file'])
      expect(await session.close()).toMatchObject({ code: 0, killed: 0 })
    })

    test('what is denied is shown as denied, with the reason that the agent was given', async () => {
      const session = await openFake('claude', 'claude/session-denied.jsonl')
      const { end, events } = await say(session, { effect: 'deny', note: 'Use another name.' })
      expect(end).toEqual({ status: 'completed' })
      expect(
        ofType(events, 'tool').filter(({ tool }) => tool.status === 'denied' && tool.detail === 'Use another name.'),
      ).toHaveLength(2)
    })

    test('in read-only mode nobody is asked, and what is refused is shown', async () => {
      const session = await openFake('claude', 'claude/session-read-only.jsonl', { allowWrite: false })
      const { end, events } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(ofType(events, 'asked')).toEqual([])
      expect(ofType(events, 'tool').filter(({ tool }) => tool.status === 'denied')).toHaveLength(2)
    })

    test('three refusals of a key are enough', async () => {
      const session = await openFake('claude', 'claude/session-401.jsonl')
      const { end, events } = await say(session)
      expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.unauthorized', params: { status: 401 } } })
      expect(ofType(events, 'retrying')).toHaveLength(3)
    })

    test('a rate limit is told while it is waited for', async () => {
      const session = await openFake('claude', 'claude/session-rate-limited.jsonl')
      const { end, events } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(ofType(events, 'retrying')[0]).toMatchObject({
        attempt: 1,
        max: 10,
        failure: { code: 'agent.rate-limited' },
      })
    })
  })

  test('an unknown session is lost before anything is asked of it', async () => {
    const token = `test-${crypto.randomUUID()}`
    const refusal = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      session_id: 'x',
      errors: ['No conversation found with session ID: x'],
    }
    const opening = openFake(
      'claude',
      [
        { dir: '<-', msg: refusal },
        { do: 'exit', code: 1 },
      ],
      { resume: 'x', token },
    )
    await expect(opening).rejects.toMatchObject({ code: 'agent.session-lost' })
    expect(await aliveWith(token)).toBe(0)
  })

  test('an error that calls itself a success is a failure, and its prose no answer', async () => {
    const prose = {
      type: 'assistant',
      message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: Rate limit reached' }] },
      error: 'rate_limit',
      is_api_error_message: true,
    }
    const session = await openFake('claude', [
      ...greeting,
      heard,
      { dir: '<-', msg: prose },
      ends({ is_error: true, result: 'API Error: Rate limit reached', terminal_reason: 'api_error' }),
    ])
    const { end, text } = await say(session)
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.rate-limited' } })
    expect(text).toBe('')
  })

  test('a model that refuses has refused', async () => {
    const session = await openFake('claude', [...greeting, heard, ends({ stop_reason: 'refusal' })])
    expect((await say(session)).end).toEqual({ status: 'refused' })
  })

  test('an agent that says nothing after the prompt is late', async () => {
    const session = await openFake(
      'claude',
      [
        ...greeting,
        heard,
        { dir: '<-', msg: { type: 'system', subtype: 'status', status: 'requesting' } },
        { do: 'hang' },
      ],
      { launchMs: 1_500 },
    )
    expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.first-byte-late' } })
  })

  test('a question that claude takes back itself is taken back', async () => {
    const session = await openFake('claude', [
      ...greeting,
      heard,
      {
        dir: '<-',
        msg: {
          type: 'control_request',
          request_id: 'r1',
          request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' },
        },
      },
      { dir: '<-', msg: { type: 'control_cancel_request', request_id: 'r1' } },
      ends(),
    ])
    const { events } = await say(session)
    expect(ofType(events, 'askedNoMore')).toEqual([{ type: 'askedNoMore', requestId: 'q1' }])
  })

  test('a request that is no question of a tool is refused, and the turn goes on', async () => {
    const session = await openFake('claude', [
      ...greeting,
      heard,
      { dir: '<-', msg: { type: 'control_request', request_id: 'r1', request: { subtype: 'zzz_new' } } },
      heard,
      says('Never mind.'),
      ends({ result: 'Never mind.' }),
    ])
    expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: 'Never mind.' })
  })

  test('a cancelled turn was cancelled, and the session goes on', async () => {
    const session = await openFake('claude', [
      ...greeting,
      heard,
      says('On and on '),
      { dir: '->', msg: { request_id: 'stop' } },
      {
        dir: '<-',
        msg: { type: 'control_response', response: { subtype: 'success', request_id: 'stop', response: {} } },
      },
      ends({ is_error: true, subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }),
      heard,
      says('Again.'),
      ends({ result: 'Again.' }),
    ])
    const first = await say(session, null, (event) => {
      if (event.type === 'text') void session.cancel()
    })
    expect(first).toMatchObject({ end: { status: 'cancelled' }, text: 'On and on ' })
    expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: 'Again.' })
  })

  test('an agent that ends in the middle has crashed, and its last words hold no secret', async () => {
    const session = await openFake('claude', [
      ...greeting,
      heard,
      says('Half of '),
      { do: 'complain', text: `Error: ${secret}\n` },
      { do: 'exit', code: 2 },
    ])
    const { end, text } = await say(session)
    expect(text).toBe('Half of ')
    expect(end).toMatchObject({
      status: 'failed',
      failure: { code: 'agent.crashed', params: { code: 2, said: 'Error: [secret]' } },
    })
  })

  test('a turn for an agent that has ended fails at once', async () => {
    const session = await openFake('claude', [...greeting, { do: 'exit', code: 0 }])
    await session.gone
    expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.crashed' } })
  })
})
