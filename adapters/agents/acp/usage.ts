import * as z from 'zod'
import type { Usage } from '../../../shared/usage.ts'

/** Reads the usage of one turn from its answer, also where an agent counts from the beginning of the session. */
export class UsageCounter {
  readonly #counts: 'turn' | 'session'
  #before: Counted | null

  constructor(counts: 'turn' | 'session', resumed: boolean) {
    this.#counts = counts
    // what a loaded session had used before is not known
    this.#before = resumed ? null : nothing
  }

  read(answer: unknown): Usage | null {
    const counted = Answer.safeParse(answer)
    const now = counted.success ? counted.data.usage : null
    if (!now) return null
    const before = this.#counts === 'turn' ? nothing : this.#before
    this.#before = now
    if (!before) return null
    return {
      inputTokens: Math.max(0, now.inputTokens - before.inputTokens),
      cachedTokens: Math.max(0, now.cachedReadTokens - before.cachedReadTokens),
      outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
      reasoningTokens: Math.max(0, now.thoughtTokens - before.thoughtTokens),
      costUsd: null,
      provenance: 'reported',
    }
  }
}

const Count = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0)
const Counted = z.object({ inputTokens: Count, cachedReadTokens: Count, outputTokens: Count, thoughtTokens: Count })
type Counted = z.infer<typeof Counted>

const Answer = z.object({ usage: Counted.nullish() })
const nothing: Counted = { inputTokens: 0, cachedReadTokens: 0, outputTokens: 0, thoughtTokens: 0 }
