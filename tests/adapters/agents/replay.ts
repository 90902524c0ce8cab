import { ClaudeSession } from '../../../adapters/agents/claude/session.ts'
import { CodexSession } from '../../../adapters/agents/codex/session.ts'
import { LineReader, type LineHearer } from '../../../adapters/lines.ts'
import type { AgentSession, ProcessEnd, TurnEnd } from '../../../adapters/ports.ts'
import type { LiveProcess } from '../../../adapters/live-process.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'

/** How the bytes of a recording arrive: all at once, a line at a time, or one by one. */
export type Cutting = 'whole' | 'by line' | 'by byte'

export interface Replayed {
  events: AgentEvent[]
  end: TurnEnd
}

/** What happened while something was recorded: what the client did, and what the agent printed. */
export type Scene =
  | { does: 'prompt' | 'cancel'; turnId?: string }
  | { does: 'answer'; effect: 'grant' | 'deny' }
  | { prints: string | Buffer }
  | { exits: { code: number | null; signal: string | null; stderr: string } }

interface Stage {
  session: AgentSession & { lines: LineHearer; open(process: LiveProcess): Promise<void> }
  /** Answers what the session itself asks of the agent. */
  reply(line: string, scene: Scene | null): string | null
}

/** Plays scenes to a session as its process would, without one, and tells what each turn came to. */
export const replay = async (stage: Stage, scenes: readonly Scene[], cutting: Cutting): Promise<Replayed[]> => {
  const { session } = stage
  const reader = new LineReader(session.lines)
  const drained = Promise.withResolvers<{ code: number | null; signal: string | null; stderr: string }>()
  let scene: Scene | null = null
  const process: LiveProcess = {
    pid: 1,
    startedAt: 0,
    cause: null,
    isEnding: false,
    drained: drained.promise,
    gone: new Promise<ProcessEnd>(() => {}),
    renewAllowance: () => undefined,
    writeLast: () => undefined,
    end: () => new Promise(() => {}),
    kill: () => undefined,
    write(line) {
      const reply = stage.reply(line, scene)
      if (reply !== null) queueMicrotask(() => session.lines.line(reply))
      return true
    },
  }
  await session.open(process)
  const turns: (Omit<Replayed, 'end'> & { end: Promise<TurnEnd> })[] = []
  const asked: string[] = []
  for (scene of scenes) {
    await settled()
    if ('prints' in scene) feed(reader, scene.prints, cutting)
    else if ('exits' in scene) {
      reader.end()
      drained.resolve(scene.exits)
    } else if (scene.does === 'cancel') void session.cancel()
    else if (scene.does === 'answer') session.answer(asked.shift() ?? '', { effect: scene.effect, note: null })
    else {
      const events: AgentEvent[] = []
      const hear = (event: AgentEvent) => {
        events.push(event)
        if (event.type === 'asked') asked.push(event.request.requestId)
      }
      turns.push({ events, end: session.prompt({ prompt: 'Go.' }, hear) })
    }
  }
  return Promise.all(turns.map(async ({ events, end }) => ({ events: joined(events), end: await end })))
}

export const claudeStage = (sessionId: string, allowWrite: boolean): Stage => ({
  session: new ClaudeSession({ ...request, agent: 'claude', allowWrite }, sessionId, hidden),
  reply(line) {
    const { type, request_id: id } = JSON.parse(line) as { type: string; request_id?: string }
    if (type !== 'control_request') return null
    return JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id, response: {} } })
  },
})

export const codexStage = (threadId: string, allowWrite: boolean): Stage => ({
  session: new CodexSession({ ...request, agent: 'codex', allowWrite }, hidden),
  reply(line, scene) {
    const { id, method } = JSON.parse(line) as { id?: number; method?: string }
    if (id === undefined || method === undefined) return null
    const turnId = scene && 'does' in scene && scene.does === 'prompt' ? scene.turnId : undefined
    const results: Record<string, object> = {
      initialize: { userAgent: 'recorded' },
      'thread/start': { thread: { id: threadId } },
      'turn/start': { turn: { id: turnId ?? 'turn' } },
    }
    return JSON.stringify({ id, result: results[method] ?? {} })
  },
})

const request = {
  program: { file: 'recorded', before: [], version: '1' },
  cwd: '/workspace',
  resume: null,
  scope: 'chat',
  token: 'replay',
  env: {},
} as const
const hidden = { secrets: [], home: '/home/user' }

const feed = (reader: LineReader, printed: string | Buffer, cutting: Cutting) => {
  const bytes = typeof printed === 'string' ? Buffer.from(printed) : printed
  if (cutting === 'whole') return reader.push(bytes)
  for (let from = 0; from < bytes.length;) {
    const to = cutting === 'by byte' ? from + 1 : bytes.indexOf('\n', from) + 1 || bytes.length
    reader.push(bytes.subarray(from, to))
    from = to
  }
}

/** What follows a line can depend on answers to it, which take a few steps of the loop. */
const settled = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve)
  })

/** How a text was cut into deltas is no part of what was said. */
const joined = (events: readonly AgentEvent[]): AgentEvent[] => {
  const whole: AgentEvent[] = []
  for (const event of events) {
    const last = whole.at(-1)
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type)
      whole[whole.length - 1] = { type: event.type, delta: last.delta + event.delta }
    else whole.push(event)
  }
  return whole
}
