import { readdir, readFile } from 'node:fs/promises'
import { claudeAdapter } from '../../adapters/agents/claude.ts'
import { codexAdapter } from '../../adapters/agents/codex.ts'
import type { AgentAdapter, AgentSession, Answer, Program, TurnEnd } from '../../adapters/ports.ts'
import { launchMarker } from '../../adapters/process-tree.ts'
import { Processes } from '../../adapters/process.ts'
import type { AgentEvent, PermissionRequest } from '../../shared/agent-event.ts'
import { agentHome, type AgentHome } from './homes.ts'

/** One real agent in a home of its own, driven through its adapter. */
export interface DrivenAgent {
  home: AgentHome
  adapter: AgentAdapter
  open(options?: { resume?: string | null; allowWrite?: boolean }): Promise<{ session: AgentSession; token: string }>
  /** Ends what lives and removes the home. */
  leave(): Promise<void>
}

export const driveAgent = async (kind: 'codex' | 'claude', file: string, modelUrl: string): Promise<DrivenAgent> => {
  const home = await agentHome(kind, modelUrl)
  const env = { ...home.env, [kind === 'codex' ? 'PARLEY_CODEX' : 'PARLEY_CLAUDE']: file }
  const processes = new Processes()
  const adapter = kind === 'codex' ? codexAdapter({ processes, env }) : claudeAdapter({ processes, env })
  const program = await programOf(adapter)
  return {
    home,
    adapter,
    async open({ resume = null, allowWrite = false } = {}) {
      const token = `test-${crypto.randomUUID()}`
      const signal = AbortSignal.timeout(60_000)
      return {
        token,
        session: await adapter.open(
          { program, agent: kind, cwd: home.cwd, allowWrite, resume, scope: 'chat', token, env }, signal,
        ),
      }
    },
    async leave() {
      await processes.endAll()
      await home.remove()
    },
  }
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
  prompt: string,
  answer: Answer | null = null,
  notice: (event: AgentEvent) => void = () => {},
): Promise<Heard> => {
  const events: AgentEvent[] = []
  const end = await session.prompt({ prompt }, (event) => {
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

/** The processes that carry this launch's marker. */
export const survivorsOf = async (token: string): Promise<number[]> => {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`${launchMarker}=${token}`) ? [Number(name)] : []
    }),
  )
  return found.flat()
}

const programOf = async (adapter: AgentAdapter): Promise<Program> => {
  const { program, card } = await adapter.detect(AbortSignal.timeout(60_000))
  if (!program) throw new Error(`${adapter.kind} is ${card.readiness}`)
  return program
}

const textOf = (events: readonly AgentEvent[]): string =>
  events.reduce((text, event) => {
    if (event.type === 'textReplaced') return event.text
    return event.type === 'text' ? text + event.delta : text
  }, '')
