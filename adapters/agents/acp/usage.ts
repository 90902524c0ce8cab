import * as z from 'zod'
import type { Usage } from '../../../shared/usage.ts'
import { usageAfterAnswerMs } from '../../../shared/limits.ts'
import type { AcpAgent } from './agent.ts'

/** Works out what one turn used, wherever and from when on an agent counts. */
export class UsageCounter {
  readonly #counts: AcpAgent['usage']
  /** Totals before this turn; what a loaded session had used and cost before is not known. */
  #before: Counted | null
  #costBefore: number | null
  #cost: number | null
  #requests: Counted[] = []
  #held: number | null = null
  #told: PromiseWithResolvers<void> | null = null

  constructor(counts: AcpAgent['usage'], resumed: boolean) {
    this.#counts = counts
    this.#before = resumed ? null : nothing
    this.#costBefore = resumed ? null : 0
    this.#cost = this.#costBefore
  }

  beginTurn(): void {
    this.#requests = []
    this.#held = null
    this.#costBefore = this.#cost
  }

  /** One of the requests of this turn was counted apart. */
  hearRequest(usage: unknown): void {
    const counted = Counted.safeParse(usage)
    if (counted.success) this.#requests.push(counted.data)
  }

  /** What the whole conversation holds now, and what it has cost since it began. */
  hearHolds(tokens: number, costUsd: number | null): void {
    this.#held = tokens
    if (costUsd !== null) this.#cost = costUsd
    this.#told?.resolve()
  }

  /** The usage of the turn that was answered so; a whole one is waited for shortly where it is told only afterwards. */
  async read(answer: unknown, isWhole: boolean): Promise<Usage | null> {
    if (this.#counts === 'context') return isWhole ? this.#readContext() : null
    const told = countedIn(answer)
    const counted = told ?? (this.#requests.length > 0 ? this.#requests.reduce(add, nothing) : null)
    if (!counted) return null
    const before = this.#counts === 'turn' ? nothing : this.#before
    if (this.#counts === 'session') this.#before = counted
    const usage = before ? this.#less(counted, before) : null
    // one that counts only what came to an end says zero for a turn that did not
    return usage && usage.inputTokens + usage.outputTokens > 0 ? usage : null
  }

  async #readContext(): Promise<Usage | null> {
    this.#told = Promise.withResolvers<void>()
    const late = setTimeout(this.#told.resolve, usageAfterAnswerMs)
    await this.#told.promise
    clearTimeout(late)
    this.#told = null
    if (this.#held === null) return null
    return { ...this.#less({ ...nothing, inputTokens: this.#held }, nothing), provenance: 'estimated' }
  }

  #less(now: Counted, before: Counted): Usage {
    const cost = this.#cost === null || this.#costBefore === null ? 0 : this.#cost - this.#costBefore
    return {
      inputTokens: Math.max(0, inputOf(now) - inputOf(before)),
      cachedTokens: Math.max(0, now.cachedReadTokens - before.cachedReadTokens),
      outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
      reasoningTokens: Math.max(0, now.thoughtTokens - before.thoughtTokens),
      // nothing is also what a model without a known price costs
      costUsd: cost > 0 ? cost : null,
      provenance: 'reported',
    }
  }
}

/** Some count what came from the cache within the input, some beside it: the total tells which. */
const inputOf = ({ inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens, totalTokens }: Counted): number => {
  const beside = inputTokens + cachedReadTokens + cachedWriteTokens
  return totalTokens >= beside + outputTokens ? beside : inputTokens
}

const add = (one: Counted, other: Counted): Counted => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedReadTokens: one.cachedReadTokens + other.cachedReadTokens,
  cachedWriteTokens: one.cachedWriteTokens + other.cachedWriteTokens,
  thoughtTokens: one.thoughtTokens + other.thoughtTokens,
  totalTokens: one.totalTokens + other.totalTokens,
})

const countedIn = (answer: unknown): Counted | null => {
  const own = Answer.safeParse(answer).data?.usage
  if (own) return own
  const quota = Quota.safeParse(answer).data?._meta.quota.token_count
  return quota ? { ...nothing, inputTokens: quota.input_tokens, outputTokens: quota.output_tokens } : null
}

const Count = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0)
const Counted = z.object({
  inputTokens: Count,
  outputTokens: Count,
  cachedReadTokens: Count,
  cachedWriteTokens: Count,
  thoughtTokens: Count,
  totalTokens: Count,
})
type Counted = z.infer<typeof Counted>

const Answer = z.object({ usage: Counted.nullish() })
const Quota = z.object({
  _meta: z.object({ quota: z.object({ token_count: z.object({ input_tokens: Count, output_tokens: Count }) }) }),
})
const nothing: Counted = Counted.parse({})
