import { afterAll, describe, expect, test } from 'vitest'
import { failureOfExit } from '../../../adapters/agents/outcome.ts'
import { Tail } from '../../../adapters/lines.ts'
import type { Act } from '../../fakes/tape.ts'
import { linesOf as recordedLines, printedOn, textOf } from '../tapes.ts'
import { dialects, ofType, openActor, openFake, processes, say, secret } from './fake-agent.ts'
import { hearTurn, linesOf, speaker, type PipeDialect } from './streams.ts'

const script = '한글 中文 😀 é'
const turn: Act[] = [
  { act: 'think', text: script },
  { act: 'say', text: `${script} ` },
  { act: 'tool', id: 't', status: 'running' },
  { act: 'tool', id: 't', status: 'done', output: script },
  { act: 'say', text: script },
  { act: 'end', as: 'completed' },
]
const said = `${script} ${script}`
const pipes: readonly PipeDialect[] = ['codex', 'claude']

/** The stream in two pieces, for every place where it can be cut. */
const everyCut = (bytes: Buffer) =>
  Array.from({ length: bytes.length + 1 }, (_, cut) => [bytes.subarray(0, cut), bytes.subarray(cut)])

afterAll(() => processes.endAll())

describe.each(pipes)('what %s prints', (name) => {
  const bytes = Buffer.from(`${linesOf(name, turn).join('\n')}\n`)

  test('is the same wherever it is cut, and no character is lost', async () => {
    const whole = await hearTurn(name, [bytes])
    expect(whole.end).toEqual({ status: 'completed' })
    expect(textOf(whole.events)).toBe(said)
    expect(JSON.stringify(whole)).not.toContain('\ufffd')
    for (const pieces of everyCut(bytes)) expect(await hearTurn(name, pieces)).toEqual(whole)
  })

  test.each([
    ['a byte order mark', '\ufeff'],
    ['a colour', '\u001b[1;31m'],
    ['a window title', '\u001b]0;at work…\u0007'],
    ['progress on the same line', 'loading 10%\rloading 90%\r'],
    ['NUL', '\u0000'],
  ])('is read in spite of %s before each line, wherever it is cut', async (_, junk) => {
    const whole = await hearTurn(name, [bytes])
    const spoiled = Buffer.from(linesOf(name, turn).map((line) => `${junk}${line}\u001b[0m\r\n`).join(''))
    for (const pieces of everyCut(spoiled)) expect(await hearTurn(name, pieces)).toEqual(whole)
  })

  test('is read when it is printed the pretty way between banners, wherever it is cut', async () => {
    const dialect = speaker(name)
    const pretty = turn.flatMap((act) => dialect.tell(act).map((message) => JSON.stringify(message, null, 2)))
    const noisy = ['(node:1) Warning: old', 'Loaded cached credentials.', ...pretty, '{ an update is there }']
    for (const pieces of everyCut(Buffer.from(noisy.join('\n')))) {
      const { events, end } = await hearTurn(name, pieces)
      expect([textOf(events), end]).toEqual([said, { status: 'completed' }])
    }
  })

  test('and never closes its brackets does not swallow what follows', async () => {
    const lines = linesOf(name, turn)
    const { events, end } = await hearTurn(name, [['{', '  "half": [', ...lines, '{', '}', ''].join('\n')])
    expect([textOf(events), end]).toEqual([said, { status: 'completed' }])
    expect(ofType(events, 'omitted')).toHaveLength(1)
  })

  test('and is of a kind that is not known hinders nothing, before, between and after the rest', async () => {
    const lines = linesOf(name, turn)
    const unknown = JSON.stringify({ type: 'zzz_new', method: 'zzz/new', params: {}, x: 1 })
    for (let at = 0; at < lines.length; at += 1) {
      const { events, end } = await hearTurn(name, [lines.toSpliced(at, 0, unknown, unknown).join('\n')])
      expect([textOf(events), end]).toEqual([said, { status: 'completed' }])
      expect(ofType(events, 'omitted')).toHaveLength(1)
    }
  })
})

/** Every copy of a value in which one member, however deep, is left out, is null, or is joined by another. */
const mutants = (value: unknown): unknown[] => {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => mutants(each).map((mutant) => value.toSpliced(index, 1, mutant)))
  }
  if (typeof value !== 'object' || value === null) return []
  const whole = value as Record<string, unknown>
  return Object.keys(whole).flatMap((key) => {
    const { [key]: inner, ...rest } = whole
    return [
      rest,
      { ...whole, [key]: null },
      { ...whole, zzz_new: 1 },
      ...mutants(inner).map((mutant) => ({ ...whole, [key]: mutant })),
    ]
  })
}

