import type { AgentCard, ReadinessStage } from '../../shared/agent.ts'

type Stage = ReadinessStage['stage']

/** One stage with its sentence. */
export const stageOf = (stage: Stage, outcome: ReadinessStage['outcome'], how: string): ReadinessStage => ({
  stage,
  outcome,
  how: how.slice(0, 300),
})

/** The stages with one of them put in the place of what was said of it before. */
export const withStage = (stages: readonly ReadinessStage[], one: ReadinessStage): ReadinessStage[] => [
  ...stages.filter(({ stage }) => order.indexOf(stage) < order.indexOf(one.stage)),
  one,
  ...stages.filter(({ stage }) => order.indexOf(stage) > order.indexOf(one.stage)),
]

/** What the stages come to. An agent that only can be found never gets further than installed. */
export const readinessOf = (stages: readonly ReadinessStage[], isSpokenWith = true): AgentCard['readiness'] => {
  const outcome = (wanted: Stage) => stages.find(({ stage }) => stage === wanted)?.outcome
  if (outcome('found') !== 'yes') return 'notInstalled'
  if (outcome('version') === 'no' || outcome('runtime') === 'no') return 'incompatible'
  if (!isSpokenWith) return 'installed'
  if (outcome('protocol') === 'no') return 'incompatible'
  if (outcome('answered') === 'yes') return 'recentlyVerified'
  if (outcome('credentials') === 'no' || outcome('answered') === 'no') return 'needsLogin'
  return outcome('credentials') === 'yes' ? 'ready' : 'installed'
}

const order: readonly Stage[] = ['found', 'version', 'runtime', 'protocol', 'credentials', 'answered']
