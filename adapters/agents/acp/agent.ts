import type { AgentAbilities, AgentId, AgentKind } from '../../../shared/agent.ts'
import type { Detection } from '../../ports.ts'

/** How one agent that speaks ACP differs from the others: data only, the client is the same for all. */
export interface AcpAgent {
  kind: AgentKind
  agents: readonly AgentId[]
  abilities: AgentAbilities
  /** What to add to the program's own arguments. */
  args: (agent: AgentId) => readonly string[]
  env: {
    /** Names taken over from our own environment besides those that every program gets. */
    names: readonly string[]
    /** Which of them hold its key or login. */
    credentials: readonly string[]
    values?: Readonly<Record<string, string>>
  }
  /**
   * Ids of its session modes, best first; set explicitly after every new and load wherever modes are offered,
   * because what an agent starts in differs. Without a read-only one it is not opened read-only.
   */
  modes: {
    readOnly: readonly string[]
    write: readonly string[]
    /** An agent that offers no modes at all is not opened read-only either. */
    mustBeOffered?: boolean
  }
  /** Whether the usage in its answers counts one turn or everything since the session began. */
  usage: 'turn' | 'session'
  detect: (signal: AbortSignal) => Promise<Detection>
}

/** How long opening may take, and how long the first sign of an answer; in milliseconds. */
export interface AcpClocks {
  openMs: number
  firstSignMs: number
}
