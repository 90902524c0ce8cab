import * as z from 'zod'
import type { AgentEvent, PermissionRequest, ToolNote } from '../../../shared/agent-event.ts'
import { beginningOf } from '../../redact.ts'
import { modeIn } from './mode.ts'

/** One `session/update` in our words. */
export type Update =
  /** Some tell with what was said how much its request used. */
  | { type: 'said'; kind: 'text' | 'reasoning'; messageId: string | null; delta: string; usage: unknown }
  | { type: 'tool'; toolId: string; change: Partial<Omit<ToolNote, 'toolId'>> }
  | { type: 'event'; event: AgentEvent }
  /** The mode that stands now; `null` where other options were told. */
  | { type: 'mode'; mode: string | null }
  /** How many tokens the conversation holds, and what it has cost since it began. */
  | { type: 'holds'; tokens: number; costUsd: number | null }

/** `null` for another session's update and for those that say nothing to a person. */
export const readUpdate = (params: unknown, sessionId: string): Update | null => {
  const plain = readPlainChunk(params, sessionId)
  if (plain) return plain
  const read = Params.safeParse(params)
  if (!read.success) return omit('an update that could not be read', params)
  if (read.data.sessionId !== sessionId) return null
  const { update } = read.data
  const reader = readers.get(update.sessionUpdate)
  if (reader === undefined) return omit(`an unknown update: ${update.sessionUpdate}`, params)
  return reader === null
    ? null
    : (reader(update) ?? omit(`an update that could not be read: ${update.sessionUpdate}`, params))
}

/** A piece of text and nothing else, read by hand because nearly every update is one. */
const readPlainChunk = (params: unknown, sessionId: string): Update | null => {
  if (!isRecord(params) || params['sessionId'] !== sessionId || !isRecord(params['update'])) return null
  const { sessionUpdate, content, messageId = null, ...more } = params['update']
  const kind = plainChunks.get(sessionUpdate)
  if (kind === undefined || Object.keys(more).length > 0) return null
  if (!isRecord(content) || content['type'] !== 'text') return null
  const { text } = content
  if (typeof text !== 'string' || (messageId !== null && typeof messageId !== 'string')) return null
  return { type: 'said', kind, messageId, delta: text, usage: null }
}

const plainChunks = new Map<unknown, 'text' | 'reasoning'>([
  ['agent_message_chunk', 'text'],
  ['agent_thought_chunk', 'reasoning'],
])
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether a call would change something, by what its question or what was heard of it before says. */
export const wouldWrite = (call: unknown, known: ToolNote | null): boolean => {
  const own = z.object({ kind: z.unknown() }).safeParse(call).data?.kind
  const kinds = [readCall(call).kind, known?.kind]
  return own === 'switch_mode' || kinds.some((kind) => kind === 'edit' || kind === 'execute')
}

/** Kind and title of the call that a question is about. */
export const readCall = (call: unknown): Partial<Pick<ToolNote, 'kind' | 'title'>> => {
  const read = ToolCall.safeParse(call)
  if (!read.success) return {}
  const { kind, title } = read.data
  return { ...(kind ? { kind } : {}), ...(title ? { title: beginningOf(title, 400) } : {}) }
}

/** What a question is about, from the question itself and from what was heard of the call before. */
export const describeCall = (
  call: unknown,
  known: ToolNote | null,
): Pick<PermissionRequest, 'kind' | 'title' | 'detail' | 'reason'> => {
  const read = ToolCall.safeParse(call)
  const kind = (read.success ? read.data.kind : null) ?? known?.kind ?? 'other'
  const name = (read.success ? read.data.title : null) ?? known?.title ?? ''
  const subject = read.success ? subjectOf(read.data) : ''
  const text = read.success ? textIn(read.data.content) : ''
  // some put the command into the title and only remarks into the text: without both, one might allow the unknown
  const detail = subject || [name, text].filter(Boolean).join('\n') || 'It does not say what.'
  return {
    kind,
    title: askTitles[kind],
    detail: beginningOf(detail, 4_000),
    reason: subject !== '' && name !== '' && name !== subject ? beginningOf(name, 1_000) : null,
  }
}

const askTitles: Readonly<Record<ToolNote['kind'], string>> = {
  read: 'read a file',
  edit: 'edit a file',
  execute: 'run a command',
  search: 'search',
  fetch: 'fetch an address',
  think: 'use a tool',
  other: 'use a tool',
}

const Params = z.object({ sessionId: z.string(), update: z.looseObject({ sessionUpdate: z.string() }) })

const Text = z.object({ type: z.literal('text'), text: z.string() })
const Chunk = z.object({
  content: z.looseObject({ type: z.string() }),
  messageId: z.string().nullish().catch(null),
  _meta: z.object({ usage: z.unknown() }).nullish().catch(null),
})

