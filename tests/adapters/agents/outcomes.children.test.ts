import { afterAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../adapters/agents/outcome.ts'
import type { TurnEnd } from '../../../adapters/ports.ts'
import type { Act, Deed, DialectName, Turn } from '../../fakes/tape.ts'
import { dialects, ofType, openActor, openFake, processes, say } from './fake-agent.ts'

const says = (text: string): Act => ({ act: 'say', text })
const ends = (as: (Act & { act: 'end' })['as'], said?: string): Act => ({ act: 'end', as, ...(said ? { said } : {}) })
const exits = (code: number): Deed => ({ do: 'exit', code })
const limit = 'You’ve hit your limit · resets 4am (Asia/Shanghai)'
const rateLimited = { status: 'failed', failure: { code: 'agent.rate-limited', retryAfterMs: expect.any(Number) } }
const crashed = (params: object) => ({ status: 'failed', failure: { code: 'agent.crashed', params } })
const waitMaxMs = 24 * 60 * 60_000

afterAll(() => processes.endAll())

interface Row {
  what: string
  turn: Turn
  end: object
  /** What of the answer remains. */
  text: string
}

/** The table of `docs/outcomes.md`, as far as nobody stops the turn. */
const rows: Row[] = [
  { what: 'a clean end', turn: [says('Yes.'), ends('completed')], end: { status: 'completed' }, text: 'Yes.' },
  {
    what: 'a clean end, then a bad exit',
    turn: [says('Yes.'), ends('completed'), exits(1)],
    end: { status: 'completed' },
    text: 'Yes.',
  },
  {
    what: 'a clean end, then a violent death',
    turn: [says('Yes.'), ends('completed'), { do: 'die', signal: 'SIGKILL' }],
    end: { status: 'completed' },
    text: 'Yes.',
  },
  {
    what: 'an end with an error flag, then a good exit',
    turn: [says('Half '), ends('failed', 'The model broke off.'), exits(0)],
    end: { status: 'failed' },
    text: 'Half ',
  },
  {
    what: 'an error flag with a usage limit as its prose',
    turn: [ends('failed', limit)],
    end: rateLimited,
    text: '',
  },
  { what: 'a usage limit told as the answer', turn: [says(limit), ends('completed')], end: rateLimited, text: '' },
  {
    what: 'a usage limit told as the answer in pieces, with a bad exit',
    turn: [says('You’ve hit your'), says(limit.slice(15)), ends('completed'), exits(1)],
    end: rateLimited,
    text: '',
  },
  {
    what: 'an error of the provider told as the answer',
    turn: [says('API Error: Rate limit reached'), ends('completed')],
    end: { status: 'failed', failure: { code: 'agent.rate-limited' } },
    text: '',
  },
  {
    what: 'an answer that quotes such a notice',
    turn: [says(`The log says:\n${limit}\nSo wait.`), ends('completed')],
    end: { status: 'completed' },
    text: `The log says:\n${limit}\nSo wait.`,
  },
  {
    what: 'a good exit without an end',
    turn: [says('Half '), exits(0)],
    end: crashed({ code: 0 }),
    text: 'Half ',
  },
  { what: 'a bad exit without an end', turn: [says('Half '), exits(3)], end: crashed({ code: 3 }), text: 'Half ' },
  {
    what: 'a violent death without an end',
    turn: [says('Half '), { do: 'die', signal: 'SIGKILL' }],
    end: crashed({ signal: 'SIGKILL' }),
    text: 'Half ',
  },
  {
    what: 'a usage limit on stderr, and an exit without an end',
    turn: [{ do: 'complain', text: `${limit}\n` }, exits(1)],
    end: rateLimited,
    text: '',
  },
]

describe.concurrent.each(dialects)('the outcome of a turn with an agent that speaks %s', (dialect) => {
  test.each(rows)('after $what', async ({ turn, end: expected, text: kept }) => {
    const session = await openActor(dialect, [turn])
    const { end, text } = await say(session)
    expect(end).toMatchObject(expected)
    expect((end.status === 'failed' && end.failure.retryAfterMs) || 0).toBeLessThanOrEqual(waitMaxMs)
    expect(text).toBe(kept)
    await session.close()
  })

  const stops: [what: string, stopped: Turn, end: TurnEnd['status']][] = [
    ['it says that it was cancelled', [ends('cancelled')], 'cancelled'],
    ['it fails', [ends('failed', 'Aborted.')], 'cancelled'],
    ['it ends badly without a word', [exits(1)], 'cancelled'],
    ['it ends well without a word', [exits(0)], 'cancelled'],
    ['it was finished already', [ends('completed')], 'completed'],
  ]

  test.each(stops)('when we stop it and %s', async (_, stopped, status) => {
    const session = await openActor(dialect, [[says('On and on '), { do: 'hang' }]], { stopped })
    const { end, text } = await say(session, null, (event) => {
      if (event.type === 'text') void session.cancel()
    })
    expect(end).toEqual({ status })
    expect(text).toBe('On and on ')
    await session.close()
  })

  test('a tool that is open when the agent dies is closed once, as broken off', async () => {
    const tool: Act = { act: 'tool', id: 't1', status: 'running' }
    const second: Act = { ...tool, id: 't2' }
    const session = await openActor(dialect, [[tool, second, { ...second, status: 'done' }, exits(1)]])
    const { events } = await say(session)
    expect(ofType(events, 'tool').map(({ tool: { toolId, status } }) => `${toolId} ${status}`)).toEqual([
      't1 running',
      't2 running',
      't2 done',
      't1 cancelled',
    ])
  })

  test('what the hearer throws changes nothing', async () => {
    const session = await openActor(dialect, [[says('Yes.'), ends('completed')]])
    const warned = new Promise<Error>((resolve) => {
      process.once('warning', resolve)
    })
    const end = await session.prompt({ prompt: 'Go.' }, () => {
      throw new RangeError('of our own')
    })
    expect(end).toEqual({ status: 'completed' })
    expect((await warned).message).toMatch(/was not taken: RangeError was thrown/)
    await session.close()
  })
})

test.each<[DialectName, Act]>([
  ['claude', { act: 'tool', id: 't1', status: 'denied', output: 'No.' }],
  ['codex', { act: 'tool', id: 't1', status: 'denied', output: 'No.' }],
])('with %s a denied tool before a success is a completed turn with a denial', async (dialect, denied) => {
  const session = await openActor(dialect, [
    [{ act: 'tool', id: 't1', status: 'running' }, denied, says('Done without.'), ends('completed')],
  ])
  const { end, events } = await say(session)
  expect(end).toEqual({ status: 'completed' })
  expect(ofType(events, 'tool').at(-1)?.tool.status).toBe('denied')
  await session.close()
})

test.each<DialectName>(['claude', 'acp'])('with %s a model that refuses has refused', async (dialect) => {
  const session = await openActor(dialect, [[ends('refused')]])
  expect((await say(session)).end).toEqual({ status: 'refused' })
  await session.close()
})

describe.concurrent('before a word of its protocol', () => {
  test.each([
    ['The command line is too long.\r\n', 'stdout', 1, 'agent.spawn-failed'],
    ['The command line is too long.\r\n', 'stderr', 1, 'agent.spawn-failed'],
    ["env: 'node': No such file or directory\n", 'stderr', 127, 'agent.spawn-failed'],
    ['sh: Argument list too long\n', 'stderr', 1, 'agent.spawn-failed'],
    [`${limit}\n`, 'stdout', 0, 'agent.rate-limited'],
    [`${limit}\n`, 'stdout', 1, 'agent.rate-limited'],
    ['Welcome to the agent.\n', 'stdout', 0, 'agent.garbled'],
    ['Something broke.\n', 'stderr', 0, 'agent.crashed'],
  ] as const)('%j on %s and exit %d is %s', async (text, to, code, expected) => {
    const opening = openFake('codex', [{ do: 'print', text, to }, exits(code)])
    await expect(opening).rejects.toMatchObject({ code: expected })
  })
})

test('a stop counts more than any exit, and an end that was told counts more than any exit', () => {
  const exit = { code: 137, signal: null, stderr: '', cause: null, heard: 'protocol', noise: '' } as const
  const ended = (told: TurnEnd | null, stopped: boolean) => outcomeOf({ told, answer: 'Yes.', stopped, exit }, 0).status
  const failed: TurnEnd = { status: 'failed', failure: { code: 'agent.crashed', message: 'It crashed.' } }
  expect(
    [null, failed, { status: 'completed' }, { status: 'refused' }, { status: 'cancelled' }].map((told) => [
      ended(told as TurnEnd | null, false),
      ended(told as TurnEnd | null, true),
    ]),
  ).toEqual([
    ['failed', 'cancelled'],
    ['failed', 'cancelled'],
    ['completed', 'completed'],
    ['refused', 'refused'],
    ['cancelled', 'cancelled'],
  ])
})
