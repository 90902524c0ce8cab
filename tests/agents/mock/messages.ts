import * as z from 'zod'
import { errorMessage, errorTypes } from './errors.ts'
import type { Protocol } from './protocol.ts'
import { hasScript, type Asked, type Step } from './script.ts'
import { pieces, type ServerEvent, type ToolCall } from './stream.ts'

/** Anthropic's Messages API, as far as Claude Code uses it. */

const Part = z.object({ type: z.string(), text: z.string().optional() })
const Message = z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })
const Request = z.object({ messages: z.array(Message), tools: z.array(z.unknown()).optional() })

const read = (body: unknown): Asked => {
  const { messages, tools } = Request.parse(body)
  const isPrompt = (message: z.infer<typeof Message>) => message.role === 'user' && promptIn(message) !== ''
  const last = messages.findLastIndex((message) => isPrompt(message) && hasScript(promptIn(message)))
  return {
    prompts: messages.filter(isPrompt).map(promptIn),
    results: messages
      .slice(last + 1)
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter((part) => part.type === 'tool_result').length,
    offersTools: (tools?.length ?? 0) > 0,
    streams: true,
  }
}

function* events(step: Step, call: ToolCall | null, id: string): Generator<ServerEvent> {
  yield event({
    type: 'message_start',
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'mock',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  })
  let index = 0
  if (step.think)
    yield* block(index++, { type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(step.think).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ])
  if (step.say !== undefined)
    yield* block(
      index++,
      { type: 'text', text: '' },
      pieces(step.say).map((text) => ({ type: 'text_delta', text })),
    )
  if (call)
    yield* block(index++, { type: 'tool_use', id: `toolu_${id}`, name: call.tool, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
    ])
  yield event({
    type: 'message_delta',
    delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: 34 },
  })
  yield event({ type: 'message_stop' })
}

function* block(index: number, content: unknown, deltas: readonly unknown[]): Generator<ServerEvent> {
  yield event({ type: 'content_block_start', index, content_block: content })
  for (const delta of deltas) yield event({ type: 'content_block_delta', index, delta })
  yield event({ type: 'content_block_stop', index })
}

const usage = { input_tokens: 1_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 200, output_tokens: 34 }

const event = (data: { type: string; [name: string]: unknown }): ServerEvent => ({
  name: data.type,
  data,
  isPiece: data.type.endsWith('delta'),
})

export const messages: Protocol = {
  path: /\/messages(?:\?.*)?$/,
  read,
  events,
  whole: null,
  errorBody: (status) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message: errorMessage(status) },
  }),
}

/** What the person wrote, without the reminders that Claude Code adds, and not the results of tools. */
const promptIn = ({ content }: z.infer<typeof Message>): string => {
  if (typeof content === 'string') return content
  return content
    .filter((part) => part.type === 'text')
    .map((part) => part.text ?? '')
    .filter((text) => !text.startsWith('<') && !text.startsWith('[Request interrupted'))
    .join('\n')
}
