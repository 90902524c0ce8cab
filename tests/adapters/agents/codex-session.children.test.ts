import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { TapeEntry } from '../../fakes/tape.ts'
import {
  aliveWith,
  codexEnds,
  codexGreeting,
  codexSays,
  codexTurn,
  ofType,
  openFake,
  processes,
  say,
  secret,
} from './fake-agent.ts'

const grant = { effect: 'grant', note: null } as const
const asks = (id: number): TapeEntry => ({
  dir: '<-',
  msg: {
    id,
    method: 'item/commandExecution/requestApproval',
    params: {
      threadId: 'thread-1',
      turnId: 'turn-1',
      itemId: 'c1',
      command: 'touch a',
      commandActions: [{ type: 'unknown', command: 'touch a' }],
    },
  },
})

afterAll(() => processes.endAll())

describe.concurrent('a session with codex', () => {
  describe('the recorded conversations, played by a real process', () => {
    test('what is granted is done, and the answer comes whole', async () => {
      const session = await openFake('codex', 'codex/session-write.jsonl', { cwd: tmpdir() })
      const { end, events, text } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(text).toBe('I will run it now.\n\nWriting.\n\nAll done.')
      expect(events[0]).toEqual({ type: 'session', nativeId: session.native.id, resumed: false })
      expect(ofType(events, 'asked').map(({ request }) => request.title)).toEqual(['run a command', 'edit a file'])
      expect(ofType(events, 'askedNoMore')).toEqual([])
      expect(await session.close()).toMatchObject({ code: 0, killed: 0 })
    })

    test('what is denied is shown as denied', async () => {
      const session = await openFake('codex', 'codex/session-denied.jsonl')
      const { end, events } = await say(session, { effect: 'deny', note: 'Use another name.' })
      expect(end).toEqual({ status: 'completed' })
      expect(ofType(events, 'tool').filter(({ tool }) => tool.status === 'denied')).toHaveLength(2)
    })

    test('in read-only mode nobody is asked, and what is refused is shown', async () => {
      const session = await openFake('codex', 'codex/session-read-only.jsonl', { allowWrite: false })
      const { end, events } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(ofType(events, 'asked')).toEqual([])
      expect(ofType(events, 'tool').at(-1)?.tool.status).toBe('denied')
    })

    test('three refusals of a key are enough', async () => {
      const session = await openFake('codex', 'codex/session-401.jsonl')
      const { end, events } = await say(session)
      expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.unauthorized' } })
      expect(ofType(events, 'retrying')).toHaveLength(3)
    })

    test('a rate limit is told while it is waited for', async () => {
      const session = await openFake('codex', 'codex/session-rate-limited.jsonl')
      const { end, events } = await say(session, grant)
      expect(end).toEqual({ status: 'completed' })
      expect(ofType(events, 'retrying').map(({ failure }) => failure.code)).toEqual([
        'agent.rate-limited',
        'agent.rate-limited',
      ])
    })
  })

  describe('a session', () => {
    test('that is resumed must be the one that was asked for', async () => {
      const token = `test-${crypto.randomUUID()}`
      const opening = openFake('codex', codexGreeting('another'), { resume: 'asked-for', token })
      await expect(opening).rejects.toMatchObject({ code: 'agent.session-lost' })
      expect(await aliveWith(token)).toBe(0)
    })

    test('that the agent does not know is lost', async () => {
      const tape = [
        ...codexGreeting().slice(0, -1),
        { dir: '<-', msg: { id: 2, error: { code: -32_600, message: 'no rollout found' } } },
      ] as TapeEntry[]
      await expect(openFake('codex', tape, { resume: 'asked-for' })).rejects.toMatchObject({
        code: 'agent.session-lost',
      })
    })

    test('in a working directory that is gone is not opened', async () => {
      await expect(openFake('codex', codexGreeting(), { cwd: join(tmpdir(), 'gone') })).rejects.toMatchObject({
        code: 'workdir.missing',
      })
    })

    test('whose start is called off leaves nothing alive', async () => {
      const token = `test-${crypto.randomUUID()}`
      const opening = openFake('codex', [{ do: 'hang' }], { token, signal: AbortSignal.timeout(300) })
      await expect(opening).rejects.toMatchObject({ code: 'agent.cancelled' })
      expect(await aliveWith(token)).toBe(0)
    })

    test('answers one turn at a time', async () => {
      const session = await openFake('codex', [...codexGreeting(), ...codexTurn, { do: 'hang' }])
      const first = say(session)
      expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.busy' } })
      session.kill()
      expect((await first).end).toEqual({ status: 'cancelled' })
    })
  })

  describe('an agent that says nothing', () => {
    test('to our greeting is ended with a name for it', async () => {
      const token = `test-${crypto.randomUUID()}`
      await expect(openFake('codex', [{ do: 'read-all' }], { launchMs: 300, token })).rejects.toMatchObject({
        code: 'agent.first-byte-late',
      })
      expect(await aliveWith(token)).toBe(0)
    })

    test('but prints a question is ended with that question', async () => {
      const asking: TapeEntry[] = [{ do: 'print', text: 'Log in at the address below, then press Enter.\n' }]
      await expect(openFake('codex', [...asking, { do: 'hang' }], { launchMs: 1_000 })).rejects.toMatchObject({
        code: 'agent.first-byte-late',
        params: { said: 'Log in at the address below, then press Enter.' },
      })
    })

    test('but that its turn has begun is late all the same', async () => {
      const begun: TapeEntry = {
        dir: '<-',
        msg: { method: 'turn/started', params: { threadId: 'thread-1', turn: { id: 'turn-1' } } },
      }
      const session = await openFake('codex', [...codexGreeting(), ...codexTurn, begun, { do: 'hang' }], {
        launchMs: 1_500,
      })
      expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.first-byte-late' } })
    })
  })

  describe('an agent that ends in the middle', () => {
    test('has crashed; what it said is kept, and its last words hold no secret', async () => {
      const session = await openFake('codex', [
        ...codexGreeting(),
        ...codexTurn,
        codexSays('Half of '),
        { do: 'complain', text: `\u001b[31mpanic: key ${secret} in /home/user/x\u001b[0m\n` },
        { do: 'exit', code: 3 },
      ])
      const { end, text } = await say(session)
      expect(text).toBe('Half of ')
      expect(end).toMatchObject({
        status: 'failed',
        failure: { code: 'agent.crashed', params: { code: 3, said: 'panic: key [secret] in ~/x' } },
      })
      expect(await session.gone).toMatchObject({ code: 3, stderr: 'panic: key [secret] in ~/x' })
    })

    test('without a word of its protocol is garbled', async () => {
      const noise: TapeEntry[] = [
        { do: 'print', text: 'Welcome!\nThere is news.\n' },
        { do: 'exit', code: 0 },
      ]
      await expect(openFake('codex', noise)).rejects.toMatchObject({
        code: 'agent.garbled',
        params: { said: 'Welcome!\nThere is news.' },
      })
    })

    test('because its shell could not start it was never started', async () => {
      const refused: TapeEntry[] = [
        { do: 'complain', text: 'The command line is too long.\r\n' },
        { do: 'exit', code: 1 },
      ]
      await expect(openFake('codex', refused)).rejects.toMatchObject({ code: 'agent.spawn-failed' })
    })
  })

  test('banners, colours and a byte order mark around messages do not matter', async () => {
    const [hello, ...rest] = codexGreeting()
    const answer = JSON.stringify({ id: 1, result: { userAgent: 'x' } })
    const session = await openFake('codex', [
      { do: 'print', text: 'Loaded cached credentials.\n(node:1) Warning: old\n' },
      hello!,
      { do: 'print', text: `\ufeff\u001b[2m\u001b]0;codex\u0007${answer}\u001b[0m\r\n` },
      ...rest.slice(1),
      ...codexTurn,
      codexSays('Heard.'),
      codexEnds('completed'),
    ])
    expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: 'Heard.' })
  })

  test('a line that is too long is left out by name, size and hash, and the turn goes on', async () => {
    const session = await openFake('codex', [
      ...codexGreeting(),
      ...codexTurn,
      codexSays('Before. '),
      codexSays('x'.repeat(1_200_000)),
      codexSays('After.'),
      codexEnds('completed'),
    ])
    const { end, events, text } = await say(session)
    expect(end).toEqual({ status: 'completed' })
    expect(text).toBe('Before. After.')
    expect(ofType(events, 'omitted')).toMatchObject([
      { what: 'a line of codex that is too long', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  test('a secret that the agent prints in pieces is not shown', async () => {
    const session = await openFake('codex', [
      ...codexGreeting(),
      ...codexTurn,
      codexSays('The key is sk-can'),
      codexSays('ary-0123456789'),
      codexSays('abcdef, yes.'),
      codexEnds('completed'),
    ])
    expect((await say(session)).text).toBe('The key is [secret], yes.')
  })

  test('a key is not shown whose variable only the configuration names', async ({ onTestFinished }) => {
    const home = mkdtempSync(join(tmpdir(), 'parley-codex-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    writeFileSync(join(home, 'config.toml'), '[model_providers.own]\nenv_key = "MY_GATEWAY"\n')
    const session = await openFake(
      'codex',
      [...codexGreeting(), ...codexTurn, codexSays('It is 0123-4567-own, yes.'), codexEnds('completed')],
      { env: { CODEX_HOME: home, MY_GATEWAY: '0123-4567-own' } },
    )
    expect((await say(session)).text).toBe('It is [secret], yes.')
  })

  test('a question that codex takes back itself is taken back', async () => {
    const resolved: TapeEntry = {
      dir: '<-',
      msg: { method: 'serverRequest/resolved', params: { threadId: 'thread-1', requestId: 0 } },
    }
    const session = await openFake('codex', [
      ...codexGreeting(),
      ...codexTurn,
      asks(0),
      resolved,
      codexEnds('completed'),
    ])
    const { events } = await say(session)
    expect(
      events.flatMap((event) =>
        event.type === 'asked' ? [event.request.requestId] : event.type === 'askedNoMore' ? [event.requestId] : [],
      ),
    ).toEqual(['q1', 'q1'])
  })

  test('a question that is open when the turn ends is taken back', async () => {
    const session = await openFake('codex', [...codexGreeting(), ...codexTurn, asks(0), codexEnds('interrupted')])
    const { end, events } = await say(session)
    expect(end).toEqual({ status: 'cancelled' })
    expect(events.at(-1)).toEqual({ type: 'askedNoMore', requestId: 'q1' })
  })

  test('an answer to a question that nobody asked is ignored', async () => {
    const session = await openFake('codex', [...codexGreeting(), ...codexTurn, codexEnds('completed')])
    session.answer('q7', grant)
    expect((await say(session)).end).toEqual({ status: 'completed' })
  })

  test('a network that is away is not waited for without end', async () => {
    const away: TapeEntry = {
      dir: '<-',
      msg: {
        method: 'error',
        params: {
          threadId: 'thread-1',
          turnId: 'turn-1',
          willRetry: true,
          error: { message: 'Reconnecting... waiting for network (Connection failed: error sending request)' },
        },
      },
    }
    const session = await openFake('codex', [
      ...codexGreeting(),
      ...codexTurn,
      away,
      away,
      away,
      away,
      away,
      { do: 'hang' },
    ])
    const { end, events } = await say(session)
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.unreachable' } })
    expect(ofType(events, 'retrying')).toHaveLength(4)
  })

  test('the late words of a turn that was given up do not reach the next', async () => {
    const refused: TapeEntry = {
      dir: '<-',
      msg: {
        method: 'error',
        params: {
          threadId: 'thread-1',
          turnId: 'turn-1',
          willRetry: true,
          error: { message: 'Reconnecting... 1/5', codexErrorInfo: 'unauthorized' },
        },
      },
    }
    const second: TapeEntry = { dir: '<-', msg: { id: 5, result: { turn: { id: 'turn-2' } } } }
    const session = await openFake('codex', [
      ...codexGreeting(),
      ...codexTurn,
      refused,
      refused,
      refused,
      { dir: '->', msg: {} },
      { dir: '->', msg: {} },
      second,
      codexSays('late'),
      codexEnds('interrupted'),
      {
        dir: '<-',
        msg: {
          method: 'turn/completed',
          params: { threadId: 'thread-1', turn: { id: 'turn-2', status: 'completed' } },
        },
      },
    ])
    expect((await say(session)).end).toMatchObject({ failure: { code: 'agent.unauthorized' } })
    expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: '' })
  })

  test('an agent that does not heed a cancel is ended all the same, and the turn was cancelled', async () => {
    const token = `test-${crypto.randomUUID()}`
    const session = await openFake(
      'codex',
      [...codexGreeting(), ...codexTurn, codexSays('On and on '), { do: 'hang' }],
      {
        token,
      },
    )
    const speaking = Promise.withResolvers<void>()
    const turn = say(session, null, (event) => {
      if (event.type === 'text') speaking.resolve()
    })
    await speaking.promise
    const end = await session.close()
    expect(end.killed + (end.signal ? 1 : 0)).toBeGreaterThan(0)
    expect((await turn).end).toEqual({ status: 'cancelled' })
    expect(await aliveWith(token)).toBe(0)
  })

  test('a turn for an agent that has ended fails at once', async () => {
    const session = await openFake('codex', [...codexGreeting(), { do: 'exit', code: 0 }])
    await session.gone
    expect((await say(session)).end).toMatchObject({ status: 'failed', failure: { code: 'agent.crashed' } })
  })
})
