import { afterEach, describe, expect, test } from 'vitest'
import { coreOf } from '../../adapters/rehearsal/english-topic.ts'
import { agentIds, type AgentId } from '../../shared/agent.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { composePrompt, type PromptParts } from '../../shared/prompt.ts'
import { readVote } from '../../shared/vote-text.ts'
import {
  adapter,
  allow,
  deny,
  discuss,
  inProcesses,
  openSession,
  partsOf,
  processes,
  takeTurn,
  textOf,
  toolsOf,
} from './rehearsal-table.ts'

const three: AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']
const topic = 'Should we store sessions in SQLite or in Postgres?'

afterEach(async () => {
  await processes.endAll()
})

const prompt = (agent: AgentId, more: Partial<PromptParts> = {}) =>
  composePrompt({ ...partsOf({ agents: three, agent, topic, round: 1, rounds: 6 }), ...more }).text

/** One turn in a process of its own. */
const turn = async (agent: AgentId, more: Partial<PromptParts> = {}, answer = allow) => {
  const session = await openSession(agent)
  const heard = await takeTurn(session, prompt(agent, more), answer)
  await session.close()
  return heard
}

describe('a discussion of the three', () => {
  test('moves by their rules and agrees in round three, each turn in a process of its own', async () => {
    const spoken = await discuss({ agents: three, topic, rounds: 6 }, inProcesses)
    const choices = spoken.map(({ round, agent, vote }) => `${round} ${agent.split(':')[1]} ${vote?.choice}`)
    expect(choices).toEqual([
      '1 bold continue',
      '1 careful continue',
      '1 sceptic continue',
      '2 bold agree',
      '2 careful agree',
      '2 sceptic continue',
      '3 bold agree',
      '3 careful agree',
      '3 sceptic agree',
    ])
    expect(new Set(spoken.slice(-3).map(({ vote }) => vote?.position)).size).toBe(1)
    expect(spoken.filter(({ vote }) => vote?.changed).map(({ round, agent }) => `${round} ${agent}`)).toEqual([
      '2 rehearsal:bold',
      '3 rehearsal:sceptic',
    ])
    expect(spoken.filter(({ asked }) => asked > 0).map(({ round, agent }) => `${round} ${agent}`)).toEqual([
      '2 rehearsal:careful',
    ])
  })

  test('is made of the topic and of what the peers said', async () => {
    const spoken = await discuss({ agents: three, topic, rounds: 2 })
    const [bold, careful, sceptic] = spoken
    expect(bold?.text).toContain(topic)
    expect(bold?.vote?.position).toMatch(/SQLite|Postgres/)
    expect(careful?.text).toContain(`Bold says “${bold?.vote?.position}”`)
    expect(careful?.vote?.position).toContain(bold?.vote?.position)
    expect(sceptic?.text).toContain(`Careful says “${careful?.vote?.position}”`)
    expect(spoken[0]?.text).toMatch(/^\*Rehearsal: /)
    const other = await discuss({
      agents: three,
      topic: 'How do we cut the start-up time of our desktop app?',
      rounds: 1,
    })
    expect(other[0]?.text).toContain('start-up time')
    expect(other.map(({ vote }) => vote?.position)).not.toEqual(spoken.slice(0, 3).map(({ vote }) => vote?.position))
  })

  test.each([
    [{ agents: three, blindFirst: true }, 3],
    [{ agents: ['rehearsal:sceptic', 'rehearsal:careful', 'rehearsal:bold'] as AgentId[] }, 3],
    [{ agents: ['rehearsal:bold', 'rehearsal:careful'] as AgentId[] }, 2],
    [{ agents: ['rehearsal:bold', 'rehearsal:sceptic'] as AgentId[] }, 3],
    [{ agents: ['rehearsal:careful', 'rehearsal:sceptic'] as AgentId[] }, 3],
    [{ agents: three, answer: deny }, 3],
    [{ agents: three, topic: '团队应该使用 Redis 还是 Memcached？' }, 3],
    [{ agents: three, topic: '[[agree]] Tabs or spaces?' }, 1],
  ])('agrees for %j in round %i', async (table, round) => {
    const spoken = await discuss({ topic, rounds: 6, ...table })
    const last = spoken.slice(-table.agents.length)
    expect(last.map((each) => [each.round, each.vote?.choice])).toEqual(table.agents.map(() => [round, 'agree']))
  })

  test('never agrees while one is told to disagree', async () => {
    const spoken = await discuss({ agents: three, topic: `${topic} [[disagree:careful]]`, rounds: 4 })
    const careful = spoken.filter(({ agent }) => agent === 'rehearsal:careful')
    expect(careful.map(({ vote }) => vote?.choice)).toEqual(['continue', 'continue', 'continue', 'continue'])
    expect(new Set(careful.map(({ vote }) => vote?.position)).size).toBe(1)
    expect(spoken.map(({ text }) => text).join('')).not.toContain('[[')
  })
})

