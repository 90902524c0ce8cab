import { stageOf, withStage } from '../../adapters/agents/stages.ts'
import type { AgentAdapter, Detection } from '../../adapters/ports.ts'
import { sessionFolders } from '../../adapters/session-folders.ts'
import { skillFolders } from '../../adapters/skill-folders.ts'
import { tested } from '../../adapters/tested.ts'
import { nameOfAgent, unchecked, type AgentCard, type AgentId } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'

/** What a turn or a connection test taught about an agent: that it answers, or that its credentials were refused. */
export interface Learned {
  failure: Failure | null
  at: number
  /** Its place among everything that was looked at and learned. */
  order: number
  version: string | null
}

/** The card of one agent: what a look found out, and over it what its own turns have taught. */
export const cardOf = (
  agent: AgentId,
  adapter: AgentAdapter,
  found: Detection | undefined,
  learned: Learned | undefined,
): AgentCard => ({
  agent,
  kind: adapter.kind,
  ...nameOfAgent(agent),
  transport: adapter.transport,
  abilities: adapter.abilities,
  skillFolders: skillFolders(adapter.kind),
  sessionFolders: sessionFolders(adapter.kind),
  tested: tested[adapter.kind] ?? null,
  rehearsal: adapter.kind === 'rehearsal',
  ...(found ? withLearned(found, learned) : unchecked),
})

/** A key of a provider stands in for a login, but not for one that an agent's own turn found refused. */
export const withProvider = (card: AgentCard, provider: string | null): AgentCard =>
  provider === null || !isWithoutLogin(card) || card.failure?.code === 'agent.unauthorized'
    ? card
    : { ...card, readiness: 'ready', evidence: `has the provider profile “${provider}”`, remedy: null }

const isWithoutLogin = ({ readiness, stages }: AgentCard): boolean =>
  readiness === 'needsLogin' ||
  (readiness === 'installed' && stages.some(({ stage, outcome }) => stage === 'credentials' && outcome === 'unknown'))

/** A refusal stays until the agent has answered or has been logged in anew; an answer, until a later look denies it. */
export const isOutdated = (learned: Learned, found: Detection, order: number): boolean => {
  if (isRefusal(learned.failure)) return (found.loginAt ?? 0) > learned.at
  const isLater = order > learned.order
  if (learned.failure) return isLater
  return isLater && (found.program?.version !== learned.version || found.card.readiness === 'needsLogin')
}

/** What stands in the place of a first look that did not come to an end. */
export const lateDetection = (at: number): Detection => ({
  card: {
    readiness: 'incompatible',
    version: null,
    evidence: null,
    stages: [stageOf('found', 'unknown', 'The look for it did not come to an end.')],
    failure: { code: 'agent.incompatible', message: 'The look for it did not come to an end. Look again.' },
    remedy: null,
    checkedAt: at,
  },
  program: null,
})

const isRefusal = (failure: Failure | null): boolean => failure?.code === 'agent.unauthorized'

const withLearned = ({ card, program, login }: Detection, learned: Learned | undefined): Detection['card'] => {
  if (!learned || program === null) return card
  const { failure, at } = learned
  const stage = failure
    ? stageOf('answered', 'no', isRefusal(failure) ? 'Its provider refused its credentials.' : failure.message)
    : stageOf('answered', 'yes', 'It has answered a turn.')
  const checkedAt = Math.max(at, card.checkedAt ?? at)
  const known = { ...card, stages: withStage(card.stages, stage), failure, checkedAt }
  if (failure === null) return { ...known, readiness: 'recentlyVerified', evidence: 'answered a turn', remedy: null }
  if (!isRefusal(failure)) return known
  return { ...known, readiness: 'needsLogin', evidence: 'refused our credentials', remedy: login ?? card.remedy }
}
