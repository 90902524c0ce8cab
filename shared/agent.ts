import * as z from 'zod'
import { At } from './ids.ts'
import { Failure } from './errors.ts'

export const AgentKind = z.enum([
  'codex', 'claude', 'opencode', 'gemini', 'qwen', 'copilot', 'kimi', 'openclaw', 'amp', 'hermes', 'custom',
  'rehearsal',
])
export type AgentKind = z.infer<typeof AgentKind>

export const Persona = z.enum(['bold', 'careful', 'sceptic'])
export type Persona = z.infer<typeof Persona>

const KnownAgent = z.enum([
  'codex', 'claude', 'opencode', 'gemini', 'qwen', 'copilot', 'kimi', 'openclaw', 'amp', 'hermes',
  'rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic',
])
type KnownAgent = z.infer<typeof KnownAgent>

/** `custom:` and the name that the person gave it, in small letters, digits and single dashes, 40 at most. */
export const CustomAgentId = z.templateLiteral([
  'custom:',
  // a bound beside the pattern would not be looked at in a template
  z.string().regex(/^(?!.{41})[a-z0-9]+(?:-[a-z0-9]+)*$/),
])
export type CustomAgentId = z.infer<typeof CustomAgentId>

/** `codex`, `claude`, …, `rehearsal:<persona>`, or `custom:<name>`. */
export const AgentId = z.union([KnownAgent, CustomAgentId])
export type AgentId = z.infer<typeof AgentId>

/** Every agent that ships with this version; the person's own ones are told by their cards. */
export const agentIds: readonly AgentId[] = KnownAgent.options

/** The kind of an agent id. */
export const kindOfAgent = (agent: AgentId): AgentKind => AgentKind.parse(agent.split(':')[0])

/** How an agent is named in the window and to its peers. The mark is two letters. */
export const nameOfAgent = (agent: AgentId): { name: string; mark: string } => {
  const known = KnownAgent.safeParse(agent)
  return known.success ? names[known.data] : nameOfCustom(agent)
}

const names: Readonly<Record<KnownAgent, { name: string; mark: string }>> = {
  codex: { name: 'Codex', mark: 'Cx' },
  claude: { name: 'Claude', mark: 'Cl' },
  opencode: { name: 'OpenCode', mark: 'Oc' },
  gemini: { name: 'Gemini', mark: 'Ge' },
  qwen: { name: 'Qwen', mark: 'Qw' },
  copilot: { name: 'Copilot', mark: 'Co' },
  kimi: { name: 'Kimi', mark: 'Ki' },
  openclaw: { name: 'OpenClaw', mark: 'Ow' },
  amp: { name: 'Amp', mark: 'Am' },
  hermes: { name: 'Hermes', mark: 'He' },
  'rehearsal:bold': { name: 'Bold', mark: 'Bo' },
  'rehearsal:careful': { name: 'Careful', mark: 'Ca' },
  'rehearsal:sceptic': { name: 'Sceptic', mark: 'Sc' },
}

/** `custom:my-tool` is "My tool", and its mark is "My". */
const nameOfCustom = (agent: AgentId): { name: string; mark: string } => {
  const words = agent.slice(agent.indexOf(':') + 1).replaceAll('-', ' ')
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  return { name, mark: name.replace(' ', '').padEnd(2, '·').slice(0, 2) }
}

/** How an agent is spoken with. `none`: it can be found, and not be spoken with. */
export const Transport = z.enum(['acp', 'app-server', 'stream-json', 'one-shot', 'none'])
export type Transport = z.infer<typeof Transport>

export const Readiness = z.enum([
  'checking', 'notInstalled', 'installed', 'incompatible', 'needsLogin', 'ready', 'recentlyVerified',
])
export type Readiness = z.infer<typeof Readiness>

/** What an agent can do over its transport, as measured or documented; the limits are its own. */
export const AgentAbilities = z.object({
  /** What holds it to reading: its own sandbox, its own permissions, or nothing: then it is not opened read-only. */
  readOnly: z.enum(['sandbox', 'permissions', 'none']),
  write: z.boolean(),
  /** Asks before it acts, so that a gate can stand there. */
  asks: z.boolean(),
  resume: z.boolean(),
  /** How many images it takes with one turn; 0 for none. */
  imagesMax: z.number().int().nonnegative(),
  usage: z.boolean(),
})
export type AgentAbilities = z.infer<typeof AgentAbilities>

/** One stage on the way to being ready, in this order. */
export const ReadinessStage = z.object({
  stage: z.enum(['found', 'version', 'runtime', 'protocol', 'credentials', 'answered']),
  outcome: z.enum(['yes', 'no', 'unknown']),
  /** One sentence on how that is known. Holds no path. */
  how: z.string().max(300),
})
export type ReadinessStage = z.infer<typeof ReadinessStage>

/** What was tried against a real program of this agent, with which version, and what came of it. */
export const Conformance = z.object({
  version: z.string(),
  /** The day, as `2026-11-30`. */
  on: z.iso.date(),
  cases: z.array(
    z.object({ name: z.string().max(60), verdict: z.enum(['passed', 'failed', 'notOffered', 'notTried']) }),
  ).readonly(),
})
export type Conformance = z.infer<typeof Conformance>

/** What is known of one agent, how, and when. Holds no path. */
export const AgentCard = z.object({
  agent: AgentId,
  kind: AgentKind,
  name: z.string(),
  /** Two letters. */
  mark: z.string().length(2),
  transport: Transport,
  abilities: AgentAbilities,
  /** Where it looks for skills, in the working directory or with `~` in the person's home; as measured. */
  skillFolders: z.array(z.string().max(100)).max(20).readonly(),
  /** Where its own tool keeps what was said, with `~` for the person's home; as measured. */
  sessionFolders: z.array(z.string().max(100)).max(5).readonly(),
  /** `null` where no real program was ever tried with this version of Parley. */
  tested: Conformance.nullable(),
  rehearsal: z.boolean(),
  readiness: Readiness,
  version: z.string().nullable(),
  /** One sentence of evidence: `answered --version`, `found a key in the environment`. */
  evidence: z.string().nullable(),
  /** As far as the last check went; empty before the first. */
  stages: z.array(ReadinessStage).max(6).readonly(),
  failure: Failure.nullable(),
  /** The one command that mends what is missing, ready to copy. */
  remedy: z.string().nullable(),
  checkedAt: At.nullable(),
})
export type AgentCard = z.infer<typeof AgentCard>

/** What came of one short question to an agent, by its real program. */
export const ConnectionTest = z.object({
  ok: z.boolean(),
  tookMs: z.number().int().nonnegative(),
  failure: Failure.nullable(),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

/** The part of a card that a check finds out, before the first check. */
export const unchecked = {
  readiness: 'checking',
  version: null,
  evidence: null,
  stages: [],
  failure: null,
  remedy: null,
  checkedAt: null,
} as const satisfies Partial<AgentCard>
