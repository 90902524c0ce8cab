import { LineReader } from '../../adapters/lines.ts'
import type { ProcessEnd } from '../../adapters/ports.ts'
import type { LiveProcess } from '../../adapters/process.ts'
import { CodexSession } from '../../adapters/agents/codex/session.ts'
import { median, type Figure } from './figure.ts'

const lines = 50_000
const repeats = 5
const chunkBytes = 65_536

/** What an agent prints, from bytes to events that may be kept: cut into lines, decoded, read, redacted. */
export const measureStream = async (): Promise<Figure[]> => {
  const bytes = Buffer.from(printed())
  const rates: number[] = []
  for (let repeat = 0; repeat <= repeats; repeat += 1) rates.push(await eventsPerSecond(bytes))
  // the first is for the compiler to warm up
  return [
    {
      what: '50,000 lines of codex to clean events',
      value: median(rates.slice(1)),
      unit: 'events/s',
      budget: { atLeast: 100_000 },
    },
  ]
}

const eventsPerSecond = async (bytes: Buffer): Promise<number> => {
  const session = new CodexSession(request, { secrets: ['sk-bench-0123456789abcdef'], home: '/home/someone' })
  await session.open(talkativeServer(session))
  let heard = 0
  const turn = session.prompt({ prompt: 'Go.' }, () => { heard += 1 })
  const reader = new LineReader(session.lines)
  const before = performance.now()
  for (let from = 0; from < bytes.length; from += chunkBytes) reader.push(bytes.subarray(from, from + chunkBytes))
  const seconds = (performance.now() - before) / 1_000
  const { status } = await turn
  if (status !== 'completed' || heard < lines / 2)
    throw new Error(`Only ${heard} events were heard, and the turn ended ${status}.`)
  return lines / seconds
}

const threadId = '01a22d35-e4a0-78e3-9df0-d63cdc790884'
const turnId = '01a22d35-e4f4-72e0-9a65-a29aee5ef931'

const request = {
  program: { file: 'codex', before: [], version: '1' },
  agent: 'codex',
  cwd: '/workspace',
  allowWrite: false,
  resume: null,
  scope: 'chat',
  token: 'bench',
  env: {},
} as const

/** Answers requests as the server does; everything else comes from the tape. */
const talkativeServer = (session: CodexSession): LiveProcess => {
  const never = new Promise<ProcessEnd>(() => {})
  const answers: Record<string, unknown> = {
    initialize: { userAgent: 'codex' },
    'thread/start': { thread: { id: threadId } },
    'turn/start': { turn: { id: turnId } },
  }
  return {
    pid: 1,
    startedAt: 0,
    cause: null,
    isEnding: false,
    drained: never,
    gone: never,
    renewAllowance: () => undefined,
    writeLast: () => undefined,
    end: () => never,
    kill: () => undefined,
    write(line) {
      const { id, method } = JSON.parse(line) as { id?: number; method: string }
      if (id !== undefined) queueMicrotask(() => session.lines.line(JSON.stringify({ id, result: answers[method] })))
      return true
    },
  }
}

/** Mostly text, with reasoning, tools and usage between; now and then something that must be hidden. */
const printed = (): string => {
  const said: string[] = []
  while (said.length < lines - 1) said.push(JSON.stringify(message(said.length)))
  return [
    ...said,
    JSON.stringify(news('turn/completed', { turn: { id: turnId, status: 'completed', error: null } })),
    '',
  ].join('\n')
}

const message = (index: number) => {
  if (index % 50 === 7) return news('item/started', { item: command(index, 'inProgress', null) })
  if (index % 50 === 8)
    return news('item/completed', { item: command(index - 1, 'completed', 'ok 1 - reads /home/someone/notes\nok 2') })
  if (index % 100 === 9)
    return news('thread/tokenUsage/updated', { tokenUsage: { total: tokens(index), last: tokens(1) } })
  if (index % 10 === 3)
    return news('item/reasoning/summaryTextDelta', { itemId: 'reasoning', summaryIndex: 0, delta: ' weighing' })
  if (index % 1_000 === 500)
    return news('item/agentMessage/delta', { itemId: 'message', delta: ' the key sk-bench-0123456789abcdef,' })
  return news('item/agentMessage/delta', { itemId: 'message', delta: ` word${index}` })
}

const news = (method: string, params: object) => ({
  method, params: { threadId, turnId, ...params }, emittedAtMs: 1_796_054_836_496,
})

const command = (index: number, status: string, output: string | null) => ({
  type: 'commandExecution', id: `call_${index}`, command: `npm test -- --part ${index}`, status, commandActions: [],
  aggregatedOutput: output, exitCode: output === null ? null : 0,
})

const tokens = (count: number) => ({
  totalTokens: count, inputTokens: count, cachedInputTokens: 0, outputTokens: count, reasoningOutputTokens: 0,
})
