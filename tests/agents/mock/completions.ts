import * as z from 'zod'
import { errorMessage, errorTypes } from './errors.ts'
import type { Protocol } from './protocol.ts'
import { hasScript, type Asked, type Step } from './script.ts'
import { pieces, type ServerEvent, type ToolCall } from './stream.ts'

/** OpenAI's chat completions, as OpenCode, Qwen and Kimi use them. */

const Part = z.object({ type: z.string(), text: z.string().optional() })
const Message = z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]).nullish() })
const Request = z.object({
  messages: z.array(Message),
  tools: z.array(z.unknown()).optional(),
  stream: z.boolean().optional(),
})

const read = (body: unknown): Asked => {
  const { messages, tools, stream } = Request.parse(body)
  const isPrompt = (message: z.infer<typeof Message>) => message.role === 'user'
  const last = messages.findLastIndex((message) => isPrompt(message) && hasScript(textOf(message)))
  return {
    prompts: messages.filter(isPrompt).map(textOf),
    results: messages.slice(last + 1).filter(({ role }) => role === 'tool').length,
    offersTools: (tools?.length ?? 0) > 0,
    streams: stream ?? false,
  }
}

function* events(step: Step, call: ToolCall | null, id: string): Generator<ServerEvent> {
  const delta = (content: unknown, reason: string | null = null) => ({
    name: null,
    data: { ...base(id), object: 'chat.completion.chunk', choices: [choice({ delta: content }, reason)] },
    isPiece: true,
  })
  yield delta({ role: 'assistant', content: '' })
  for (const piece of pieces(step.think ?? '')) yield delta({ reasoning_content: piece })
  for (const piece of pieces(step.say ?? '')) yield delta({ content: piece })
  if (call) yield delta({ tool_calls: [{ index: 0, ...callOf(call, id) }] })
  yield delta({}, call ? 'tool_calls' : 'stop')
  yield {
    name: null,
    data: { ...base(id), object: 'chat.completion.chunk', choices: [], usage },
    isPiece: false,
  }
  yield { name: null, data: '[DONE]', isPiece: false }
}

const whole = (step: Step, call: ToolCall | null, id: string): unknown => ({
  ...base(id),
  object: 'chat.completion',
  choices: [
    choice(
      {
        message: {
          role: 'assistant',
          content: step.say ?? '',
          ...(step.think === undefined ? {} : { reasoning_content: step.think }),
          ...(call ? { tool_calls: [callOf(call, id)] } : {}),
        },
      },
      call ? 'tool_calls' : 'stop',
    ),
  ],
  usage,
})

export const completions: Protocol = {
  path: /\/chat\/completions$/,
  read,
  events,
  whole,
  errorBody: (status) => ({
    error: { message: errorMessage(status), type: errorTypes[status] ?? 'server_error', param: null, code: null },
  }),
}

const base = (id: string) => ({ id: `chatcmpl-${id}`, created: 0, model: 'mock-model' })

const choice = (content: object, reason: string | null) => ({ index: 0, ...content, finish_reason: reason })

const callOf = ({ tool, input }: ToolCall, id: string) => ({
  id: `call_${id}`,
  type: 'function',
  function: { name: tool, arguments: JSON.stringify(input) },
})

const usage = {
  prompt_tokens: 1_200,
  prompt_tokens_details: { cached_tokens: 200 },
  completion_tokens: 34,
  completion_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 1_234,
}

const textOf = ({ content }: z.infer<typeof Message>): string =>
  typeof content === 'string' ? content : (content?.map((part) => part.text ?? '').join('\n') ?? '')
