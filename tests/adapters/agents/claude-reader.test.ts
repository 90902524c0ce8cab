import { describe, expect, test } from 'vitest'
import { argvFor } from '../../../adapters/agents/claude.ts'
import { ClaudeReader } from '../../../adapters/agents/claude/read-turn.ts'
import { describeQuestion, describeTool } from '../../../adapters/agents/claude/read-tool.ts'
import type { Heard } from '../../../adapters/agents/live-turn.ts'
import { readJson } from '../../../adapters/lines.ts'
import { linesOf, printedOn, textOf } from '../tapes.ts'

const isLine = (line: unknown): line is { session_id?: string; type?: string } =>
  typeof line === 'object' && line !== null

/** What a reader makes of each turn of these lines; a turn ends with its result. */
const turnsOf = (lines: readonly unknown[]): Heard[][] => {
  const known = lines.filter(isLine)
  const reader = new ClaudeReader(known.find((line) => line.session_id)?.session_id ?? '', '/workspace')
  const turns: Heard[][] = [[]]
  reader.beginTurn()
  for (const line of known) {
    turns.at(-1)?.push(...reader.read(line))
    if (line.type !== 'result') continue
    reader.beginTurn()
    turns.push([])
  }
  return turns.slice(0, -1)
}

const oneTurn = (tape: string) => turnsOf(linesOf(`claude/${tape}.jsonl`).map(readJson))[0] ?? []
const only = <Type extends Heard['type']>(events: readonly Heard[], type: Type) =>
  events.filter((event): event is Extract<Heard, { type: Type }> => event.type === type)

describe('the recorded conversation', () => {
  const turns = turnsOf(printedOn('claude/stream-json-control.jsonl'))

  test('has turns that end as they did', () => {
    expect(turns.map((turn) => only(turn, 'turnEnded')[0]?.end.status)).toEqual([
      'completed',
      'completed',
      'completed',
      'failed',
      'completed',
      'failed',
      'completed',
      'completed',
    ])
  })

  test('says what was said', () => {
    expect(turns.map(textOf)).toEqual([
      'Hello.',
      'Wrote it.',
      'Denied.',
      '',
      'ok',
      '',
      'mock: done after 1 tool results',
      'Wrote it.',
    ])
  })

  test('shows tools from their beginning to their end', () => {
    expect(
      turns.map((turn) => only(turn, 'tool').map(({ tool }) => `${tool.kind} ${tool.title}: ${tool.status}`)),
    ).toEqual([
      [],
      ['edit Edit allowed.txt: running', 'edit Edit allowed.txt: done'],
      ['execute Run touch: running', 'execute Run touch: denied'],
      ['execute Run touch: running', 'execute Run touch: failed'],
      [],
      ['execute Run tail: running', 'execute Run tail: failed'],
      [],
      ['edit Edit auto.txt: running', 'edit Edit auto.txt: done'],
    ])
  })

  test('counts what each turn used and cost, not the whole session', () => {
    expect(
      turns.map((turn) => only(turn, 'usage').at(-1)?.usage).map((usage) => [usage?.inputTokens, usage?.outputTokens]),
    ).toEqual([
      [1_200, 34],
      [2_400, 68],
      [2_400, 68],
      [1_200, 34],
      [1_200, 34],
      [1_200, 34],
      [0, 0],
      [2_400, 68],
    ])
    expect(only(turns[1] ?? [], 'usage').at(-1)?.usage.costUsd).toBeCloseTo(0.01096)
  })

  test('holds nothing that is unknown', () => {
    expect(turns.flatMap((turn) => only(turn, 'omitted'))).toEqual([])
  })
})

test('text and thinking arrive in pieces and are not said twice', () => {
  const turn = oneTurn('partial-think')
  expect(only(turn, 'text').map(({ delta }) => delta)).toEqual(['Hello after thinking', '.'])
  expect(only(turn, 'reasoning').map(({ delta }) => delta)).toEqual(['I should greet the u', 'ser.'])
})

