import { rehearsalAdapter } from '../../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../../adapters/ports.ts'
import type { Processes } from '../../adapters/process.ts'

process.env.PARLEY_REHEARSAL_PACE = '0'

/** The rehearsal's agents, each a process of its own. */
export const rehearsal = (processes: Processes): AgentAdapter[] => [rehearsalAdapter(processes)]
