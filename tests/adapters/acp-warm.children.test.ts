import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { acpAdapter } from '../../adapters/agents/acp.ts'
import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import type { AgentSession, OpenSession, TurnEnd } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import { fakeAgent, fakeRequest } from './acp-program.ts'
import { takeTurn } from './rehearsal-table.ts'

const made: Processes[] = []

afterAll(async () => {
  await Promise.all(made.map((processes) => processes.endAll()))
})

const long = 600_000

interface Office {
  idleMs?: number
  max?: number
  data?: Partial<AcpAgent>
}

const office = ({ idleMs = long, max = 16, data = {} }: Office = {}) => {
  const processes = new Processes()
  made.push(processes)
  const warm = new WarmSessions({ idleMs, max })
  const adapter = acpAdapter({ ...fakeAgent, ...data }, processes, { openMs: 20_000, firstSignMs: 20_000, warm })
  const open = (more: Partial<OpenSession> = {}) =>
    adapter.open(fakeRequest('report', more), new AbortController().signal)
  return { processes, warm, adapter, open }
}

/** A turn that is completed unless its words say otherwise, and then closed. */
const turn = async (session: AgentSession, words = 'do:report'): Promise<{ end: TurnEnd; text: string }> => {
  const { end, text } = await takeTurn(session, words, null)
  await session.close()
  return { end, text }
}

describe.concurrent('a process after a completed turn', () => {
  test('is lent again to the next turn of its session, which needs neither start nor load', async () => {
    const { open, processes } = office()
    const first = await open()
    await turn(first)
    expect(await first.gone).toEqual({ code: 0, signal: null, stderr: '', killed: 0 })
    expect(processes.live.map(({ pid }) => pid)).toEqual([first.pid])
    const second = await open({ resume: 's1' })
    expect({ pid: second.pid, native: second.native }).toEqual({
      pid: first.pid,
      native: { id: 's1', resumed: true },
    })
    expect(second.startedAt).toBeGreaterThanOrEqual(first.startedAt)
    const { text } = await turn(second)
    const methods = (JSON.parse(text) as { received: { method: string }[] }).received.map(({ method }) => method)
    expect(methods).toEqual([
      'initialize',
      'session/new',
      'session/set_mode',
      'session/prompt',
      'session/prompt',
    ])
  })

  test('is no business of the turn that gave it back', async () => {
    const { open } = office()
    const first = await open()
    await turn(first)
    const second = await open({ resume: 's1' })
    first.kill()
    await first.cancel()
    first.answer('1.1', { effect: 'grant', note: null })
    expect(await first.close()).toMatchObject({ code: 0, killed: 0 })
    expect(await first.prompt({ prompt: 'do:report' }, () => {})).toMatchObject({ status: 'failed' })
    expect((await turn(second)).end).toEqual({ status: 'completed' })
  })

  test.each([
    ['a new session is asked for', {}],
    ['another session is asked for', { resume: 's2' }],
    ['it may now write', { resume: 's1', allowWrite: true }],
    ['the working folder changed', { resume: 's1', cwd: mkdtempSync(join(tmpdir(), 'parley-warm-')) }],
    ['its environment changed', { resume: 's1', env: { PATH: process.env['PATH'], FAKE_KEY: 'another-key-012345' } }],
    ['the program changed', { resume: 's1', program: { ...fakeRequest('report').program, version: '0.0.2' } }],
  ] as [string, Partial<OpenSession>][])('is ended before another is started where %s', async (_why, more) => {
    const { open, processes } = office()
    const first = await open()
    await turn(first)
    const second = await open(more).catch(() => null)
    expect(second?.pid).not.toBe(first.pid)
    expect(processes.live.map(({ pid }) => pid)).toEqual(second ? [second.pid] : [])
  })

  test('is ended with its agent or its chat, and no other is', async () => {
    const { open, processes, warm } = office()
    const kept = [await open(), await open({ scope: 'another chat' })]
    for (const session of kept) await turn(session)
    await warm.leave(({ scope }) => scope === 'another chat')
    expect(processes.live.map(({ pid }) => pid)).toEqual([kept[0]!.pid])
    await warm.leave(({ agent }) => agent === fakeRequest('report').agent)
    expect(processes.live).toEqual([])
    expect((await turn(await open({ resume: 's1' }))).end).toEqual({ status: 'completed' })
  })

  test('is ended and not kept where its agent goes while it is in a turn', async () => {
    const { open, processes, warm } = office()
    const session = await open()
    await warm.leave(() => true)
    expect(processes.live).toHaveLength(1)
    await turn(session)
    await Promise.all(processes.live.map(({ gone }) => gone))
    expect(processes.live).toEqual([])
  })

  test('is left alone by turns of another chat', async () => {
    const { open, processes } = office()
    const first = await open()
    await turn(first)
    const other = await open({ scope: 'another chat' })
    expect(processes.live.map(({ pid }) => pid)).toEqual([first.pid, other.pid])
    expect((await open({ resume: 's1' })).pid).toBe(first.pid)
  })

  test('is ended when nobody has needed it for long', async () => {
    const { open, processes } = office({ idleMs: 1 })
    await turn(await open())
    await Promise.all(processes.live.map(({ gone }) => gone))
    expect(processes.live).toEqual([])
    expect((await turn(await open({ resume: 's1' }))).end).toEqual({ status: 'completed' })
  })

  test('is started anew where it ended while nobody looked', async () => {
    const { open, processes } = office()
    const first = await open()
    await takeTurn(first, 'do:quits', null)
    const gone = Promise.all(processes.live.map((each) => each.gone))
    await first.close()
    await gone
    const second = await open({ resume: 's1' })
    expect(second.pid).not.toBe(first.pid)
    expect((await turn(second)).end).toEqual({ status: 'completed' })
  })

  test('is ended where it asks for something though it has no turn', async () => {
    const { open, processes } = office()
    const first = await open({ allowWrite: true })
    const gone = processes.live[0]!.gone
    await turn(first, 'do:restless')
    await gone
    expect(processes.live).toEqual([])
  })

  test('leaves nothing behind when all is ended', async () => {
    const { open, processes } = office()
    await turn(await open())
    await turn(await open({ scope: 'another chat' }))
    expect(processes.live).toHaveLength(2)
    await processes.endAll()
    expect(processes.live).toEqual([])
  })
})