test('without pieces the whole text counts', () => {
  const turn = oneTurn('text')
  expect(textOf(turn)).not.toBe('')
  expect(only(turn, 'turnEnded')).toEqual([{ type: 'turnEnded', end: { status: 'completed' } }])
})

test.each([
  ['err-401-r2', 'agent.unauthorized', 2],
  ['err-403', 'agent.forbidden', 0],
  ['err-429r2-r2', 'agent.rate-limited', 2],
  ['err-500-r2', 'agent.provider-failed', 2],
  ['err-refused', 'agent.unreachable', 10],
  ['err-hang-apitimeout', 'agent.unreachable', 1],
])('%s is %s, though it calls itself a success, and its prose is no answer', (tape, code, notices) => {
  const turn = oneTurn(tape)
  expect(only(turn, 'turnEnded')).toMatchObject([{ end: { status: 'failed', failure: { code } } }])
  expect(only(turn, 'retrying')).toHaveLength(notices)
  expect(textOf(turn)).toBe('')
})

test('a notice of another try says how long the wait is', () => {
  expect(only(oneTurn('err-429r2-r2'), 'retrying')[0]).toMatchObject({
    attempt: 1,
    max: 2,
    delayMs: 2_199,
    failure: { code: 'agent.rate-limited' },
  })
})

test('an unknown session is lost', () => {
  expect(only(oneTurn('resume-unknown'), 'turnEnded')).toMatchObject([
    { end: { status: 'failed', failure: { code: 'agent.session-lost' } } },
  ])
})

test('another session than the one asked for is a lost one', () => {
  const reader = new ClaudeReader('asked-for', '/workspace')
  reader.beginTurn()
  const heard = reader.read({ type: 'system', subtype: 'init', session_id: 'another' })
  expect(heard).toMatchObject([
    { type: 'turnEnded', end: { status: 'failed', failure: { code: 'agent.session-lost' } } },
  ])
})

test('what ends because we interrupted it was cancelled', () => {
  const lines = linesOf('claude/cancel-tool-INT.jsonl').map(readJson).filter(isLine)
  const reader = new ClaudeReader(lines[0]?.session_id ?? '', '/workspace')
  reader.beginTurn()
  reader.noteInterrupt()
  const heard = lines.flatMap((line) => reader.read(line))
  expect(only(heard, 'turnEnded')).toEqual([{ type: 'turnEnded', end: { status: 'cancelled' } }])
  expect(only(heard, 'tool').at(-1)?.tool.status).toBe('cancelled')
})

test.each(['write-readtools', 'write-manual'])('what was refused in %s is a denial', (tape) => {
  const refused = only(oneTurn(tape), 'tool').filter(({ tool }) => tool.status === 'denied')
  expect(refused.map(({ tool }) => tool.kind)).toContain('edit')
})

test('what was cut off is taken back before it is said again', () => {
  const reader = new ClaudeReader('s', '/workspace')
  reader.beginTurn()
  const say = (id: string, text: string) => [
    { type: 'stream_event', parent_tool_use_id: null, event: { type: 'message_start', message: { id } } },
    {
      type: 'stream_event',
      parent_tool_use_id: null,
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    },
  ]
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status: null,
    error: 'unknown',
  }
  const heard = [...say('m1', 'Half a sen'), retry, ...say('m2', 'Half a sentence.')].flatMap((line) =>
    reader.read(line),
  )
  expect(textOf(heard)).toBe('Half a sentence.')
})

test('a helper says nothing, but its tools are shown', () => {
  const reader = new ClaudeReader('s', '/workspace')
  reader.beginTurn()
  const heard = [
    {
      type: 'stream_event',
      parent_tool_use_id: 'toolu_1',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'psst' } },
    },
    {
      type: 'assistant',
      parent_tool_use_id: 'toolu_1',
      message: {
        id: 'm',
        content: [
          { type: 'text', text: 'psst' },
          { type: 'tool_use', id: 't', name: 'Read', input: { file_path: '/workspace/a.txt' } },
        ],
      },
    },
  ].flatMap((line) => reader.read(line))
  expect(heard).toEqual([
    { type: 'tool', tool: { toolId: 't', kind: 'read', title: 'Read a.txt', status: 'running', detail: null } },
  ])
})

