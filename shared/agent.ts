import * as z from 'zod'
import { At } from './ids.ts'
import { Failure } from './errors.ts'

export const AgentKind = z.enum(['codex', 'claude', 'rehearsal'])
export type AgentKind = z.infer<typeof AgentKind>

export const Persona = z.enum(['bold', 'careful', 'sceptic'])
export type Persona = z.infer<typeof Persona>

/** `codex`, `claude`, or `rehearsal:<persona>`. */
export const AgentId = z.enum(['codex', 'claude', 'rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'])
export type AgentId = z.infer<typeof AgentId>

export const agentIds: readonly AgentId[] = AgentId.options

/** The kind of an agent id. */
export const kindOfAgent = (agent: AgentId): AgentKind => AgentKind.parse(agent.split(':')[0])

/** How an agent is named in the window and to its peers. The mark is two letters. */
export const agentNames: Readonly<Record<AgentId, { name: string; mark: string }>> = {
  codex: { name: 'Codex', mark: 'Cx' },
  claude: { name: 'Claude', mark: 'Cl' },
  'rehearsal:bold': { name: 'Bold', mark: 'Bo' },
  'rehearsal:careful': { name: 'Careful', mark: 'Ca' },
  'rehearsal:sceptic': { name: 'Sceptic', mark: 'Sc' },
}

export const Transport = z.enum(['acp', 'app-server', 'stream-json'])
export type Transport = z.infer<typeof Transport>

export const Readiness = z.enum([
  'checking', 'notInstalled', 'installed', 'incompatible', 'needsLogin', 'ready', 'recentlyVerified',
])
export type Readiness = z.infer<typeof Readiness>

/** What is known of one agent, how, and when. Holds no path. */
export const AgentCard = z.object({
  agent: AgentId,
  kind: AgentKind,
  name: z.string(),
  /** Two letters. */
  mark: z.string().length(2),
  transport: Transport,
  rehearsal: z.boolean(),
  readiness: Readiness,
  version: z.string().nullable(),
  /** One sentence of evidence: `answered --version`, `found a key in the environment`. */
  evidence: z.string().nullable(),
  failure: Failure.nullable(),
  /** The one command that mends what is missing, ready to copy. */
  remedy: z.string().nullable(),
  checkedAt: At.nullable(),
})
export type AgentCard = z.infer<typeof AgentCard>

/** The part of a card that a check finds out, before the first check. */
export const unchecked = {
  readiness: 'checking',
  version: null,
  evidence: null,
  failure: null,
  remedy: null,
  checkedAt: null,
} as const satisfies Partial<AgentCard>
