import type { ToolNote } from '../../../shared/agent-event.ts'
import { failureOf } from '../failures.ts'
import type { Heard } from '../live-turn.ts'
import { Spoken } from '../spoken.ts'
import {
  AssistantLine,
  DeniedLine,
  InitLine,
  ResultLine,
  RetryLine,
  SystemLine,
  Tokens,
  UserLine,
  type Block,
  type ToolResult,
} from './protocol.ts'
import { readResultFailure, readRetryFailure } from './read-failure.ts'
import { describeTool, resultText } from './read-tool.ts'
import { plus, usageOf, usageOfResult } from './read-usage.ts'

/** Reads claude's lines of one session. Pure but for what it remembers: no clock, no process. */
export class ClaudeReader {
  readonly #sessionId: string
  readonly #cwd: string
  #text = new Spoken('text')
  #reasoning = new Spoken('reasoning')
  #tools = new Map<string, ToolNote>()
  #used = new Map<string, Tokens>()
  #usage = usageOf({})
  #blocks = new Map<string, number>()
  #unknown = new Set<string>()
  #streaming = ''
  #bytes = 0
  #lastText: string | null = null
  #errorWord: string | null = null
  #wasInterrupted = false

  constructor(sessionId: string, cwd: string) {
    this.#sessionId = sessionId
    this.#cwd = cwd
  }

  beginTurn() {
    this.#text = new Spoken('text')
    this.#reasoning = new Spoken('reasoning')
    this.#tools = new Map()
    this.#used = new Map()
    this.#usage = usageOf({})
    this.#blocks = new Map()
    this.#unknown = new Set()
    this.#lastText = null
    this.#errorWord = null
    this.#wasInterrupted = false
  }

  /** We asked it to stop: the failure that it reports next is that stop. */
  noteInterrupt() {
    this.#wasInterrupted = true
  }

  /** The person or the mode refused this tool. */
  noteDenial(toolId: string): Heard[] {
    return this.#update(toolId, { status: 'denied' })
  }

  read(line: object, bytes = 0): Heard[] {
    const type = 'type' in line && typeof line.type === 'string' ? line.type : ''
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    this.#bytes = bytes
    if (read) return read(this, line)
    return quiet.has(type) ? [] : this.#readUnknown(type === '' ? 'a line without a type' : type)
  }

  /** The raw stream of the provider; read by hand, because every delta comes this way. */
  readStream(line: object): Heard[] {
    if (!('event' in line) || typeof line.event !== 'object' || line.event === null)
      return this.#readOdd('stream_event')
    if ('parent_tool_use_id' in line && typeof line.parent_tool_use_id === 'string') return []
    const event: { type?: unknown; index?: unknown; delta?: unknown; message?: unknown; usage?: unknown } = line.event
    if (event.type === 'content_block_delta') return this.#readDelta(Number(event.index), event.delta)
    if (event.type === 'message_start' && hasId(event.message)) this.#streaming = event.message.id
    return event.type === 'message_delta' ? this.#readFinalUsage(event.usage) : []
  }