test('a final text that differs from what was streamed replaces it', () => {
  const lines = linesOf('claude/partial-think.jsonl')
    .map(readJson)
    .filter(isLine)
    .map((line) => (line.type === 'result' ? { ...line, result: 'Quite another text.' } : line))
  expect(textOf(turnsOf(lines)[0] ?? [])).toBe('Quite another text.')
})

test('lines of a kind that is not known are named once a turn and hinder nothing', () => {
  const lines = linesOf('claude/partial-think.jsonl')
    .map(readJson)
    .flatMap((line) => [{ type: 'zzz_new', x: 1 }, line, {}, { type: 'system', subtype: 'zzz' }])
  const [turn = []] = turnsOf(lines)
  expect(only(turn, 'omitted').map(({ what }) => what)).toEqual(['claude: zzz_new', 'claude: a line without a type'])
  expect(textOf(turn)).toBe('Hello after thinking.')
})

test('fields that are missing, null or of another kind are survived', () => {
  const types = ['stream_event', 'assistant', 'user', 'system', 'result', 'control_request', 'keep_alive']
  const odd = [
    {},
    { event: null },
    { event: { type: 'content_block_delta' } },
    { message: null },
    { message: { content: 'x' } },
    { message: { id: 'm', content: [null] } },
    { subtype: 'init' },
    { subtype: 'api_retry' },
  ]
  for (const type of types) {
    for (const fields of odd) {
      const reader = new ClaudeReader('s', '/workspace')
      reader.beginTurn()
      expect(() => reader.read({ type, ...fields })).not.toThrow()
    }
  }
})

test('the arguments never hold the prompt, and a read-only session has no tool that writes', () => {
  const readOnly = argvFor({ allowWrite: false, resume: null }, 'an-id')
  expect(readOnly).toEqual(
    expect.arrayContaining([
      '--tools',
      'Read,Grep,Glob',
      '--permission-mode',
      'dontAsk',
      '--strict-mcp-config',
      '--session-id',
      'an-id',
    ]),
  )
  const writing = argvFor({ allowWrite: true, resume: 'an-id' }, 'an-id')
  expect(writing).toEqual(expect.arrayContaining(['--permission-prompt-tool', 'stdio', '--resume', 'an-id']))
  expect(writing).not.toContain('--tools')
})

test.each([
  ['Bash', { command: 'FOO=1 npm test && git push' }, 'execute', 'Run npm, git'],
  ['Write', { file_path: '/workspace/a/b.txt' }, 'edit', 'Edit a/b.txt'],
  ['Grep', { pattern: 'TODO' }, 'search', 'Search for TODO'],
  ['WebFetch', { url: 'https://example.org/x?y' }, 'fetch', 'Fetch example.org'],
  ['mcp__notes__add', {}, 'other', 'notes: add'],
  ['Zzz', {}, 'other', 'Zzz'],
])('%s is told as a few words', (name, input, kind, title) => {
  expect(describeTool(name, input, '/workspace')).toEqual({ kind, title })
})

test('a question says what exactly would be done', () => {
  expect(
    describeQuestion(
      { tool_name: 'Bash', input: { command: 'rm -r build' }, description: 'Clean', tool_use_id: 't' },
      '/workspace',
    ),
  ).toEqual({ toolId: 't', kind: 'execute', title: 'run a command', detail: 'rm -r build', reason: 'Clean' })
  expect(
    describeQuestion(
      { tool_name: 'Edit', input: { file_path: '/workspace/a.txt', old_string: 'one', new_string: 'two\nthree' } },
      '/workspace',
    ).detail,
  ).toBe('a.txt\n-one\n+two\n+three')
})
