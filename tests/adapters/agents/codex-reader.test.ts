import { describe, expect, test } from 'vitest'
import { readFailure, readRetry } from '../../../adapters/agents/codex/read-failure.ts'
import { unwrapCommand } from '../../../adapters/agents/codex/read-item.ts'
import { CodexReader } from '../../../adapters/agents/codex/read-turn.ts'
import type { Heard } from '../../../adapters/agents/live-turn.ts'
import { linesOf, printedOn, textOf } from '../tapes.ts'

interface Notification {
  method: string
  params: { threadId?: string; turnId?: string; turn?: { id: string } }
}

const notificationsOn = (tape: string) =>
  printedOn(tape).filter(
    (message): message is Notification =>
      typeof message === 'object' && message !== null && 'method' in message && !('id' in message),
  )

/** What a reader makes of each turn of a tape. */
const turnsOn = (tape: string, allowWrite = true): Heard[][] => {
  const notifications = notificationsOn(tape)
  const threadId = notifications.find(({ params }) => params.threadId)?.params.threadId ?? ''
  const reader = new CodexReader(threadId, { cwd: '/workspace', allowWrite })
  const turns: Heard[][] = []
  for (const { method, params } of notifications) {
    if (method === 'turn/started') {
      reader.beginTurn()
      turns.push([])
    }
    turns.at(-1)?.push(...reader.read(method, params))
  }
  return turns
}

const only = <Type extends Heard['type']>(events: readonly Heard[], type: Type) =>
  events.filter((event): event is Extract<Heard, { type: Type }> => event.type === type)

describe('the recorded conversation', () => {
  const turns = turnsOn('codex/app-server.jsonl')

  test('has turns that end as they did', () => {
    expect(turns.map((turn) => only(turn, 'turnEnded')[0]?.end.status)).toEqual([
      'completed',
      'completed',
      'completed',
      'cancelled',
      'completed',
      'cancelled',
      'cancelled',
    ])
  })

  test('says what was said, whole, in order', () => {
    expect(turns.map(textOf)).toEqual([
      'Hello from the app-server.',
      'I will run it.\n\nIt ran.',
      'It was declined.',
      '',
      'Patched.',
      '',
      '',
    ])
    expect(
      only(turns[0] ?? [], 'reasoning')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('**Greeting**\n\nthinking about it')
  })

  test('shows tools from their beginning to their end', () => {
    expect(
      turns.map((turn) => only(turn, 'tool').map(({ tool }) => `${tool.kind} ${tool.title}: ${tool.status}`)),
    ).toEqual([
      [],
      ['execute Run touch, ls: running', 'execute Run touch, ls: done'],
      ['execute Run touch: running', 'execute Run touch: denied'],
      ['execute Run touch: running', 'execute Run touch: denied'],
      ['edit Edit notes.txt: running', 'edit Edit notes.txt: done'],
      ['execute Run sleep, echo: running'],
      [],
    ])
  })

  test('counts what each turn used, though codex counts the whole thread', () => {
    expect(turns.map((turn) => only(turn, 'usage').at(-1)?.usage.inputTokens)).toEqual([
      1_200, 2_400, 2_400, 1_200, 2_400, 1_200, 0,
    ])
  })

  test('holds nothing that is unknown', () => {
    expect(turns.flatMap((turn) => only(turn, 'omitted'))).toEqual([])
  })
})

test.each([
  ['with', true],
  ['without', false],
])('a thread that is resumed, %s a repetition of its last count, counts only its new turn', (_, isRepeated) => {
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: true })
  const counts = (input: number) => ({
    inputTokens: input,
    cachedInputTokens: 0,
    outputTokens: 1,
    reasoningOutputTokens: 0,
  })
  const used = (turnId: string, total: number, last: number) =>
    reader.read('thread/tokenUsage/updated', {
      threadId: 't',
      turnId,
      tokenUsage: { total: counts(total), last: counts(last) },
    })
  reader.beginTurn()
  expect(isRepeated ? used('before', 4_300, 4_300) : []).toEqual([])
  reader.read('turn/started', { threadId: 't', turn: { id: 'now', status: 'inProgress' } })
  expect(used('now', 5_000, 700)).toMatchObject([{ type: 'usage', usage: { inputTokens: 700 } }])
  expect(used('now', 5_400, 400)).toMatchObject([{ type: 'usage', usage: { inputTokens: 1_100 } }])
})

