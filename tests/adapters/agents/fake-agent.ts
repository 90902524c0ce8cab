import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claudeAdapter } from '../../../adapters/agents/claude.ts'
import { codexAdapter } from '../../../adapters/agents/codex.ts'
import type { AgentSession, Answer, TurnEnd, TurnImage } from '../../../adapters/ports.ts'
import { carriersOf, listProcesses } from '../../../adapters/process-tree.ts'
import { Processes } from '../../../adapters/process.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { tapeFile, textOf, writeTape, type TapeEntry } from '../tapes.ts'

export const processes = new Processes()
export const secret = 'sk-canary-0123456789abcdef'

interface Opening {
  resume?: string | null
  allowWrite?: boolean
  launchMs?: number
  cwd?: string
  signal?: AbortSignal
  token?: string
}

/** Opens a session of the adapter's with a real child process that plays a tape, recorded or written here. */
export const openFake = (
  kind: 'codex' | 'claude',
  tape: string | TapeEntry[],
  opening: Opening = {},
): Promise<AgentSession> => {
  const env = { PATH: process.env.PATH, HOME: '/home/user', OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret }
  const surroundings = { processes, env, ...(opening.launchMs === undefined ? {} : { launchMs: opening.launchMs }) }
  const adapter = kind === 'codex' ? codexAdapter(surroundings) : claudeAdapter(surroundings)
  const file = typeof tape === 'string' ? tapeFile(tape) : writeTape(tape)
  return adapter.open(
    {
      program: { file: process.execPath, before: [tapeAgent, file], version: '1.2.3' },
      agent: kind,
      cwd: opening.cwd ?? tmpdir(),
      allowWrite: opening.allowWrite ?? true,
      resume: opening.resume ?? null,
      scope: 'chat',
      token: opening.token ?? `test-${crypto.randomUUID()}`,
      env,
    },
    opening.signal ?? AbortSignal.timeout(20_000),
  )
}

/** One turn, with the same answer to every question. */
export const say = async (
  session: AgentSession,
  answer: Answer | null = null,
  notice: (event: AgentEvent) => void = () => {},
  images: readonly TurnImage[] = [],
): Promise<{
  end: TurnEnd
  events: AgentEvent[]
  text: string
}> => {
  const events: AgentEvent[] = []
  const end = await session.prompt({ prompt: 'Say it.', images }, (event) => {
    events.push(event)
    notice(event)
    if (event.type === 'asked' && answer) session.answer(event.request.requestId, answer)
  })
  return { end, events, text: textOf(events) }
}

export const ofType = <Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)

export const aliveWith = async (token: string): Promise<number> =>
  (await carriersOf(new Set([token]), await listProcesses(async () => ''))).length

/** The beginning of a conversation with codex, up to where a turn has begun. */
export const codexGreeting = (threadId = 'thread-1'): TapeEntry[] => [
  { dir: '->', msg: {} },
  { dir: '<-', msg: { id: 1, result: { userAgent: 'x' } } },
  { dir: '->', msg: {} },
  { dir: '->', msg: {} },
  { dir: '<-', msg: { id: 2, result: { thread: { id: threadId } } } },
]
export const codexTurn: TapeEntry[] = [
  { dir: '->', msg: {} },
  { dir: '<-', msg: { id: 3, result: { turn: { id: 'turn-1' } } } },
]
export const codexSays = (delta: string): TapeEntry => ({
  dir: '<-',
  msg: { method: 'item/agentMessage/delta', params: { threadId: 'thread-1', turnId: 'turn-1', itemId: 'm1', delta } },
})
export const codexEnds = (status: string): TapeEntry => ({
  dir: '<-',
  msg: { method: 'turn/completed', params: { threadId: 'thread-1', turn: { id: 'turn-1', status, error: null } } },
})

const tapeAgent = join(import.meta.dirname, '..', '..', 'fakes', 'tape-agent.ts')
