import { CodexSession } from '../../adapters/agents/codex/session.ts'
import { benchHidden, idleProcess, type Talker } from './talker.ts'

/** Codex as it talks by `app-server`. */
export const codexTalker: Talker = {
  name: 'codex',
  async open(hear) {
    const session = new CodexSession(request, benchHidden)
    await session.open(talkativeServer(session))
    return { lines: session.lines, turn: session.prompt({ prompt: 'Go.' }, hear) }
  },
  message: (index) => message(index),
  last: () => news('turn/completed', { turn: { id: turnId, status: 'completed', error: null } }),
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
const talkativeServer = (session: CodexSession) => {
  const answers: Record<string, unknown> = {
    initialize: { userAgent: 'codex' },
    'thread/start': { thread: { id: threadId } },
    'turn/start': { turn: { id: turnId } },
  }
  return idleProcess((line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method: string }
    if (id !== undefined) queueMicrotask(() => session.lines.line(JSON.stringify({ id, result: answers[method] })))
  })
}

/** Mostly text, with reasoning, tools and usage between; now and then something that must be hidden. */
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
