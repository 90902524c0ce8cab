import type { AgentId } from '../../shared/agent.ts'
import type { GateKind, GateOption, GateRecord } from '../../shared/gate.ts'
import { wordsOf } from '../../machines/chart/reading.ts'
import { text } from '../text/text.ts'
import type { IconName } from './icons.tsx'

/** Who asks, by name; a run asks by its own word. */
export const gateAskerName = (gate: GateRecord, names: (agent: AgentId) => string) =>
  gate.asker.agent ? names(gate.asker.agent) : (text.states['run'] ?? text.panel.run)

/** The question in one line. */
export function gateHeading(gate: GateRecord, name: string): string {
  if (gate.kind === 'permission') return text.gate.asks(name, gate.title)
  if (gate.kind === 'retry') return text.gate.retry(name)
  return gate.title
}

export const optionLabel = (option: GateOption) => decisionLabel(option.name)

/** An answer that the window has no words for is named by its own. */
export const decisionLabel = (name: string) => text.gate.options[name] ?? sentence(wordsOf(name))

const sentence = (words: string) => words.charAt(0).toLocaleUpperCase() + words.slice(1)

export const optionConsequence = (option: GateOption, name: string) => text.gate.consequences[option.name]?.(name) ?? ''

export const gateIcon = (kind: GateKind): IconName => gateIcons[kind]

const gateIcons: Record<GateKind, IconName> = {
  permission: 'terminal',
  budget: 'coin',
  decision: 'scales',
  retry: 'again',
  input: 'thought',
}

/** Waiting gates, soonest deadline first. */
export const waitingGates = (gates: readonly GateRecord[]) =>
  gates.filter(({ status }) => status === 'waiting').toSorted((a, b) => due(a) - due(b) || a.askedAt - b.askedAt)

const due = ({ expiresAt }: GateRecord) => expiresAt ?? Number.MAX_SAFE_INTEGER
