import * as z from 'zod'
import { errorMessage, errorTypes } from './errors.ts'
import type { Protocol } from './protocol.ts'
import { hasScript, type Asked, type Step } from './script.ts'
import { pieces, type ServerEvent, type ToolCall } from './stream.ts'

/** OpenAI's Responses API, as far as Codex uses it. */

const Part = z.object({ type: z.string(), text: z.string().optional() })
const Entry = z.object({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
})
const Request = z.object({ input: z.array(Entry), tools: z.array(z.unknown()).optional() })

const read = (body: unknown): Asked => {
  const { input, tools } = Request.parse(body)
  const isPrompt = (entry: z.infer<typeof Entry>) =>
    entry.type === 'message' && entry.role === 'user' && !isContext(textOf(entry))
  const last = input.findLastIndex((entry) => isPrompt(entry) && hasScript(textOf(entry)))
  return {
    prompts: input.filter(isPrompt).map(textOf),
    results: input.slice(last + 1).filter((entry) => entry.type.endsWith('_call_output')).length,
    offersTools: (tools?.length ?? 0) > 0,
    streams: true,
  }
}

function* events(step: Step, call: ToolCall | null, id: string): Generator<ServerEvent> {
  const output: unknown[] = []
  const base = { id: `resp_${id}`, object: 'response', created_at: 0, model: 'mock', status: 'in_progress', output: [] }
  yield event({ type: 'response.created', response: base })
  if (step.think) {
    const item = { type: 'reasoning', id: `rs_${id}`, summary: [{ type: 'summary_text', text: step.think }] }
    yield event({ type: 'response.output_item.added', output_index: output.length, item: { ...item, summary: [] } })
    yield event({
      type: 'response.reasoning_summary_part.added',
      item_id: item.id,
      output_index: output.length,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    })
    for (const delta of pieces(step.think)) {
      yield event({
        type: 'response.reasoning_summary_text.delta',
        item_id: item.id,
        output_index: output.length,
        summary_index: 0,
        delta,
      })
    }
    yield event({ type: 'response.output_item.done', output_index: output.length, item })
    output.push(item)
  }
  if (step.say !== undefined) {
    const item = {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: step.say, annotations: [] }],
    }
    yield event({
      type: 'response.output_item.added',
      output_index: output.length,
      item: { ...item, status: 'in_progress', content: [] },
    })
    for (const delta of pieces(step.say)) {
      yield event({
        type: 'response.output_text.delta',
        item_id: item.id,
        output_index: output.length,
        content_index: 0,
        delta,
      })
    }
    yield event({ type: 'response.output_item.done', output_index: output.length, item })
    output.push(item)
  }
  if (call) {
    // a tool of free text has no arguments
    const input = typeof call.input === 'string' ? { input: call.input } : { arguments: JSON.stringify(call.input) }
    const item = {
      type: typeof call.input === 'string' ? 'custom_tool_call' : 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name: call.tool,
      ...input,
    }
    yield event({ type: 'response.output_item.added', output_index: output.length, item })
    yield event({ type: 'response.output_item.done', output_index: output.length, item })
    output.push(item)
  }
  yield event({ type: 'response.completed', response: { ...base, status: 'completed', output, usage } })
}

const usage = {
  input_tokens: 1_200,
  input_tokens_details: { cached_tokens: 200 },
  output_tokens: 34,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 1_234,
}

const event = (data: { type: string; [name: string]: unknown }): ServerEvent => ({
  name: data.type,
  data,
  isPiece: data.type.endsWith('delta'),
})

export const responses: Protocol = {
  path: /\/responses$/,
  read,
  events,
  whole: null,
  errorBody: (status) => ({
    error: { message: errorMessage(status), type: errorTypes[status] ?? 'server_error', code: null },
  }),
}

const textOf = ({ content }: z.infer<typeof Entry>): string =>
  typeof content === 'string' ? content : (content?.map((part) => part.text ?? '').join('\n') ?? '')
/** Agents tell the model about their surroundings in messages of the same role, and within those of the person. */
const isContext = (text: string) => text.startsWith('# AGENTS.md') || text.replace(leadingBlocks, '') === ''
const leadingBlocks = /^(?:\s*<(\w+)[^>]*>[\s\S]*?<\/\1>\s*)+/
