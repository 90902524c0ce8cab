import * as z from 'zod'

/** Tokens of one attempt so far, as the agent reported them; `null` where it says nothing. */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  cachedTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  reasoningTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
  provenance: z.enum(['reported', 'estimated', 'unknown']),
})
export type Usage = z.infer<typeof Usage>

export const noUsage: Usage = {
  inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, costUsd: null, provenance: 'unknown',
}
