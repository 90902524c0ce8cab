import { providerTestMaxBytes, providerTestMs } from '../shared/limits.ts'
import type { ProviderKind, ProviderTest } from '../shared/provider.ts'
import type { ProviderAccess } from './ports.ts'
import { modelIn, providerCalls, type ProviderCall } from './provider-wire.ts'
import { redactText } from './redact.ts'

/**
 * Makes one minimal call to a provider as this agent would, and says what came back. Never throws. Nothing is followed
 * to another address, and of the answer only the model's name is kept.
 */
export const testProvider = async (
  kind: ProviderKind,
  access: ProviderAccess,
  signal: AbortSignal = AbortSignal.timeout(providerTestMs),
): Promise<ProviderTest> => {
  let answer: ProviderTest = { outcome: 'unreachable', status: null, model: null }
  for (const call of providerCalls(kind, access)) {
    // another spelling of the same question is tried only where the question itself was refused
    answer = await ask(call, access, signal)
    if (answer.status !== 400) break
  }
  return answer
}

const ask = async (call: ProviderCall, access: ProviderAccess, signal: AbortSignal): Promise<ProviderTest> => {
  const cut = new AbortController()
  const none = (outcome: ProviderTest['outcome']): ProviderTest => ({ outcome, status: null, model: null })
  try {
    const response = await fetch(call.url, {
      method: call.body === null ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...call.headers },
      body: call.body === null ? null : JSON.stringify(call.body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, cut.signal]),
    })
    const { status } = response
    if (status !== 200) return { outcome: outcomeOf(status), status, model: null }
    const text = await readUpTo(response, providerTestMaxBytes)
    if (text === null) return { outcome: 'tooLarge', status, model: null }
    const model = modelIn(text, call, access.model)
    if (model === undefined) return { outcome: 'unreadable', status, model: null }
    return { outcome: 'ok', status, model: model === null ? null : cleaned(model, access) }
  } catch {
    return none(signal.aborted ? 'late' : 'unreachable')
  } finally {
    // whatever else the server would like to say
    cut.abort()
  }
}

const outcomeOf = (status: number): ProviderTest['outcome'] => {
  if (status >= 300 && status < 400) return 'redirected'
  return outcomes[status] ?? 'other'
}

const outcomes: Readonly<Record<number, ProviderTest['outcome']>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  429: 'rateLimited',
}

/** A server may give back what it was sent. */
const cleaned = (model: string, { key }: ProviderAccess) =>
  redactText(model, { secrets: key === null ? [] : [key], home: null })

const readUpTo = async (response: Response, maxBytes: number): Promise<string | null> => {
  const body: ReadableStream<Uint8Array> | null = response.body
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  let bytes = 0
  let piece = await reader?.read()
  while (piece?.value) {
    bytes += piece.value.length
    if (bytes > maxBytes) return null
    pieces.push(piece.value)
    // each piece comes after the one before
    piece = await reader?.read()
  }
  return Buffer.concat(pieces).toString('utf8')
}
