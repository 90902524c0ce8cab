import type { AgentAbilities, AgentId, AgentKind } from '../../../shared/agent.ts'
import type { AgentAdapter, OpenSession } from '../../ports.ts'
import type { Decoder } from './decoder.ts'

/** How an agent differs from the others that get one process for each turn: data only, the session is the same. */
export interface OneShotAgent {
  kind: AgentKind
  agents: readonly AgentId[]
  /** The program's name, for a person. */
  product: string
  abilities: AgentAbilities
  /** What to add to the program's own arguments; the prompt is never among them, it goes by stdin. */
  args: (place: Workplace) => readonly string[]
  env: {
    /** Names taken over from our own environment besides those that every program gets. */
    names: readonly string[]
    /** Which of them hold its key or login. */
    credentials: readonly string[]
  }
  /** Where it works; the conversation's folder unless said. */
  place?: (request: OpenSession) => Promise<Workplace>
  /** A reader of what one turn prints. */
  decoder: () => Decoder
  /** Said at the beginning of each turn: what a person must know of it before it is over. */
  warnings: readonly string[]
  detect: AgentAdapter['detect']
}

/** The folder that a turn works in, and what comes with it. */
export interface Workplace {
  cwd: string
  /** Variables that the program gets for it. */
  values: Readonly<Record<string, string>>
  /** When nothing of the turn is alive any more. */
  leave: () => Promise<void>
}
