import * as z from 'zod'
import { providerModelMaxCharacters } from '../shared/limits.ts'
import type { ProviderKind } from '../shared/provider.ts'
import type { ProviderAccess } from './ports.ts'

/** One question to a provider: its models, or one token of the named model. */
export interface ProviderCall {
  url: string
  headers: Readonly<Record<string, string>>
  /** `null`: nothing is sent, the list of models is asked for. */
  body: object | null
}

type Wire = 'anthropic' | 'gemini' | 'responses' | 'chat'

const wires: Readonly<Record<ProviderKind, Wire>> = {
  codex: 'responses',
  claude: 'anthropic',
  opencode: 'chat',
  gemini: 'gemini',
  qwen: 'chat',
  copilot: 'responses',
  kimi: 'chat',
  openclaw: 'chat',
}

/** What to ask in this agent's wire format, and how else it may be spelled where that is refused as malformed. */
export const providerCalls = (kind: ProviderKind, access: ProviderAccess): readonly ProviderCall[] => {
  const wire = wires[kind]
  const headers = headersOf(wire, access.key)
  if (access.model === null) return [{ url: access.baseUrl + listPaths[wire], headers, body: null }]
  return questions[wire](access.model).map(({ path, body }) => ({ url: access.baseUrl + path, headers, body }))
}

/** The model's name in an answer, `null` where it names none; `undefined` when this is no answer of a provider. */
export const modelIn = (text: string, { body }: ProviderCall, asked: string | null): string | null | undefined => {
  const answer = readJson(text)
  if (body === null) return ModelList.safeParse(answer).success ? null : undefined
  const completion = Completion.safeParse(answer)
  return completion.success ? (completion.data.model ?? completion.data.modelVersion ?? asked) : undefined
}

const headersOf = (wire: Wire, key: string | null): Record<string, string> => {
  const version: Record<string, string> = wire === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}
  if (key === null) return version
  if (wire === 'anthropic') return { ...version, 'x-api-key': key }
  return wire === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

const listPaths: Readonly<Record<Wire, string>> = {
  anthropic: '/v1/models',
  gemini: '/v1beta/models',
  responses: '/models',
  chat: '/models',
}

const messages = [{ role: 'user', content: 'Say yes.' }]

const questions: Readonly<Record<Wire, (model: string) => readonly { path: string; body: object }[]>> = {
  anthropic: (model) => [{ path: '/v1/messages', body: { model, max_tokens: 1, messages } }],
  gemini: (model) => [
    {
      path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Say yes.' }] }],
        generationConfig: { maxOutputTokens: 1 },
      },
    },
  ],
  // fewer tokens than these are refused
  responses: (model) => [
    { path: '/responses', body: { model, input: 'Say yes.', max_output_tokens: 16, store: false } },
  ],
  chat: (model) => [
    { path: '/chat/completions', body: { model, max_tokens: 1, messages } },
    { path: '/chat/completions', body: { model, max_completion_tokens: 1, messages } },
  ],
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const things = z.array(z.unknown())
const ModelList = z.union([z.object({ data: things }), z.object({ models: things })])
const name = z
  .string()
  .transform((text) => text.slice(0, providerModelMaxCharacters))
  .nullish()
  .catch(null)
const named = { model: name, modelVersion: name }
const Completion = z.union([
  z.object({ type: z.literal('message'), ...named }),
  z.object({ choices: things, ...named }),
  z.object({ output: things, ...named }),
  z.object({ candidates: things, ...named }),
])
