import { createHash } from 'node:crypto'
import { launchMs as usualLaunchMs } from '../../shared/limits.ts'
import type { AgentAdapter, OpenSession } from '../ports.ts'
import type { Processes } from '../process.ts'
import type { AcpAgent, AcpClocks, AcpProgram } from './acp/agent.ts'
import { acpEnvironment, surroundingsOf, type Surroundings } from './acp/environment.ts'
import { openAcpSession, sessionLost } from './acp/open.ts'
import { Opened } from './acp/opened.ts'
import type { WarmSessions } from './acp/warm.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent, type AgentFacts } from './detect.ts'

/**
 * The one client of every agent that speaks the Agent Client Protocol over its standard streams. With `warm` a process
 * is kept between turns; without it each try has one of its own.
 */
export const acpAdapter = (
  agent: AcpAgent,
  processes: Processes,
  { warm, ...clocks }: AcpClocks & { warm?: WarmSessions } = { openMs: usualLaunchMs, firstSignMs: usualLaunchMs },
): AgentAdapter => {
  const { mayResume } = agent
  const opened = new Opened()
  return {
    kind: agent.kind,
    agents: agent.agents,
    transport: 'acp',
    abilities: agent.abilities,
    mayContinue: true,
    ...(mayResume ? { mayResume: (session, now) => warm?.holds(session.id) || mayResume(session, now) } : {}),
    detect: agent.detect,
    async open(request, signal) {
      const surroundings = await surroundingsOf(agent, request)
      const start = async () => {
        // whoever was asked before may have counted on a process that has ended since
        if (mayResume && !opened.mayResume(request.resume, mayResume)) throw sessionLost()
        const session = await openAcpSession({ agent, processes, clocks, request, surroundings, signal })
        opened.note(session.native.id)
        return session
      }
      if (!warm || signal.aborted) return start()
      return warm.open(wishOf(agent, request, surroundings), start)
    },
  }
}

/** What it was started with is compared by a hash: no key of a provider is kept for it. */
const wishOf = (own: Pick<AcpAgent, 'args'>, request: OpenSession, { env, args, files }: Surroundings) => {
  const { agent, scope, cwd, allowWrite, program, resume } = request
  const allArgs = [...args, ...own.args(agent, allowWrite)]
  const startedWith = JSON.stringify([cwd, allowWrite, program, allArgs, files, Object.entries(env).toSorted(byName)])
  return {
    place: { agent, scope },
    key: createHash('sha256').update(startedWith).digest('hex'),
    resume,
  }
}

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]) => one.localeCompare(other)

/** An agent that speaks ACP and is looked for on this computer. */
export const acpProgramAdapter = (
  { facts, ...agent }: AcpProgram,
  { processes, env, shell, launchMs = usualLaunchMs, warm }: AdapterSurroundings & { warm?: WarmSessions },
): AgentAdapter => {
  const { credentials: keys, keysInConfig } = agent.env
  const found: AgentFacts = {
    ...facts,
    keys,
    ...(keysInConfig && { keysInConfig }),
    // the probe only reads
    environment: (outer) => acpEnvironment(agent, outer, false),
  }
  const detect: AgentAdapter['detect'] = (signal, hasProvider) =>
    detectAgent(found, env, signal, { shell, hasProvider })
  return acpAdapter({ ...agent, detect }, processes, {
    openMs: launchMs,
    firstSignMs: launchMs,
    ...(warm ? { warm } : {}),
  })
}