const recordings: [PipeDialect, unknown[]][] = [
  [
    'claude',
    ['write-manual', 'partial-think', 'err-429r2-r2']
      .flatMap((name) => recordedLines(`claude/${name}.jsonl`))
      .map((line) => JSON.parse(line.replace(/"session_id":"[^"]*"/, '"session_id":"s"')) as unknown),
  ],
  ['codex', printedOn('codex/session-write.jsonl').filter((each) => kindOf(each) !== '')],
]

test.each(recordings)('fields of %s that are missing, null or new hinder no turn', async (name, recorded) => {
  const end = linesOf(name, [{ act: 'say', text: 'Still here.' }, { act: 'end', as: 'completed' }])
  const kinds = new Map(recorded.map((line) => [kindOf(line), line]))
  let tried = 0
  for (const [kind, line] of kinds) {
    if (kind.startsWith('result') || kind.startsWith('turn/completed')) continue
    for (const mutant of mutants(line)) {
      const { events, end: ended } = await hearTurn(name, [[JSON.stringify(mutant), ...end].join('\n')])
      tried += 1
      expect([ended.status, textOf(events)]).toEqual(['completed', expect.stringContaining('Still here.')])
    }
  }
  expect(tried).toBeGreaterThan(300)
})

function kindOf(line: unknown): string {
  const { type, subtype, method, event, params } = line as Record<string, unknown>
  const inner = (event as { type?: string } | undefined)?.type ?? (params as { item?: { type?: string } })?.item?.type
  return [type, subtype, method, inner].filter(Boolean).join(' ')
}

test('an end that cannot be read ends the turn all the same', async () => {
  for (const [name, line] of [
    ['claude', { type: 'result' }],
    ['codex', { method: 'turn/completed', params: { threadId: 'thread-1' } }],
  ] as const) {
    const { end } = await hearTurn(name, [JSON.stringify(line)])
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'agent.garbled' } })
  }
  const bare = await hearTurn('claude', ['{"type":"result","subtype":"success"}'])
  expect(bare.end).toEqual({ status: 'completed' })
})

test('what is complained of is the same wherever it is cut', () => {
  const bytes = Buffer.from(`\u001b[31m${script}\u001b[0m: it broke\n`)
  for (const [first, second] of everyCut(bytes)) {
    const tail = new Tail(1_000)
    tail.push(first ?? bytes)
    tail.push(second ?? bytes)
    const failure = failureOfExit(
      { code: 1, signal: null, stderr: tail.text(), cause: null, heard: 'protocol', noise: '' },
      0,
    )
    expect(failure.params?.['said']).toContain(script)
    expect(JSON.stringify(failure)).not.toContain('\ufffd')
  }
})

describe.concurrent.each(dialects)('a real process that speaks %s', (dialect) => {
  test('and prints byte by byte is heard whole, on stdout and on stderr', async () => {
    const told = dialect === 'acp' ? [] : linesOf(dialect, [{ act: 'say', text: script }]).map((line) => `${line}\n`)
    const session = await openActor(dialect, [
      [
        ...(dialect === 'acp' ? [{ act: 'say', text: script } as const] : []),
        ...told.map((text) => ({ do: 'print', text, every: 1 }) as const),
        { do: 'print', text: `${script}: no more\n`, to: 'stderr', every: 1 },
        { do: 'exit', code: 4 },
      ],
    ])
    const { end, text } = await say(session)
    expect(text).toBe(script)
    expect(end).toMatchObject({ status: 'failed', failure: { params: { said: `${script}: no more`, code: 4 } } })
  })

  test('and prints a line of eight megabytes goes on and completes', async () => {
    const eight = 8 * 1_024 * 1_024
    const session = await openActor(dialect, [
      [
        { do: 'print', text: '{"jsonrpc":"2.0","method":"x","image":"' },
        { do: 'flood', text: 'QUJD'.repeat(16_384), times: eight / 65_536 },
        { do: 'print', text: '"}\n' },
        { act: 'say', text: 'Seen.' },
        { act: 'end', as: 'completed' },
      ],
    ])
    const { end, events, text } = await say(session)
    expect([end, text]).toEqual([{ status: 'completed' }, 'Seen.'])
    const [omitted] = ofType(events, 'omitted')
    expect(omitted?.bytes).toBeGreaterThanOrEqual(eight)
    expect(omitted?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  test('and prints 200,000 small lines loses none of them', async () => {
    const line = dialect === 'acp' ? '' : `${linesOf(dialect, [{ act: 'say', text: 'x' }]).join('\n')}\n`
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }
    const params = { sessionId: 's1', update }
    const acpLine = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`
    const session = await openActor(dialect, [
      [
        { do: 'flood', text: (line || acpLine).repeat(200), times: 1_000 },
        { act: 'end', as: 'completed' },
      ],
    ])
    const { end, text } = await say(session)
    expect([end, text.length]).toEqual([{ status: 'completed' }, 200_000])
  }, 60_000)
})

describe.concurrent.each(pipes)('the last words of %s', (name) => {
  test('are heard though a child of it prints them after its exit, and without a line end', async () => {
    const [words = '', end = ''] = linesOf(name, [{ act: 'say', text: 'Late.' }, { act: 'end', as: 'completed' }])
    const session = await openActor(name, [
      [
        { do: 'spawn', how: 'child', tape: [{ do: 'wait', ms: 300 }, { do: 'print', text: `${words}\n${end}` }] },
        { do: 'exit', code: 0 },
      ],
    ])
    expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: 'Late.' })
  })
})

test('what is printed instead of a protocol is shown without its secrets', async () => {
  const head = `Warning: deprecated\n{\n  "token": "${secret}"\n`
  const opening = openFake('codex', [
    { do: 'print', text: head },
    { do: 'exit', code: 0 },
  ])
  await expect(opening).rejects.toMatchObject({
    code: 'agent.garbled',
    params: { said: 'Warning: deprecated\n{\n"token": "[secret]"' },
  })
})
