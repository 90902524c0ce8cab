import type { Act, DialectName } from './tape.ts'

/** What a client's line wants of an agent. */
type Wish =
  | { kind: 'answer'; reply: object }
  | { kind: 'prompt'; text: string; reply?: object }
  | { kind: 'cancel'; reply?: object }
  | { kind: 'nothing' }

/** One protocol as an agent speaks it: how a line is understood, and how each act is told. */
export interface Dialect {
  read(line: Line): Wish
  tell(act: Act): object[]
}

export interface Line {
  id?: number
  method?: string
  type?: string
  request_id?: string
  request?: { subtype: string }
  message?: { content: unknown }
  params?: { threadId?: string; sessionId?: string; input?: { text: string }[]; prompt?: { text: string }[] }
}

/** The protocols by name; `session` is the id that a client chose by its arguments. */
export const dialectOf = (name: DialectName, session: string): Dialect => {
  if (name === 'codex') return codex()
  return name === 'claude' ? claude(session) : acp()
}

const codex = (): Dialect => {
  let threadId = 'thread-1'
  let turns = 0
  const news = (method: string, params: object) => ({
    method,
    params: { threadId, turnId: `turn-${turns}`, ...params },
  })
  const answers: Record<string, (line: Line) => object> = {
    initialize: () => ({ userAgent: 'fake' }),
    'config/read': () => ({ config: {} }),
    'thread/start': () => ({ thread: { id: threadId } }),
    'thread/resume': ({ params }) => ({ thread: { id: (threadId = params?.threadId ?? threadId) } }),
  }
  return {
    read(line) {
      const { id, method = '', params } = line
      if (id === undefined) return { kind: 'nothing' }
      if (method === 'turn/interrupt') return { kind: 'cancel', reply: { id, result: {} } }
      if (method !== 'turn/start') return { kind: 'answer', reply: { id, result: answers[method]?.(line) ?? {} } }
      turns += 1
      return {
        kind: 'prompt',
        text: textIn(params?.input),
        reply: { id, result: { turn: { id: `turn-${turns}` } } },
      }
    },
    tell(act) {
      if (act.act === 'say') return [news('item/agentMessage/delta', { itemId: 'said', delta: act.text })]
      if (act.act === 'think') {
        return [news('item/reasoning/summaryTextDelta', { itemId: 'thought', summaryIndex: 0, delta: act.text })]
      }
      if (act.act === 'tool') {
        const status = { running: 'inProgress', done: 'completed', failed: 'failed', denied: 'declined' }[act.status]
        const item = {
          type: 'commandExecution',
          id: act.id,
          command: 'ls',
          commandActions: [],
          status,
          aggregatedOutput: act.output ?? null,
        }
        return [news(act.status === 'running' ? 'item/started' : 'item/completed', { item })]
      }
      const status = { completed: 'completed', refused: 'failed', cancelled: 'interrupted', failed: 'failed' }[act.as]
      const error = status === 'failed' ? { message: act.said ?? 'It failed.', codexErrorInfo: null } : null
      return [news('turn/completed', { turn: { id: `turn-${turns}`, status, error } })]
    },
  }
}

const claude = (session: string): Dialect => {
  let messages = 0
  const delta = (index: number, body: object) => ({
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'content_block_delta', index, delta: body },
  })
  return {
    read({ type, request_id: id, request, message }) {
      const reply = { type: 'control_response', response: { subtype: 'success', request_id: id, response: {} } }
      if (type === 'control_request') return { kind: request?.subtype === 'interrupt' ? 'cancel' : 'answer', reply }
      if (type !== 'user') return { kind: 'nothing' }
      return { kind: 'prompt', text: typeof message?.content === 'string' ? message.content : '' }
    },
    tell(act) {
      if (act.act === 'say') return [delta(0, { type: 'text_delta', text: act.text })]
      if (act.act === 'think') return [delta(1, { type: 'thinking_delta', thinking: act.text })]
      if (act.act === 'tool' && act.status === 'running') {
        messages += 1
        const content = [{ type: 'tool_use', id: act.id, name: 'Bash', input: { command: 'ls' } }]
        return [{ type: 'assistant', parent_tool_use_id: null, message: { id: `m${messages}`, content } }]
      }
      if (act.act === 'tool') {
        const result = {
          type: 'tool_result',
          tool_use_id: act.id,
          is_error: act.status !== 'done',
          content: act.output ?? '',
        }
        const meta = [{ id: act.id, permission_decision: { decision: act.status === 'denied' ? 'reject' : 'accept' } }]
        return [{ type: 'user', message: { content: [result] }, tool_result_meta: meta }]
      }
      const isError = act.as === 'failed' || act.as === 'cancelled'
      return [
        {
          type: 'result',
          subtype: act.as === 'cancelled' ? 'error_during_execution' : 'success',
          is_error: isError,
          session_id: session,
          result: act.said ?? '',
          ...(act.as === 'refused' ? { stop_reason: 'refusal' } : {}),
        },
      ]
    },
  }
}

const acp = (): Dialect => {
  let prompt = 0
  const message = (body: object) => ({ jsonrpc: '2.0', ...body })
  const update = (body: object) =>
    message({ method: 'session/update', params: { sessionId: 's1', update: body } })
  const modes = { currentModeId: 'plan', availableModes: ['plan', 'edit'].map((id) => ({ id, name: id })) }
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: 1,
      agentInfo: { name: 'fake', version: '1' },
      agentCapabilities: { loadSession: true },
    },
    'session/new': { sessionId: 's1', modes },
    'session/load': { modes },
  }
  return {
    read({ id, method = '', params }) {
      if (method === 'session/cancel') return { kind: 'cancel' }
      if (id === undefined) return { kind: 'nothing' }
      if (method !== 'session/prompt') return { kind: 'answer', reply: message({ id, result: answers[method] ?? {} }) }
      prompt = id
      return { kind: 'prompt', text: textIn(params?.prompt) }
    },
    tell(act) {
      if (act.act === 'say' || act.act === 'think') {
        const sessionUpdate = act.act === 'say' ? 'agent_message_chunk' : 'agent_thought_chunk'
        return [update({ sessionUpdate, content: { type: 'text', text: act.text } })]
      }
      if (act.act === 'tool') {
        const status = { running: 'in_progress', done: 'completed', failed: 'failed', denied: 'failed' }[act.status]
        const content = act.output ? [{ type: 'content', content: { type: 'text', text: act.output } }] : []
        const call = { toolCallId: act.id, status, content }
        return act.status === 'running'
          ? [update({ sessionUpdate: 'tool_call', title: 'Run ls', kind: 'execute', ...call })]
          : [update({ sessionUpdate: 'tool_call_update', ...call })]
      }
      if (act.as === 'failed') {
        return [message({ id: prompt, error: { code: -32_603, message: act.said ?? 'It failed.' } })]
      }
      const stopReason = { completed: 'end_turn', refused: 'refusal', cancelled: 'cancelled' }[act.as]
      return [message({ id: prompt, result: { stopReason } })]
    },
  }
}

const textIn = (parts: readonly { text: string }[] | undefined) => parts?.map(({ text }) => text).join('') ?? ''
