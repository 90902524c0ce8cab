import type { Usage } from '../../../shared/usage.ts'
import type { ResultLine, Tokens } from './protocol.ts'

/** What a turn used and cost by its end, where that says so. */
export const usageOfResult = ({ model_usage_since_last_result: byModel, usage }: ResultLine): Usage[] => {
  const models = Object.values(byModel ?? {})
  if (models.length === 0) {
    return usage && (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0) > 0 ? [usageOf(usage)] : []
  }
  const sum = (count: (model: (typeof models)[number]) => number) =>
    models.reduce((total, model) => total + count(model), 0)
  return [
    {
      inputTokens: sum((model) => model.inputTokens + model.cacheReadInputTokens + model.cacheCreationInputTokens),
      cachedTokens: sum((model) => model.cacheReadInputTokens),
      outputTokens: sum((model) => model.outputTokens),
      reasoningTokens: sum((model) => model.thinkingTokens),
      costUsd: sum((model) => model.costUSD),
      provenance: 'reported',
    },
  ]
}

/** What was read from the cache stands beside the rest here, and is a part of the input with us. */
export const usageOf = (tokens: Tokens): Usage => {
  const cachedTokens = tokens.cache_read_input_tokens ?? 0
  return {
    inputTokens: (tokens.input_tokens ?? 0) + (tokens.cache_creation_input_tokens ?? 0) + cachedTokens,
    cachedTokens,
    outputTokens: tokens.output_tokens ?? 0,
    reasoningTokens: 0,
    costUsd: null,
    provenance: 'reported',
  }
}

/** Two counts as one, or the difference. */
export const plus = (one: Usage, other: Usage, times: 1 | -1): Usage => ({
  ...one,
  inputTokens: one.inputTokens + times * other.inputTokens,
  cachedTokens: one.cachedTokens + times * other.cachedTokens,
  outputTokens: one.outputTokens + times * other.outputTokens,
})