const kinds = new Map<string, ToolNote['kind']>([
  ['read', 'read'],
  ['edit', 'edit'],
  ['delete', 'edit'],
  ['move', 'edit'],
  ['search', 'search'],
  ['execute', 'execute'],
  ['think', 'think'],
  ['fetch', 'fetch'],
])
const statuses = new Map<string, ToolNote['status']>([
  ['pending', 'running'],
  ['in_progress', 'running'],
  ['completed', 'done'],
  ['failed', 'failed'],
])

const ToolCall = z.object({
  toolCallId: z.string(),
  title: z.string().nullish().catch(null),
  kind: z
    .string()
    .nullish()
    .catch(null)
    .transform((kind) => (kind ? (kinds.get(kind) ?? 'other') : null)),
  status: z
    .string()
    .nullish()
    .catch(null)
    .transform((status) => (status ? (statuses.get(status) ?? 'running') : null)),
  content: z
    .array(z.looseObject({ type: z.string() }))
    .nullish()
    .catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
  rawInput: z
    .object({
      command: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(null),
})
type ToolCall = z.infer<typeof ToolCall>

const Holds = z.object({
  used: z.number().int().nonnegative(),
  cost: z
    .object({ amount: z.number().nonnegative(), currency: z.string() })
    .nullish()
    .catch(null),
})

const Plan = z.object({ entries: z.array(z.object({ content: z.string(), status: z.string().catch('pending') })) })
const planStatuses = new Map<string, 'inProgress' | 'done'>([
  ['in_progress', 'inProgress'],
  ['completed', 'done'],
])

const readSaid =
  (kind: 'text' | 'reasoning') =>
  (update: unknown): Update | null => {
    const chunk = Chunk.safeParse(update)
    if (!chunk.success) return null
    const { content, messageId, _meta: more } = chunk.data
    const text = Text.safeParse(content)
    if (text.success) {
      return { type: 'said', kind, messageId: messageId ?? null, delta: text.data.text, usage: more?.usage ?? null }
    }
    return omit(`content of the kind ${content.type}`, content)
  }

const readTool = (update: unknown): Update | null => {
  const read = ToolCall.safeParse(update)
  if (!read.success) return null
  const { toolCallId, title, kind, status } = read.data
  const detail = resultOf(read.data)
  return {
    type: 'tool',
    toolId: toolCallId.slice(0, 200),
    change: {
      ...(title ? { title: beginningOf(title, 400) } : {}),
      ...(kind ? { kind } : {}),
      ...(status ? { status } : {}),
      ...(detail === null ? {} : { detail: beginningOf(detail, 2_000) }),
    },
  }
}

const readPlan = (update: unknown): Update | null => {
  const read = Plan.safeParse(update)
  if (!read.success) return null
  const entries = read.data.entries
    .slice(0, 50)
    .map(({ content, status }) => ({
      title: beginningOf(content, 400),
      status: planStatuses.get(status) ?? ('pending' as const),
    }))
  return { type: 'event', event: { type: 'plan', entries } }
}

const readMode = (update: unknown): Update => ({ type: 'mode', mode: modeIn(update) })

const readHolds = (update: unknown): Update | null => {
  const read = Holds.safeParse(update)
  if (!read.success) return null
  const { used, cost } = read.data
  return { type: 'holds', tokens: used, costUsd: cost?.currency === 'USD' ? cost.amount : null }
}

/** `null` marks what is known and says nothing to a person. */
const readers = new Map<string, ((update: unknown) => Update | null) | null>([
  ['agent_message_chunk', readSaid('text')],
  ['agent_thought_chunk', readSaid('reasoning')],
  ['tool_call', readTool],
  ['tool_call_update', readTool],
  ['plan', readPlan],
  ['user_message_chunk', null],
  ['available_commands_update', null],
  ['current_mode_update', readMode],
  ['config_option_update', readMode],
  ['session_info_update', null],
  ['usage_update', readHolds],
])

/** The command or path as the asker gave it, where it gave one apart from its words. */
const subjectOf = ({ rawInput, content, locations }: ToolCall): string => {
  const command = rawInput?.command
  if (typeof command === 'string') return command
  if (command) return command.join(' ')
  const changed = pathsIn(content)
  if (changed.length > 0) return changed.join('\n')
  return (locations ?? []).map(({ path }) => path).join('\n')
}

const resultOf = ({ content }: ToolCall): string | null => {
  const parts = [...pathsIn(content).map((path) => `changed ${path}`), textIn(content)].filter(Boolean)
  return parts.length > 0 ? parts.join('\n') : null
}

const pathsIn = (content: ToolCall['content']): string[] =>
  (content ?? []).flatMap((part) => (part.type === 'diff' && typeof part['path'] === 'string' ? [part['path']] : []))

const textIn = (content: ToolCall['content']): string =>
  (content ?? [])
    .flatMap((part) => {
      const text = part.type === 'content' ? Text.safeParse(part['content']) : null
      return text?.success ? [text.data.text] : []
    })
    .join('\n')

const omit = (what: string, value: unknown): Update => ({
  type: 'event',
  event: { type: 'omitted', what: beginningOf(what, 200), bytes: JSON.stringify(value ?? null).length, sha256: null },
})