test('what was cut off is taken back before it is said again', () => {
  const [turn = []] = turnsOn('codex/session-cut.jsonl')
  expect(only(turn, 'retrying').map(({ attempt, max, failure }) => [attempt, max, failure.code])).toEqual(
    [1, 2, 3, 4, 5].map((attempt) => [attempt, 5, 'agent.provider-failed']),
  )
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: true })
  const say = (itemId: string, delta: string) =>
    reader.read('item/agentMessage/delta', { threadId: 't', itemId, delta })
  const cut = { threadId: 't', willRetry: true, error: { message: 'Reconnecting... 1/5', codexErrorInfo: null } }
  expect(textOf([...say('a', 'Half a sen'), ...reader.read('error', cut), ...say('b', 'Half a sentence.')])).toBe(
    'Half a sentence.',
  )
})

test('the text that codex settles on replaces what it streamed', () => {
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: true })
  const heard = [
    ...reader.read('item/agentMessage/delta', { threadId: 't', itemId: 'a', delta: 'One.' }),
    ...reader.read('item/completed', { threadId: 't', item: { type: 'agentMessage', id: 'a', text: 'One.' } }),
    ...reader.read('item/agentMessage/delta', { threadId: 't', itemId: 'b', delta: 'Twoo' }),
    ...reader.read('item/completed', { threadId: 't', item: { type: 'agentMessage', id: 'b', text: 'Two.' } }),
  ]
  expect(textOf(heard)).toBe('One.\n\nTwo.')
  expect(only(heard, 'textReplaced')).toEqual([{ type: 'textReplaced', text: 'One.\n\nTwo.' }])
})

test('a helper in another thread says nothing', () => {
  const reader = new CodexReader('root', { cwd: '/w', allowWrite: true })
  expect(reader.read('item/agentMessage/delta', { threadId: 'helper', itemId: 'a', delta: 'psst' })).toEqual([])
})

test('a plan is shown as it stands', () => {
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: true })
  expect(
    reader.read('turn/plan/updated', {
      threadId: 't',
      turnId: 'x',
      explanation: null,
      plan: [
        { step: 'Read', status: 'completed' },
        { step: 'Write', status: 'inProgress' },
        { step: 'Test', status: 'pending' },
      ],
    }),
  ).toEqual([
    {
      type: 'plan',
      entries: [
        { title: 'Read', status: 'done' },
        { title: 'Write', status: 'inProgress' },
        { title: 'Test', status: 'pending' },
      ],
    },
  ])
})

test('news of a kind that is not known is named once a turn and hinders nothing', () => {
  const notifications = notificationsOn('codex/session-write.jsonl')
  const threadId = notifications.find(({ params }) => params.threadId)?.params.threadId ?? ''
  const reader = new CodexReader(threadId, { cwd: '/workspace', allowWrite: true })
  const heard = notifications.flatMap(({ method, params }) => [
    ...reader.read('zzz/new', { threadId, x: 1 }, 20),
    ...reader.read(method, params),
    ...reader.read('item/started', { threadId, item: { type: 'zzz', id: 'z' } }),
  ])
  expect(only(heard, 'omitted').map(({ what }) => what)).toEqual(['codex: zzz/new', 'codex: item zzz'])
  expect(textOf(heard)).toBe('I will run it now.\n\nWriting.\n\nAll done.')
  expect(only(heard, 'turnEnded')).toHaveLength(1)
})