test.each([
  ['Redis or Postgres for the job queue of a small team?', 'Postgres for the job queue'],
  ['Should we ship weekly or monthly after the freeze and the audit is done?', 'monthly after the freeze'],
])('an option too long to repeat ends before its little words: %s', (asked, option) => {
  const core = coreOf(asked)
  expect(core.type === 'choice' && core.options[1].replaceAll(/[“”]/g, '')).toBe(option)
})

test('a Chinese topic is answered in Chinese', async () => {
  const { text } = await turn('rehearsal:bold', { topic: '要不要把登录服务迁移到新的机房？' })
  expect(text).toContain('要不要把登录服务迁移到新的机房？')
  expect(readVote(text, 'n1').reading.vote?.position).toMatch(/把登录服务迁移到新的机房/)
})

test('a turn shows a thought, a moving plan, a tool and a vote at the end', async () => {
  const { end, events, text } = await turn('rehearsal:bold')
  expect(end).toEqual({ status: 'completed' })
  expect(events.some(({ type }) => type === 'reasoning')).toBe(true)
  const plans = events.flatMap((event) => (event.type === 'plan' ? [event.entries.map(({ status }) => status)] : []))
  expect(plans[0]).toEqual(['inProgress', 'pending', 'pending'])
  expect(plans.at(-1)).toEqual(['done', 'done', 'done'])
  expect(toolsOf(events).map(({ kind, status }) => `${kind} ${status}`)).toEqual(['read running', 'read done'])
  expect(readVote(text, 'n1').reading.vote?.choice).toBe('continue')
})

test('a direct chat is answered without a vote', async () => {
  const { end, text } = await turn('rehearsal:careful', { kind: 'direct', consensus: false, nonce: null })
  expect(end).toEqual({ status: 'completed' })
  expect(text).toContain(topic)
  expect(readVote(text, 'n1').reading.noVote).toBe('missing')
})

