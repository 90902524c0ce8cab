import type { Usage } from '../../../shared/usage.ts'
import { failureOf } from '../failures.ts'
import type { Heard } from '../live-turn.ts'
import { Spoken } from '../spoken.ts'
import {
  Delta,
  ErrorNews,
  Item,
  ItemNews,
  PlanNews,
  SummaryDelta,
  TurnNews,
  UsageNews,
  WarningNews,
  type FileChange,
  type Tokens,
} from './protocol.ts'
import { readFailure, readRetry } from './read-failure.ts'
import { toolOf, type Workplace } from './read-item.ts'

/** Reads what codex notifies about one thread. Pure but for what it remembers: no clock, no process. */
export class CodexReader {
  readonly #threadId: string
  readonly #workplace: Workplace
  readonly #changes = new Map<string, readonly FileChange[]>()
  #text = new Spoken('text')
  #reasoning = new Spoken('reasoning')
  #unknown = new Set<string>()
  #turnId: string | null = null
  #bytes = 0
  #retries = 0
  /** What the thread had used when this turn began; `null` until codex says a number. */
  #usedBefore: Tokens | null = null
  #usedSoFar: Tokens | null = null

  constructor(threadId: string, workplace: Workplace) {
    this.#threadId = threadId
    this.#workplace = workplace
  }

  beginTurn() {
    this.#text = new Spoken('text')
    this.#reasoning = new Spoken('reasoning')
    this.#unknown = new Set()
    this.#turnId = null
    this.#retries = 0
    this.#usedBefore = this.#usedSoFar
  }

  /** What a file change that is asked about would change: the question itself does not say. */
  changesOf(itemId: string): readonly FileChange[] {
    return this.#changes.get(itemId) ?? []
  }

