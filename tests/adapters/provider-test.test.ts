import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { testProvider } from '../../adapters/provider-test.ts'
import { providerTestMaxBytes } from '../../shared/limits.ts'
import type { ProviderKind } from '../../shared/provider.ts'

const key = 'qz-canary-0123456789'
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface Heard {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: unknown
}

/** A provider on a port of its own that answers as the test says, and remembers what it was asked. */
const provider = async (answer: (response: ServerResponse, asked: Heard) => void) => {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const { method, url, headers } = request
      const asked = { method, url, headers, body: text === '' ? null : JSON.parse(text) }
      heard.push(asked)
      answer(response, asked)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const says = (body: unknown, status = 200, headers: Record<string, string> = {}) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

describe('one minimal call in the agent’s own wire format', () => {
  test.each([
    ['claude', '', 'POST', '/v1/messages', 'x-api-key', { type: 'message', model: 'm-2' }],
    ['gemini', '', 'POST', '/v1beta/models/m1:generateContent', 'x-goog-api-key', {
      candidates: [], modelVersion: 'm-2',
    }],
    ['codex', '/v1', 'POST', '/v1/responses', 'authorization', { output: [], model: 'm-2' }],
    ['copilot', '/v1', 'POST', '/v1/responses', 'authorization', { output: [], model: 'm-2' }],
    ['qwen', '/v1', 'POST', '/v1/chat/completions', 'authorization', { choices: [], model: 'm-2' }],
  ] as const)('%s asks for one token of the model', async (kind, path, method, url, header, body) => {
    const { heard, baseUrl } = await provider(says(body))
    const answer = await testProvider(kind, { baseUrl: baseUrl + path, model: 'm1', key })
    expect(answer).toEqual({ outcome: 'ok', status: 200, model: 'm-2' })
    expect(heard.map((asked) => [asked.method, asked.url])).toEqual([[method, url]])
    expect(heard[0]?.headers[header]).toContain(key)
    expect(JSON.stringify(heard[0]?.body)).not.toContain(key)
  })

  test.each([
    ['claude', '', '/v1/models', { data: [] }],
    ['gemini', '', '/v1beta/models', { models: [] }],
    ['codex', '/v1', '/v1/models', { data: [] }],
  ] as const)('%s asks for the models where none is named', async (kind, path, url, body) => {
    const { heard, baseUrl } = await provider(says(body))
    expect(await testProvider(kind, { baseUrl: baseUrl + path, model: null, key })).toEqual({
      outcome: 'ok', status: 200, model: null,
    })
    expect(heard.map((asked) => [asked.method, asked.url])).toEqual([['GET', url]])
  })

  test('without a key sends none', async () => {
    const { heard, baseUrl } = await provider(says({ choices: [] }))
    const answer = await testProvider('qwen', { baseUrl, model: 'm1', key: null })
    expect(answer).toMatchObject({ outcome: 'ok', model: 'm1' })
    expect(heard[0]?.headers.authorization).toBe(undefined)
  })

  test('is spelled in the newer way where the older is refused, and only then', async () => {
    const { heard, baseUrl } = await provider((response, asked) =>
      'max_tokens' in (asked.body as object) ? says({}, 400)(response) : says({ choices: [], model: 'm1' })(response),
    )
    expect(await testProvider('kimi', { baseUrl, model: 'm1', key })).toMatchObject({ outcome: 'ok' })
    expect(heard.length).toBe(2)
  })
})

describe('what came back is said', () => {
  const tryWith = async (answer: Parameters<typeof provider>[0], kind: ProviderKind = 'claude') => {
    const { baseUrl } = await provider(answer)
    return testProvider(kind, { baseUrl, model: 'm1', key })
  }

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [429, 'rateLimited'],
    [500, 'other'],
    [400, 'other'],
  ] as const)('of status %s', async (status, outcome) => {
    expect(await tryWith(says(`{"error":"bad key ${key}"}`, status))).toEqual({ outcome, status, model: null })
  })

  test('of a redirect, which is not followed with the key', async () => {
    const other = await provider(says({ type: 'message' }))
    const answer = await tryWith(says('', 307, { location: `${other.baseUrl}/v1/messages` }))
    expect([answer, other.heard]).toEqual([{ outcome: 'redirected', status: 307, model: null }, []])
  })

  test.each(['<html>Welcome to the hotel</html>', '{}', '[]', 'null', '{"type":"error"}'])(
    'of a page that is no provider: %s',
    async (body) => {
      expect(await tryWith(says(body))).toEqual({ outcome: 'unreadable', status: 200, model: null })
    },
  )

  test('of more than fits', async () => {
    expect(await tryWith(says('x'.repeat(providerTestMaxBytes + 1)))).toMatchObject({ outcome: 'tooLarge' })
  })

  test('of nobody there', async () => {
    const gone = await provider(says({}))
    for (const end of ends.splice(0)) end()
    expect(await testProvider('codex', { baseUrl: gone.baseUrl, model: null, key })).toEqual({
      outcome: 'unreachable', status: null, model: null,
    })
  })

  test('of a connection that breaks', async () => {
    expect(await tryWith((response) => response.destroy())).toMatchObject({ outcome: 'unreachable' })
  })

  test('of an answer that does not come, however it begins', async () => {
    const cut = new AbortController()
    const { baseUrl } = await provider((response) => {
      response.writeHead(200)
      response.write('{"type":')
      cut.abort()
    })
    const answer = await testProvider('claude', { baseUrl, model: 'm1', key }, cut.signal)
    expect(answer).toEqual({ outcome: 'late', status: null, model: null })
  })

  test('without the key, though the server says it', async () => {
    const answer = await tryWith(says({ type: 'message', model: `echo ${key}` }))
    expect(answer).toEqual({ outcome: 'ok', status: 200, model: 'echo [secret]' })
  })
})