describe('the careful one asks once, in round two', () => {
  test('and uses what it was allowed to find', async () => {
    const { events, text } = await turn('rehearsal:careful', { round: 2 })
    const asked = events.flatMap((event) => (event.type === 'asked' ? [event.request] : []))
    expect(asked).toEqual([
      {
        requestId: '1.1',
        toolId: 'check',
        kind: 'execute',
        title: 'run a command',
        detail: expect.stringMatching(/^pretend-check "/),
        reason: expect.stringMatching(/^Pretend to check/),
      },
    ])
    expect(text).toContain('I was allowed to check')
    expect(toolsOf(events).at(-1)).toMatchObject({ toolId: 'check', status: 'done' })
  })

  test('and goes on without it when refused, with the words that were added', async () => {
    const { end, events, text } = await turn(
      'rehearsal:careful',
      { round: 2 },
      { effect: 'deny', note: 'not on this machine' },
    )
    expect(end).toEqual({ status: 'completed' })
    expect(text).toContain('was not allowed to')
    expect(text).toContain('You added: “not on this machine”')
    expect(toolsOf(events).at(-1)).toMatchObject({ toolId: 'check', status: 'denied' })
  })

  test.each([
    ['grant', 'I was allowed to check'],
    ['deny', 'was not allowed to'],
  ] as const)('and does not ask again when it was decided meanwhile: %s', async (effect, sentence) => {
    const first = await openSession('rehearsal:careful')
    await first.close()
    const session = await openSession('rehearsal:careful', { resume: first.native.id })
    expect(session.native).toEqual({ id: first.native.id, resumed: true })
    const decision = { title: 'run a command', effect, note: null }
    const { events, text } = await takeTurn(
      session,
      prompt('rehearsal:careful', { kind: 'resumption', round: 2, decision }),
      null,
    )
    expect(events.filter(({ type }) => type === 'asked')).toEqual([])
    expect(text).toMatch(/^I go on from where I had stopped\./)
    expect(text).toContain(sentence)
    expect(text).not.toContain('keeps no history')
    expect(readVote(text, 'n1').reading.vote).not.toBeNull()
  })
})

describe('a directive', () => {
  const told = (directive: string) => ({ topic: `${directive} ${topic}` })

  test('fails a turn as a provider would, with the text so far', async () => {
    const { end, text } = await turn('rehearsal:bold', told('[[fail:bold@1]]'))
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.provider-failed', params: { status: 500 } } })
    expect(text).toContain('Let me begin with the question itself.')
  })

  test('says nothing to others, in other rounds, or when it is none', async () => {
    const none = '[[fail:bold@2]] [[fail:careful]] [[fail@3]] [[fail:nobody]] [[explode]]'
    expect((await turn('rehearsal:bold', told(none))).end).toEqual({ status: 'completed' })
  })

  test('asks for a permission now', async () => {
    const { events, text } = await turn('rehearsal:sceptic', told('[[ask]]'))
    expect(events.filter(({ type }) => type === 'asked')).toHaveLength(1)
    expect(text).toContain('I asked for a permission and was given it.')
  })

  test('floods, and what is too long for a line is left out and said', async () => {
    const { end, events, text } = await turn('rehearsal:bold', told('[[flood:bold]]'))
    expect(end).toEqual({ status: 'completed' })
    expect(text.match(/\d/g)!.length).toBeGreaterThanOrEqual(5_000)
    expect(events).toContainEqual({
      type: 'omitted',
      what: 'a line too long to keep',
      bytes: expect.closeTo(3_000_000, -3),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('makes it slow, with a sign of life every second', async () => {
    const { text } = await turn('rehearsal:bold', told('[[slow]]'))
    expect(text.match(/Still thinking, \d+ s\./g)).toHaveLength(60)
  })

  test('hangs until it is cancelled', async () => {
    const session = await openSession('rehearsal:bold')
    const begun = Promise.withResolvers<void>()
    const events: AgentEvent[] = []
    const running = session.prompt({ prompt: prompt('rehearsal:bold', told('[[hang]]')) }, (event) => {
      events.push(event)
      if (event.type === 'text') begun.resolve()
    })
    await begun.promise
    await session.cancel()
    expect(await running).toEqual({ status: 'cancelled' })
    expect(textOf(events).trim()).toBe(`Let me begin with the question itself. ${topic}`)
    expect(await session.close()).toMatchObject({ code: 0, killed: 0 })
  })

  test('makes it ignore every signal, and it can still be killed', async () => {
    const session = await openSession('rehearsal:bold')
    const begun = Promise.withResolvers<void>()
    const running = session.prompt({ prompt: prompt('rehearsal:bold', told('[[ignore-signals]]')) }, ({ type }) => {
      if (type === 'text') begun.resolve()
    })
    await begun.promise
    const end = await session.close()
    expect(end).toMatchObject({ signal: 'SIGKILL', killed: 1 })
    expect(await running).toEqual({ status: 'cancelled' })
    expect(() => process.kill(session.pid, 0)).toThrow('ESRCH')
  })
})

test('at its own pace a turn takes some seconds, and none of them is silent for long', async () => {
  const session = await openSession('rehearsal:bold', { pace: '1' })
  const times: number[] = [performance.now()]
  const end = await session.prompt({ prompt: prompt('rehearsal:bold') }, () => times.push(performance.now()))
  times.push(performance.now())
  const total = times.at(-1)! - times[0]!
  expect(end).toEqual({ status: 'completed' })
  expect(total).toBeGreaterThan(1_500)
  expect(total).toBeLessThan(10_000)
  expect(times.length).toBeGreaterThan(20)
})

test('cancelling answers an open question for the agent', async () => {
  const session = await openSession('rehearsal:careful')
  const asked = Promise.withResolvers<void>()
  const heard: string[] = []
  const running = session.prompt({ prompt: prompt('rehearsal:careful', { round: 2 }) }, (event) => {
    heard.push(event.type)
    if (event.type === 'asked') asked.resolve()
  })
  await asked.promise
  await session.cancel()
  expect(await running).toEqual({ status: 'cancelled' })
  session.answer('1.1', allow)
  expect(heard).toContain('askedNoMore')
})

test('a session of another persona, or of nobody, is not loaded', async () => {
  for (const resume of ['rehearsal-careful-1', 'nonsense']) {
    await expect(openSession('rehearsal:bold', { resume })).rejects.toMatchObject({ code: 'agent.session-lost' })
  }
  expect(processes.live).toEqual([])
})

test('several turns go through one process', async () => {
  const session = await openSession('rehearsal:bold')
  for (const round of [1, 2]) {
    const { end, text } = await takeTurn(session, prompt('rehearsal:bold', { round }), allow)
    expect(end).toEqual({ status: 'completed' })
    expect(readVote(text, 'n1').reading.vote).not.toBeNull()
  }
})

test('a second turn at the same time is refused', async () => {
  const session = await openSession('rehearsal:bold')
  const first = session.prompt({ prompt: prompt('rehearsal:bold') }, () => {})
  expect(await session.prompt({ prompt: 'more' }, () => {})).toMatchObject({
    status: 'failed',
    failure: { code: 'agent.busy' },
  })
  expect(await first).toEqual({ status: 'completed' })
})

test('it is found at once and always ready', async () => {
  const { card, program } = await adapter.detect(new AbortController().signal)
  expect(card).toMatchObject({ readiness: 'ready', version: expect.stringMatching(/^\d+\.\d+\.\d+$/), failure: null })
  expect(program).toMatchObject({ file: process.execPath })
  expect(agentIds.filter((agent) => agent.startsWith('rehearsal:'))).toEqual(three)
  expect(textOf([])).toBe('')
})
