import * as z from 'zod'
import type { Failure } from '../../../shared/errors.ts'
import type { OutputItem, ToolNote } from '../../../shared/agent-event.ts'
import { failureOf, failureOfStatus, retryAfterIn } from '../failures.ts'
import type { Said } from '../one-shot/decoder.ts'

/** What `agent exec --json` printed, or `null` for another object: another command of it prints another shape. */
export const readResult = (value: unknown): Said | null => {
  const result = Result.safeParse(value)
  if (!result.success) return null
  const { ok, status, error } = result.data
  if (!ok || status !== 'ok' || error) return { status: 'failed', failure: failureOfResult(error?.message ?? '') }
  const answer = answerOf(result.data)
  if (answer === '') return { status: 'nothing', noise: '' }
  // the text comes last, so that nothing parts it
  const items = [...toolsOf(result.data), ...usageOf(result.data), { type: 'text' as const, delta: answer }]
  return { status: 'answered', items }
}

const answerOf = ({ final, payloads }: Result): string =>
  final.trim() === '' ? payloads.map(({ text }) => text ?? '').join('\n\n').trim() : final

/** It tells only the names of tools and how many calls failed, and so not which. */
const toolsOf = ({ toolSummary }: Result): OutputItem[] => {
  if (!toolSummary) return []
  const tools = toolSummary.tools.map((name, index): OutputItem => ({
    type: 'tool',
    tool: { toolId: `tool-${index + 1}`, kind: kinds[name] ?? 'other', title: name, status: 'done', detail: null },
  }))
  const { failures, calls } = toolSummary
  if (failures === 0) return tools
  const text = `${failures} of ${calls} calls of its tools failed; it does not say which.`
  return [...tools, { type: 'warning', text }]
}

const usageOf = ({ usage }: Result): OutputItem[] =>
  usage
    ? [
        {
          type: 'usage',
          usage: {
            inputTokens: usage.input,
            cachedTokens: usage.cacheRead,
            outputTokens: usage.output,
            reasoningTokens: 0,
            costUsd: usage.cost?.total || null,
            provenance: 'reported',
          },
        },
      ]
    : []

/** Its one error field is a sentence for a person, so its words must be looked at; the sentence is never an answer. */
const failureOfResult = (said: string): Failure => {
  const status = /\bHTTP (\d{3})\b/i.exec(said)?.[1]
  if (status) return failureOfStatus(Number(status), said, retryAfterIn(said))
  if (/no api key|api key.{0,20}(?:missing|not found)|not authenticated|authenticat/i.test(said)) {
    return failureOf('agent.unauthorized', said)
  }
  if (/rate.?limit|too many requests|cooldown/i.test(said)) return failureOf('agent.rate-limited', said)
  if (/ECONN|ENOTFOUND|ETIMEDOUT|fetch failed|connection error/i.test(said)) return failureOf('agent.unreachable', said)
  return failureOf('agent.crashed', said)
}

const kinds: Readonly<Record<string, ToolNote['kind'] | undefined>> = {
  read: 'read',
  write: 'edit',
  edit: 'edit',
  apply_patch: 'edit',
  exec: 'execute',
  process: 'execute',
  web_search: 'search',
  memory_search: 'search',
  web_fetch: 'fetch',
}

const Count = z.number().int().nonnegative().catch(0)
const Result = z.object({
  ok: z.boolean(),
  status: z.string(),
  final: z.string().nullish().transform((final) => final ?? ''),
  payloads: z.array(z.object({ text: z.string().nullish() })).catch([]),
  usage: z
    .object({
      input: Count,
      output: Count,
      cacheRead: Count.default(0),
      cost: z.object({ total: z.number().nonnegative() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  toolSummary: z
    .object({ calls: Count, tools: z.array(z.string().max(200)).max(200).catch([]), failures: Count.default(0) })
    .nullish()
    .catch(null),
  error: z.object({ message: z.string().catch('') }).nullish(),
})
type Result = z.infer<typeof Result>