  read(method: string, params: unknown, bytes = 0): Heard[] {
    if (isOfOtherThread(params, this.#threadId)) return []
    const read = Object.hasOwn(readers, method) ? readers[method] : undefined
    this.#bytes = bytes
    if (read) return read(this, params)
    return quiet.has(method) || method.startsWith('thread/') ? [] : this.#readUnknown(method)
  }

  readText(params: unknown): Heard[] {
    const delta = Delta.safeParse(params)
    return delta.success ? this.#text.add(delta.data.itemId, delta.data.delta) : this.#readOdd('a piece of text')
  }

  readSummary(params: unknown): Heard[] {
    const delta = SummaryDelta.safeParse(params)
    if (!delta.success) return this.#readOdd('a piece of reasoning')
    return this.#reasoning.add(`${delta.data.itemId} ${delta.data.summaryIndex}`, delta.data.delta)
  }

  readItem(params: unknown, begun: boolean): Heard[] {
    const news = ItemNews.safeParse(params)
    if (!news.success) return this.#readOdd('an item')
    if (news.data.item.type === 'userMessage') return []
    const parsed = Item.safeParse(news.data.item)
    if (!parsed.success)
      return quietItems.has(news.data.item.type) ? [] : this.#readUnknown(`item ${news.data.item.type}`)
    const item = parsed.data
    if (item.type === 'agentMessage') return begun ? [] : this.#text.settle(item.id, item.text)
    if (item.type === 'reasoning') {
      return begun ? [] : item.summary.flatMap((text, index) => this.#reasoning.settle(`${item.id} ${index}`, text))
    }
    if (item.type === 'fileChange') this.#changes.set(item.id, item.changes)
    const tool = toolOf(item, begun, this.#workplace)
    return tool ? [{ type: 'tool', tool }] : []
  }

  readPlan(params: unknown): Heard[] {
    const news = PlanNews.safeParse(params)
    if (!news.success) return this.#readOdd('a plan')
    return [
      {
        type: 'plan',
        entries: news.data.plan
          .slice(0, 50)
          .map(({ step, status }) => ({ title: step, status: status === 'completed' ? 'done' : status })),
      },
    ]
  }

  readTurnStart(params: unknown): Heard[] {
    const news = TurnNews.safeParse(params)
    if (news.success) this.#turnId = news.data.turn.id
    return []
  }

  /** Codex counts the whole thread, and after a resume repeats the count of the last turn: ours is what came since. */
  readUsage(params: unknown): Heard[] {
    const news = UsageNews.safeParse(params)
    if (!news.success) return this.#readOdd('usage')
    const { total, last } = news.data.tokenUsage
    this.#usedSoFar = total
    if (news.data.turnId !== this.#turnId) {
      this.#usedBefore = total
      return []
    }
    this.#usedBefore ??= less(total, last)
    return [{ type: 'usage', usage: usageOf(less(total, this.#usedBefore)) }]
  }

  readError(params: unknown): Heard[] {
    const news = ErrorNews.safeParse(params)
    if (!news.success) return this.#readOdd('an error')
    // the turn's end tells it once more
    if (!news.data.willRetry) return []
    const { error } = news.data
    return [
      ...this.#reasoning.drop(),
      ...this.#text.drop(),
      { type: 'retrying', ...this.#countRetry(error.message), delayMs: null, failure: readFailure(error) },
    ]
  }

  /** Where codex does not count, because it would go on for ever, we do. */
  #countRetry(message: string) {
    const { attempt, max } = readRetry(message)
    this.#retries = max === null ? this.#retries + 1 : attempt
    return { attempt: this.#retries, max }
  }

  readTurnEnd(params: unknown): Heard[] {
    const news = TurnNews.safeParse(params)
    // that it is over is said by its name; how, by nothing that we know
    if (!news.success) return [{ type: 'turnEnded', end: { status: 'failed', failure: failureOf('agent.garbled') } }]
    const { status, error } = news.data.turn
    if (status === 'completed') return [{ type: 'turnEnded', end: { status: 'completed' } }]
    if (status === 'interrupted') return [{ type: 'turnEnded', end: { status: 'cancelled' } }]
    return [
      {
        type: 'turnEnded',
        end: { status: 'failed', failure: error ? readFailure(error) : failureOf('agent.crashed') },
      },
    ]
  }

  readWarning(params: unknown): Heard[] {
    const news = WarningNews.safeParse(params)
    return news.success ? [{ type: 'warning', text: news.data.message }] : []
  }

  /** A notice of a known kind that lacks what makes it one. */
  #readOdd(what: string): Heard[] {
    return this.#readUnknown(`${what} in another shape`)
  }

  /** Named once a turn, however often it comes. */
  #readUnknown(what: string): Heard[] {
    if (this.#unknown.has(what)) return []
    this.#unknown.add(what)
    return [{ type: 'omitted', what: `codex: ${what}`, bytes: this.#bytes, sha256: null }]
  }
}

const readers: Record<string, ((reader: CodexReader, params: unknown) => Heard[]) | undefined> = {
  'item/agentMessage/delta': (reader, params) => reader.readText(params),
  'item/reasoning/summaryTextDelta': (reader, params) => reader.readSummary(params),
  'turn/started': (reader, params) => reader.readTurnStart(params),
  'item/started': (reader, params) => reader.readItem(params, true),
  'item/completed': (reader, params) => reader.readItem(params, false),
  'turn/plan/updated': (reader, params) => reader.readPlan(params),
  'thread/tokenUsage/updated': (reader, params) => reader.readUsage(params),
  error: (reader, params) => reader.readError(params),
  'turn/completed': (reader, params) => reader.readTurnEnd(params),
  warning: (reader, params) => reader.readWarning(params),
}

/** Known, and not worth a line: progress of things that are told elsewhere, or matters of codex' own window. */
const quiet = new Set([
  'turn/diff/updated',
  'turn/moderationMetadata',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'item/plan/delta',
  'item/reasoning/textDelta',
  'item/reasoning/summaryPartAdded',
  'account/rateLimits/updated',
  'account/updated',
  'configWarning',
  'deprecationNotice',
  'serverRequest/resolved',
  'remoteControl/status/changed',
  'mcpServer/startupStatus/updated',
  'skills/changed',
  'hook/started',
  'hook/completed',
  'app/list/updated',
  'rawResponseItem/completed',
  'rawResponse/completed',
  'model/rerouted',
])
const quietItems = new Set([
  'hookPrompt',
  'functionCallOutput',
  'contextCompaction',
  'enteredReviewMode',
  'exitedReviewMode',
  'subAgentActivity',
  'sleep',
])

/** A helper's thread shares the connection; its words are not the answer. */
const isOfOtherThread = (params: unknown, threadId: string) =>
  typeof params === 'object' &&
  params !== null &&
  'threadId' in params &&
  typeof params.threadId === 'string' &&
  params.threadId !== threadId

const less = (one: Tokens, other: Tokens): Tokens => ({
  inputTokens: Math.max(0, one.inputTokens - other.inputTokens),
  cachedInputTokens: Math.max(0, one.cachedInputTokens - other.cachedInputTokens),
  outputTokens: Math.max(0, one.outputTokens - other.outputTokens),
  reasoningOutputTokens: Math.max(0, one.reasoningOutputTokens - other.reasoningOutputTokens),
})

const usageOf = (tokens: Tokens): Usage => ({
  inputTokens: tokens.inputTokens,
  cachedTokens: tokens.cachedInputTokens,
  outputTokens: tokens.outputTokens,
  reasoningTokens: tokens.reasoningOutputTokens,
  costUsd: null,
  provenance: 'reported',
})
