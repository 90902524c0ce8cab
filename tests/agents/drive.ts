import { readdir, readFile } from 'node:fs/promises'
import { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import type { AgentAdapter, AgentSession, Answer, OpenSession, Program, Turn, TurnEnd } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import { LoginShell } from '../../adapters/programs/login-shell.ts'
import { adaptersOf } from '../../electron/adapters.ts'
import type { AgentEvent, PermissionRequest } from '../../shared/agent-event.ts'
import { agentHome, type AgentHome } from './homes.ts'
import { installAgent, type RealAgent } from './install.ts'

/** One real agent in a home of its own, driven through its adapter. */
export interface DrivenAgent {
  home: AgentHome
  adapter: AgentAdapter
  open(request: Opening): Promise<{ session: AgentSession }>
  /** Ends every process of it. */
  rest(): Promise<void>
  /** Ends what lives and removes the home. */
  leave(): Promise<void>
}

type Opening = Pick<OpenSession, 'cwd'> & Partial<Pick<OpenSession, 'resume' | 'allowWrite'>>

export const driveAgent = async (agent: RealAgent, modelUrl: string): Promise<DrivenAgent> => {
  const home = await agentHome(agent, modelUrl)
  home.env[`PARLEY_${agent.toUpperCase()}`] = await installAgent(agent)
  const processes = new Processes()
  const adapter = adapterOf(agent, processes, home)
  let program: Program | null = null
  return {
    home,
    adapter,
    async open({ cwd, resume = null, allowWrite = false }) {
      program ??= await programOf(adapter)
      const token = `test-${crypto.randomUUID()}`
      const request = { program, agent, cwd, allowWrite, resume, scope: 'chat', token, env: home.env }
      return { session: await adapter.open(request, AbortSignal.timeout(120_000)) }
    },
    rest: () => processes.endAll(),
    async leave() {
      await processes.endAll()
      await home.remove()
    },
  }
}

/** The adapter that Parley itself has for this agent. */
export const adapterOf = (agent: RealAgent, processes: Processes, { env }: Pick<AgentHome, 'env'>): AgentAdapter => {
  const around = { processes, env, shell: new LoginShell(env), warm: new WarmSessions() }
  const adapter = adaptersOf(around).find(({ agents }) => agents.includes(agent))
  if (!adapter) throw new Error(`Parley has no adapter for ${agent}`)
  return adapter
}

interface Heard {
  end: TurnEnd
  events: AgentEvent[]
  /** What a reader would have seen at the end. */
  text: string
  asked: PermissionRequest[]
}

/** Sends one turn and answers every question that comes with `answer`. */
export const say = async (
  session: AgentSession,
  turn: Turn,
  answer: Answer | null = null,
  notice: (event: AgentEvent) => void = () => {},
): Promise<Heard> => {
  const events: AgentEvent[] = []
  const end = await session.prompt(turn, (event) => {
    events.push(event)
    notice(event)
    if (event.type === 'asked' && answer) session.answer(event.request.requestId, answer)
  })
  return {
    end,
    events,
    text: textOf(events),
    asked: events.flatMap((event) => (event.type === 'asked' ? [event.request] : [])),
  }
}

/** Every process with this entry in its environment. */
export const processesWith = async (entry: string): Promise<number[]> => {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(entry) ? [Number(name)] : []
    }),
  )
  return found.flat()
}

const programOf = async (adapter: AgentAdapter): Promise<Program> => {
  const { program, card } = await adapter.detect(AbortSignal.timeout(60_000))
  if (!program) throw new Error(`${adapter.kind} is ${card.readiness}: ${card.failure?.message ?? 'not found'}`)
  return program
}

const textOf = (events: readonly AgentEvent[]): string =>
  events.reduce((text, event) => {
    if (event.type === 'textReplaced') return event.text
    return event.type === 'text' ? text + event.delta : text
  }, '')