  readAssistant(line: object): Heard[] {
    const parsed = AssistantLine.safeParse(line)
    if (!parsed.success) return this.#readOdd('assistant')
    const { message, parent_tool_use_id: parent, error, is_api_error_message: isError } = parsed.data
    // prose about an error is set as if the model had said it
    if (isError || message.model === '<synthetic>') {
      this.#errorWord = error ?? this.#errorWord
      return []
    }
    const heard = message.content.flatMap((block) => this.#readBlock(message.id, block, parent ?? null))
    return message.usage ? [...heard, ...this.#readUsage(message.id, message.usage)] : heard
  }

  readUser(line: object): Heard[] {
    const parsed = UserLine.safeParse(line)
    if (!parsed.success) return this.#readOdd('user')
    const refused = new Set(
      parsed.data.tool_result_meta?.flatMap((meta) =>
        meta.permission_decision?.decision === 'reject' || meta.non_execution_kind === 'permission-rule'
          ? [meta.id]
          : [],
      ),
    )
    return parsed.data.message.content.flatMap((part) =>
      isToolResult(part) ? this.#readToolResult(part, refused.has(part.tool_use_id)) : [],
    )
  }

  readSystem(line: object): Heard[] {
    const subtype = SystemLine.safeParse(line).data?.subtype
    if (subtype === undefined) return this.#readOdd('system')
    if (subtype === 'init') return this.#readInit(line)
    if (subtype === 'api_retry') return this.#readRetry(line)
    if (subtype !== 'permission_denied') return []
    const denied = DeniedLine.safeParse(line)
    return denied.success
      ? this.#update(denied.data.tool_use_id, { status: 'denied', detail: denied.data.message ?? null })
      : this.#readOdd('system/permission_denied')
  }

  readResult(line: object): Heard[] {
    const parsed = ResultLine.safeParse(line)
    if (!parsed.success) return [{ type: 'turnEnded', end: { status: 'failed', failure: failureOf('agent.garbled') } }]
    const result = parsed.data
    const usage = usageOfResult(result).map((each): Heard => ({ type: 'usage', usage: each }))
    if (result.is_error ?? result.subtype !== 'success') {
      if (this.#wasInterrupted) return [...usage, { type: 'turnEnded', end: { status: 'cancelled' } }]
      return [
        ...usage,
        { type: 'turnEnded', end: { status: 'failed', failure: readResultFailure(result, this.#errorWord) } },
      ]
    }
    if (result.stop_reason === 'refusal') return [...usage, { type: 'turnEnded', end: { status: 'refused' } }]
    return [...this.#settleText(result.result ?? ''), ...usage, { type: 'turnEnded', end: { status: 'completed' } }]
  }

  #readInit(line: object): Heard[] {
    const init = InitLine.safeParse(line)
    if (!init.success || init.data.session_id === this.#sessionId) return []
    return [{ type: 'turnEnded', end: { status: 'failed', failure: failureOf('agent.session-lost') } }]
  }

  #readRetry(line: object): Heard[] {
    const retry = RetryLine.safeParse(line)
    if (!retry.success) return this.#readOdd('system/api_retry')
    const { attempt, max_retries: max, retry_delay_ms: delayMs, error_status: status, error } = retry.data
    const failure = readRetryFailure(status ?? null, error ?? '')
    return [
      ...this.#reasoning.drop(),
      ...this.#text.drop(),
      { type: 'retrying', attempt, max, delayMs: Math.round(delayMs), failure },
    ]
  }

  #readDelta(index: number, delta: unknown): Heard[] {
    if (typeof delta !== 'object' || delta === null) return []
    const id = `${this.#streaming} ${index}`
    if ('text' in delta && typeof delta.text === 'string') {
      this.#lastText = id
      return this.#text.add(id, delta.text)
    }
    return 'thinking' in delta && typeof delta.thinking === 'string' ? this.#reasoning.add(id, delta.thinking) : []
  }

  /** Each line holds the next block of its message, whole. A helper's words are not the answer; its tools are shown. */
  #readBlock(messageId: string, block: Block, parent: string | null): Heard[] {
    const index = this.#blocks.get(messageId) ?? 0
    this.#blocks.set(messageId, index + 1)
    const id = `${messageId} ${index}`
    if ('input' in block) return this.#begin(block.id, describeTool(block.name, block.input, this.#cwd))
    if (parent !== null) return []
    if ('thinking' in block) return this.#reasoning.settle(id, block.thinking)
    if (!('text' in block)) return []
    this.#lastText = id
    return this.#text.settle(id, block.text)
  }

  /** The result repeats the last block; where it says something else, it is right. */
  #settleText(result: string): Heard[] {
    if (result === '' || this.#text.text.endsWith(result.trim())) return []
    return this.#text.settle(this.#lastText ?? 'result', result)
  }

  #readToolResult(result: ToolResult, wasRefused: boolean): Heard[] {
    const detail = resultText(result)
    const isUnavailable =
      result.is_error === true && detail !== null && /No such tool available|is disabled for this session/.test(detail)
    if (wasRefused || isUnavailable) return this.#update(result.tool_use_id, { status: 'denied', detail })
    if (this.#tools.get(result.tool_use_id)?.status === 'denied') return []
    if (result.is_error !== true) return this.#update(result.tool_use_id, { status: 'done', detail })
    return this.#update(result.tool_use_id, { status: this.#wasInterrupted ? 'cancelled' : 'failed', detail })
  }

  #begin(toolId: string, described: Pick<ToolNote, 'kind' | 'title'>): Heard[] {
    const tool: ToolNote = { toolId, ...described, status: 'running', detail: null }
    this.#tools.set(toolId, tool)
    return [{ type: 'tool', tool }]
  }

  #update(toolId: string, news: Partial<Pick<ToolNote, 'status' | 'detail'>>): Heard[] {
    const known = this.#tools.get(toolId)
    if (!known) return []
    const tool = { ...known, ...news }
    this.#tools.set(toolId, tool)
    return known.status === tool.status && known.detail === tool.detail ? [] : [{ type: 'tool', tool }]
  }

  /** Every block of a message repeats the message's usage, so the last word on each message counts once. */
  #readUsage(messageId: string, tokens: Tokens): Heard[] {
    const known = this.#used.get(messageId)
    if (known && (known.output_tokens ?? 0) >= (tokens.output_tokens ?? 0)) return []
    const newest = { ...known, ...tokens }
    this.#used.set(messageId, newest)
    this.#usage = plus(plus(this.#usage, usageOf(newest), 1), usageOf(known ?? {}), -1)
    return [{ type: 'usage', usage: this.#usage }]
  }

  /** What a message cost in the end is said as its stream ends. */
  #readFinalUsage(usage: unknown): Heard[] {
    const tokens = Tokens.safeParse(usage)
    return tokens.success && this.#used.has(this.#streaming) ? this.#readUsage(this.#streaming, tokens.data) : []
  }

  /** A line of a known kind that lacks what makes it one. */
  #readOdd(type: string): Heard[] {
    return this.#readUnknown(`${type} in another shape`)
  }

  /** Named once a turn, however often it comes. */
  #readUnknown(what: string): Heard[] {
    if (this.#unknown.has(what)) return []
    this.#unknown.add(what)
    return [{ type: 'omitted', what: `claude: ${what}`, bytes: this.#bytes, sha256: null }]
  }
}

const readers: Record<string, ((reader: ClaudeReader, line: object) => Heard[]) | undefined> = {
  stream_event: (reader, line) => reader.readStream(line),
  assistant: (reader, line) => reader.readAssistant(line),
  user: (reader, line) => reader.readUser(line),
  system: (reader, line) => reader.readSystem(line),
  result: (reader, line) => reader.readResult(line),
}

const quiet = new Set([
  'control_response',
  'control_request',
  'control_cancel_request',
  'keep_alive',
  'tool_progress',
  'rate_limit_event',
  'auth_status',
  'prompt_suggestion',
  'tool_use_summary',
])

const hasId = (message: unknown): message is { id: string } =>
  typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'string'
const isToolResult = (part: ToolResult | { type: string }): part is ToolResult =>
  part.type === 'tool_result' && 'tool_use_id' in part
