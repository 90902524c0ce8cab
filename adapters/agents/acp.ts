import { launchMs } from '../../shared/limits.ts'
import type { AgentAdapter } from '../ports.ts'
import type { Processes } from '../process.ts'
import type { AcpAgent, AcpClocks } from './acp/agent.ts'
import { openAcpSession } from './acp/open.ts'

/** The one client of every agent that speaks the Agent Client Protocol over its standard streams. */
export const acpAdapter = (
  agent: AcpAgent,
  processes: Processes,
  clocks: AcpClocks = { openMs: launchMs, firstSignMs: launchMs },
): AgentAdapter => ({
  kind: agent.kind,
  agents: agent.agents,
  transport: 'acp',
  abilities: agent.abilities,
  mayContinue: true,
  detect: agent.detect,
  open: (request, signal) => openAcpSession({ agent, processes, clocks, request, signal }),
})
