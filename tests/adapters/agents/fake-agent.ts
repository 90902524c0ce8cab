import { tmpdir } from 'node:os'
import { acpAdapter } from '../../../adapters/agents/acp.ts'
import type { AcpAgent } from '../../../adapters/agents/acp/agent.ts'
import { claudeAdapter } from '../../../adapters/agents/claude.ts'
import { codexAdapter, type AdapterSurroundings } from '../../../adapters/agents/codex.ts'
import type {
  AgentAdapter, AgentSession, Answer, ProviderAccess, TurnEnd, TurnImage,
} from '../../../adapters/ports.ts'
import { carriersOf, listProcesses } from '../../../adapters/process-tree.ts'
import { Processes } from '../../../adapters/process.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import type { DialectName, TapeEntry, Turn as ActedTurn } from '../../fakes/tape.ts'
import { tapeAgent } from '../../fakes/tape-file.ts'
import { tapeFile, textOf, writeTape } from '../tapes.ts'

export const processes = new Processes()
export const secret = 'sk-canary-0123456789abcdef'

interface Opening {
  resume?: string | null
  allowWrite?: boolean
  launchMs?: number
  cwd?: string
  signal?: AbortSignal
  token?: string
  provider?: ProviderAccess
  /** Besides what everybody gets here. */
  env?: Readonly<Record<string, string>>
}

/** Opens a session of the adapter's with a real child process that plays a tape, recorded or written here. */
export const openFake = (
  kind: DialectName,
  tape: string | readonly TapeEntry[],
  opening: Opening = {},
): Promise<AgentSession> => {
  const keys = { OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret }
  const env = { PATH: process.env.PATH, HOME: '/home/user', ...keys, ...opening.env }
  const surroundings = { processes, env, ...(opening.launchMs === undefined ? {} : { launchMs: opening.launchMs }) }
  const adapter = adapters[kind](surroundings)
  const file = typeof tape === 'string' ? tapeFile(tape) : writeTape(tape)
  return adapter.open(
    {
      program: { file: process.execPath, before: [tapeAgent, file], version: '1.2.3' },
      agent: adapter.agents[0] ?? 'codex',
      cwd: opening.cwd ?? tmpdir(),
      allowWrite: opening.allowWrite ?? true,
      resume: opening.resume ?? null,
      scope: 'chat',
      token: opening.token ?? `test-${crypto.randomUUID()}`,
      env,
      provider: opening.provider ?? null,
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

/** A session with one who speaks this protocol and does these things in its turns. */
export const openActor = (
  kind: DialectName,
  turns: readonly ActedTurn[],
  { stopped, ...opening }: Opening & { stopped?: ActedTurn } = {},
) => openFake(kind, [{ do: 'serve', dialect: kind, turns, ...(stopped ? { stopped } : {}) }], opening)

export const dialects = ['codex', 'claude', 'acp'] as const satisfies readonly DialectName[]

const acpAgent: AcpAgent = {
  kind: 'opencode',
  agents: ['opencode'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 0, usage: true },
  args: () => ['acp'],
  env: { names: ['OPENAI_API_KEY'], credentials: ['OPENAI_API_KEY'] },
  modes: { readOnly: ['plan'], write: ['edit'] },
  usage: 'turn',
  detect: () => Promise.reject(new Error('not used here')),
}

const adapters: Record<DialectName, (surroundings: AdapterSurroundings) => AgentAdapter> = {
  codex: codexAdapter,
  claude: claudeAdapter,
  acp: ({ processes: all, launchMs = 20_000 }) =>
    acpAdapter(acpAgent, all, { openMs: launchMs, firstSignMs: launchMs }),
}