describe.concurrent('a process is not kept', () => {
  test.each([
    ['failed', 'do:error:{"code":-32603,"message":"no"}'],
    ['was refused', 'do:stop:refusal'],
    ['was cancelled by the agent', 'do:stop:cancelled'],
    ['left a call open', 'do:leavesTool'],
    ['left it in another mode', 'do:wanders'],
  ])('after a turn that %s', async (_how, words) => {
    const { open, processes } = office()
    const session = await open({ allowWrite: true })
    await turn(session, words)
    expect(await session.gone).toMatchObject({ code: 0 })
    expect(processes.live).toEqual([])
  })

  test('after a turn that the person called off', async () => {
    const { open, processes } = office()
    const session = await open()
    const running = session.prompt({ prompt: 'do:silent' }, () => {})
    await session.close()
    expect(await running).toEqual({ status: 'cancelled' })
    expect(processes.live).toEqual([])
  })

  test('once it is killed, whatever its turn came to', async () => {
    const { open, processes } = office()
    const session = await open()
    await takeTurn(session, 'do:report', null)
    session.kill()
    await session.close()
    expect(processes.live).toEqual([])
  })

  test('where no turn was taken in it', async () => {
    const { open, processes } = office()
    await (await open()).close()
    expect(processes.live).toEqual([])
  })
})

describe.concurrent('where more are wanted than are kept', () => {
  test('the one longest at rest makes room', async () => {
    const { open, processes } = office({ max: 2 })
    const [one, two] = [await open({ scope: 'one' }), await open({ scope: 'two' })]
    const oneIsGone = processes.live[0]!.gone
    await turn(one)
    await turn(two)
    const three = await open({ scope: 'three' })
    await oneIsGone
    expect(processes.live.map(({ pid }) => pid)).toEqual([two.pid, three.pid])
  })

  test('one too many has its turn, and is ended only then', async () => {
    const { open, processes } = office({ max: 2 })
    const sessions = [await open({ scope: 'one' }), await open({ scope: 'two' }), await open({ scope: 'three' })]
    const lastIsGone = processes.live[2]!.gone
    expect((await turn(sessions[2]!)).end).toEqual({ status: 'completed' })
    await lastIsGone
    expect(processes.live.map(({ pid }) => pid)).toEqual([sessions[0]!.pid, sessions[1]!.pid])
  })
})

describe.concurrent('a session that must not be loaded at once', () => {
  const data = { mayResume: () => false }

  test('is gone on with while its process is kept', async () => {
    const { open, adapter } = office({ data })
    const first = await open()
    await turn(first)
    expect(adapter.mayResume?.({ at: Date.now(), version: null, id: 's1' }, Date.now())).toBe(true)
    expect((await open({ resume: 's1' })).pid).toBe(first.pid)
  })

  test('is lost once its process is not kept any more, and is not touched', async () => {
    const { open, adapter, processes } = office({ data })
    const first = await open()
    await turn(first, 'do:stop:refusal')
    expect(adapter.mayResume?.({ at: Date.now(), version: null, id: 's1' }, Date.now())).toBe(false)
    await expect(open({ resume: 's1' })).rejects.toMatchObject({ code: 'agent.session-lost' })
    expect(processes.live).toEqual([])
  })
})