test('fields that are missing, null or of another kind are survived', () => {
  const methods = [...new Set(notificationsOn('codex/app-server.jsonl').map(({ method }) => method))]
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: true })
  for (const method of methods) {
    for (const params of [
      undefined,
      null,
      'x',
      1,
      [],
      {},
      { threadId: 't' },
      { threadId: 't', item: null },
      { threadId: 't', item: { type: 'commandExecution' } },
      { threadId: 't', turn: {} },
    ]) {
      expect(() => reader.read(method, params)).not.toThrow()
    }
  }
})

test('in read-only mode a refusal by the sandbox is a denial', () => {
  const reader = new CodexReader('t', { cwd: '/w', allowWrite: false })
  const item = {
    type: 'commandExecution',
    id: 'c',
    command: `/bin/bash -lc 'touch x; ls'`,
    status: 'completed',
    exitCode: 0,
    commandActions: [{ type: 'unknown', command: 'touch x; ls' }],
    aggregatedOutput: `touch: cannot touch 'x': Read-only file system\n`,
  }
  expect(reader.read('item/completed', { threadId: 't', item })).toMatchObject([
    { type: 'tool', tool: { status: 'denied', title: 'Run touch, ls' } },
  ])
})

describe('failures', () => {
  const lastErrorOn = (tape: string) => {
    const [message = ''] = linesOf(tape)
      .map((line) => JSON.parse(line) as { type: string; message?: string; error?: { message: string } })
      .flatMap(({ message: transient, error }) => error?.message ?? transient ?? [])
      .toReversed()
    return message
  }

  test.each([
    ['codex/exec-err-401.jsonl', 'agent.unauthorized'],
    ['codex/exec-err-403.jsonl', 'agent.forbidden'],
    ['codex/exec-err-429.jsonl', 'agent.rate-limited'],
    ['codex/exec-err-500.jsonl', 'agent.provider-failed'],
    ['codex/exec-err-refused.jsonl', 'agent.unreachable'],
    ['codex/exec-err-hang.jsonl', 'agent.provider-failed'],
  ])('the sentence of %s is %s', (tape, code) => {
    expect(readFailure({ message: lastErrorOn(tape) }).code).toBe(code)
  })

  test.each([
    [{ responseStreamDisconnected: { httpStatusCode: 401 } }, 'agent.unauthorized'],
    [{ httpConnectionFailed: { httpStatusCode: null } }, 'agent.unreachable'],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 503 } }, 'agent.provider-failed'],
    [{ responseStreamConnectionFailed: { httpStatusCode: 400 } }, 'agent.refused'],
    ['unauthorized', 'agent.unauthorized'],
    ['usageLimitExceeded', 'agent.rate-limited'],
    ['serverOverloaded', 'agent.provider-failed'],
    ['contextWindowExceeded', 'agent.refused'],
    ['badRequest', 'agent.refused'],
    ['tooManyDenials', 'agent.denied'],
  ] as const)('the kind %j is %s', (codexErrorInfo, code) => {
    expect(readFailure({ message: 'Something.', codexErrorInfo }).code).toBe(code)
  })

  test('the server’s own wait is kept where its sentence says it', () => {
    expect(
      readFailure({ message: 'Rate limit reached. Please try again in 1.5s.', codexErrorInfo: 'rateLimitExceeded' }),
    ).toMatchObject({ code: 'agent.rate-limited', retryAfterMs: 1_500 })
  })

  test('a notice of another try says which, and of how many', () => {
    expect([readRetry('Reconnecting... 2/5'), readRetry('Reconnecting... waiting for network')]).toEqual([
      { attempt: 2, max: 5 },
      { attempt: 1, max: null },
    ])
  })
})

test.each([
  [`/bin/bash -lc 'touch a && ls'`, 'touch a && ls'],
  [`bash -lc "echo hi"`, 'echo hi'],
  ['ls -la', 'ls -la'],
  [`/usr/bin/zsh -lc 'echo '\\''x'\\'''`, `echo 'x'`],
])('%s is shown as %s', (command, shown) => {
  expect(unwrapCommand(command)).toBe(shown)
})
