import { launchMs as usualLaunchMs } from '../../shared/limits.ts'
import type { AgentAdapter } from '../ports.ts'
import type { Processes } from '../process.ts'
import type { AcpAgent, AcpClocks, AcpProgram } from './acp/agent.ts'
import { acpEnvironment } from './acp/environment.ts'
import { openAcpSession } from './acp/open.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent } from './detect.ts'

/** The one client of every agent that speaks the Agent Client Protocol over its standard streams. */
export const acpAdapter = (
  agent: AcpAgent,
  processes: Processes,
  clocks: AcpClocks = { openMs: usualLaunchMs, firstSignMs: usualLaunchMs },
): AgentAdapter => ({
  kind: agent.kind,
  agents: agent.agents,
  transport: 'acp',
  abilities: agent.abilities,
  mayContinue: true,
  ...(agent.mayResume ? { mayResume: agent.mayResume } : {}),
  detect: agent.detect,
  open: (request, signal) => openAcpSession({ agent, processes, clocks, request, signal }),
})

/** An agent that speaks ACP and is looked for on this computer. */
export const acpProgramAdapter = (
  { facts, ...agent }: AcpProgram,
  { processes, env, launchMs = usualLaunchMs }: AdapterSurroundings,
): AgentAdapter => {
  // the probe only reads
  const found = { ...facts, environment: (outer: AdapterSurroundings['env']) => acpEnvironment(agent, outer, false) }
  return acpAdapter({ ...agent, detect: (signal) => detectAgent(found, env, signal) }, processes, {
    openMs: launchMs,
    firstSignMs: launchMs,
  })
}
