import type { AgentAbilities, AgentId, AgentKind } from '../../../shared/agent.ts'
import type { Asides } from './asides.ts'
import type { Env } from '../../environment.ts'
import type { AgentFacts } from '../detect.ts'
import type { AgentAdapter } from '../../ports.ts'

type Values = Readonly<Record<string, string>>

/** How one agent that speaks ACP differs from the others: data only, the client is the same for all. */
export interface AcpAgent {
  kind: AgentKind
  agents: readonly AgentId[]
  abilities: AgentAbilities
  /** What to add to the program's own arguments. */
  args: (agent: AgentId, allowWrite: boolean) => readonly string[]
  env: {
    /** Names taken over from our own environment besides those that every program gets. */
    names: readonly string[]
    /** Which of them hold its key or login. */
    credentials: readonly string[]
    values?: Values
    /** What it is told besides, by whether it may write. */
    byMode?: { readOnly: Values; write: Values }
    /** Further names, of variables with keys to which the person's own configuration of this agent refers. */
    keysInConfig?: (env: Env) => Promise<readonly string[]>
  }
  /**
   * Ids of its session modes, best first; set explicitly after every new and load wherever modes are offered,
   * because what an agent starts in differs. Without a read-only one it is not opened read-only.
   */
  modes: { readOnly: readonly string[]; write: readonly string[] }
  /** Options of its session that must stand so, set likewise where it offers them. */
  options?: readonly { id: string; value: string }[]
  /**
   * Whether the usage in its answers counts one turn or everything since the session began. `context`: all it tells is
   * how much the conversation holds, right after the answer.
   */
  usage: 'turn' | 'session' | 'context'
  /** Where its questions are for the person even while it may only read; else what would write is declined at once. */
  asksInReadOnly?: true
  /** An answer that is nothing but this is a failure set as prose; the first group is what it says. */
  failureProse?: RegExp
  /** Remarks of its own that it sets among the words of its model. */
  asides?: Asides
  mayResume?: AgentAdapter['mayResume']
  detect: AgentAdapter['detect']
}

/** One that is a program of its own, to be found on this computer. */
export type AcpProgram = Omit<AcpAgent, 'detect'> & { facts: Omit<AgentFacts, 'environment' | 'keys' | 'keysInConfig'> }

/** How long opening may take, and how long the first sign of an answer; in milliseconds. */
export interface AcpClocks {
  openMs: number
  firstSignMs: number
}
