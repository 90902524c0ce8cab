import type { AgentAbilities } from '../../shared/agent.ts'
import type { RealAgent } from './install.ts'

/** What every agent is tried with, in this order; the sentences stand in the window and in `docs/agents.md`. */
export const caseTitles = {
  found: 'is found with its version',
  answers: 'answers a turn',
  resumes: 'goes on in the same session',
  lost: 'says that a session is lost',
  readOnly: 'writes nothing while it may only read',
  granted: 'asks, and does what is granted',
  denied: 'asks, and leaves what is denied',
  image: 'is shown an image',
  limit: 'waits for a rate limit',
  key: 'says that its key is refused',
  chat: 'has a chat in Parley',
  gate: 'asks at a gate in Parley',
  stop: 'is stopped in a tool, and nothing of it survives',
  confers: 'confers with three others and agrees',
} as const satisfies Record<string, string>
export type CaseName = keyof typeof caseTitles

export const caseNames = Object.keys(caseTitles) as CaseName[]

/** How one agent differs where its protocol leaves it free. */
interface Traits {
  /** Cases that it does not have, beside those that its abilities already say it lacks, and why. */
  without?: Partial<Record<CaseName, string>>
  /** What it asks about where a command is to be run and a file to be written. */
  asksAbout: readonly ('execute' | 'edit')[]
  /** Whether it tells the model why something was denied. */
  passesNotesOn: boolean
  /** Whether its model is heard again after something was denied; else the turn ends there. */
  goesOnAfterDenial: boolean
  /** Whether its reasoning is heard. */
  reasons: boolean
  /** Whether it says that it waits for its provider. */
  saysThatItWaits: boolean
  /** How often its provider asks it to wait in the case of the rate limit. */
  waits: number
  /** Whether its answer comes in pieces, or whole at the end. */
  inPieces: boolean
  /** How its usage is known, where it is. */
  usage: 'reported' | 'estimated'
}

const usual: Traits = {
  asksAbout: ['execute', 'edit'],
  passesNotesOn: false,
  goesOnAfterDenial: true,
  reasons: true,
  saysThatItWaits: false,
  waits: 2,
  usage: 'reported',
  inPieces: true,
}

const detectionOnly = 'it can be found, and not be spoken with'

export const traits: Readonly<Record<RealAgent, Traits>> = {
  codex: { ...usual, passesNotesOn: true, saysThatItWaits: true, waits: 1 },
  claude: { ...usual, passesNotesOn: true, saysThatItWaits: true },
  opencode: { ...usual, goesOnAfterDenial: false },
  gemini: { ...usual, waits: 1 },
  qwen: { ...usual, goesOnAfterDenial: false },
  copilot: { ...usual, goesOnAfterDenial: false },
  kimi: { ...usual, asksAbout: ['execute'], usage: 'estimated' },
  openclaw: { ...usual, inPieces: false, reasons: false },
  amp: usual,
}

/** Why this agent does not have this case; `null` where it must pass it. */
export const whyWithout = (
  agent: RealAgent,
  name: CaseName,
  { transport, abilities }: { transport: string; abilities: AgentAbilities },
): string | null => {
  const own = traits[agent].without?.[name]
  if (own !== undefined) return own
  if (transport === 'none') return name === 'found' ? null : detectionOnly
  return lacks[name]?.(abilities) ?? null
}

const lacks: Partial<Record<CaseName, (abilities: AgentAbilities) => string | null>> = {
  resumes: ({ resume }) => (resume ? null : 'each turn is a session of its own'),
  lost: ({ resume }) => (resume ? null : 'each turn is a session of its own'),
  readOnly: ({ readOnly }) => (readOnly === 'none' ? 'nothing holds it to reading' : null),
  granted: ({ asks }) => (asks ? null : 'it never asks'),
  denied: ({ asks }) => (asks ? null : 'it never asks'),
  gate: ({ asks }) => (asks ? null : 'it never asks'),
  image: ({ imagesMax }) => (imagesMax > 0 ? null : 'it takes no images'),
}
