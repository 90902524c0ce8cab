import * as z from 'zod'
import { errorMessage } from './errors.ts'
import type { Protocol } from './protocol.ts'
import { hasScript, type Asked, type Step } from './script.ts'
import { pieces, type ServerEvent, type ToolCall } from './stream.ts'

/** Google's generateContent, as far as Gemini CLI uses it. */

const Part = z.object({ text: z.string().optional(), functionResponse: z.unknown() }).partial()
const Content = z.object({ role: z.string().optional(), parts: z.array(Part).default([]) })
const Request = z.object({
  contents: z.array(Content),
  tools: z.array(z.unknown()).optional(),
  generationConfig: z.object({ responseJsonSchema: z.unknown(), responseSchema: z.unknown() }).partial().optional(),
})

const read = (body: unknown): Asked => {
  const { contents, tools, generationConfig: config } = Request.parse(body)
  const isPrompt = (content: z.infer<typeof Content>) => content.role === 'user' && textOf(content) !== ''
  const last = contents.findLastIndex((content) => isPrompt(content) && hasScript(textOf(content)))
  return {
    prompts: contents.filter(isPrompt).map(textOf),
    results: contents
      .slice(last + 1)
      .flatMap(({ parts }) => parts)
      .filter(({ functionResponse }) => functionResponse !== undefined).length,
    offersTools: (tools?.length ?? 0) > 0,
    streams: true,
    wantsJson: config?.responseJsonSchema !== undefined || config?.responseSchema !== undefined,
  }
}

function* events(step: Step, call: ToolCall | null): Generator<ServerEvent> {
  for (const text of pieces(step.think ?? '')) yield chunk([{ text, thought: true }])
  for (const text of pieces(step.say ?? '')) yield chunk([{ text }])
  if (call) yield chunk([callPart(call)])
  yield chunk([{ text: '' }], 'STOP')
}

const whole = (step: Step, call: ToolCall | null): unknown =>
  body([{ text: step.say ?? '' }, ...(call ? [callPart(call)] : [])], 'STOP')

export const gemini: Protocol = {
  path: /:(?:streamGenerateContent|generateContent)(?:\?.*)?$/,
  read,
  events,
  whole,
  errorBody: (status) => ({
    error: { code: status, message: errorMessage(status), status: errorNames[status] ?? 'INTERNAL' },
  }),
}

const chunk = (parts: readonly unknown[], reason: string | null = null): ServerEvent => ({
  name: null,
  data: body(parts, reason),
  isPiece: true,
})

const body = (parts: readonly unknown[], finishReason: string | null) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason === null ? {} : { finishReason }) }],
  usageMetadata: {
    promptTokenCount: 1_200,
    cachedContentTokenCount: 200,
    candidatesTokenCount: 34,
    thoughtsTokenCount: 4,
    totalTokenCount: 1_238,
  },
  modelVersion: 'mock',
})

const callPart = ({ tool, input }: ToolCall) => ({ functionCall: { name: tool, args: input } })

const errorNames: Record<number, string | undefined> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
}

const textOf = ({ parts }: z.infer<typeof Content>): string =>
  parts
    .flatMap(({ text }) => text ?? [])
    .join('\n')
