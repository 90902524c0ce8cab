import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerMessages, messagesTools, readMessagesRequest } from './mock/messages.ts'
import { answerResponses, readResponsesRequest, responsesTools } from './mock/responses.ts'
import { nextStep, type Asked, type Step } from './mock/script.ts'
import { sendEvents, type ToolNames } from './mock/stream.ts'

interface ModelRequest extends Asked {
  /** The fault that was asked for by the address, or `null`. */
  fault: string | null
  /** The whole request as it was sent, for what a test must know of its history. */
  body: unknown
  at: number
}

export interface MockModel {
  /** The base address without `/v1`, as Claude Code wants it; Codex wants `${url}/v1`. */
  url: string
  /**
   * The same with a fault for every request: `401`, `403`, `500`, `429r2` (with `retry-after: 2`), `429r2x3` (three
   * times, then as usual), `hang` (never answers), `silent` (headers and no more), `cut` (breaks off in the middle).
   */
  faultUrl(fault: string): string
  /** Every request so far, oldest first. */
  requests: readonly ModelRequest[]
  close(): Promise<void>
}

/** A model server on loopback that speaks OpenAI's Responses and Anthropic's Messages and does what prompts script. */
export const startMockModel = async (reply: (asked: Asked) => Step | null = () => null): Promise<MockModel> => {
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => {
    serve(request, response, requests, reply).catch((error: unknown) => {
      // a request that this mock cannot read is a fault of the mock: say so where it is seen
      if (!response.headersSent) sendJson(response, 400, { error: { message: String(error) } })
      else response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url,
    faultUrl: (fault) => `${url}/fault/${fault}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const serve = async (
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  reply: (asked: Asked) => Step | null,
) => {
  const text = await bodyOf(request)
  const fault = /^\/fault\/([^/]+)/.exec(request.url ?? '')?.[1] ?? null
  const protocol = protocols.find(({ path }) => path.test(request.url ?? ''))
  if (request.method !== 'POST' || !protocol)
    return sendJson(response, 404, { error: { message: 'There is nothing here.' } })
  const body: unknown = JSON.parse(text)
  const asked = protocol.read(body)
  const earlier = requests.filter((each) => each.fault === fault).length
  requests.push({ ...asked, fault, body, at: Date.now() })
  if (fault !== null && fail(response, fault, earlier, (status) => protocol.errorBody(status))) return
  const step = reply(asked) ?? nextStep(asked)
  const call = callOf(step, protocol.tools)
  const events = protocol.answer(step, asked.offersTools ? call : null, String(requests.length))
  await sendEvents(response, fault === 'cut' ? firstOf(events, 4) : events, step.pause ?? 0)
}

/** Whether the fault has answered, or will never answer, instead of the model. */
const fail = (
  response: ServerResponse,
  fault: string,
  earlier: number,
  errorBody: (status: number) => unknown,
): boolean => {
  if (fault === 'hang') return true
  if (fault === 'silent') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': there will be nothing\n\n')
    return true
  }
  const match = /^(\d{3})(?:r(\d+))?(?:x(\d+))?$/.exec(fault)
  if (!match || earlier >= Number(match[3] ?? Infinity)) return false
  const headers = match[2] === undefined ? {} : { 'retry-after': match[2] }
  sendJson(response, Number(match[1]), errorBody(Number(match[1])), headers)
  return true
}

const protocols: {
  path: RegExp
  read(body: unknown): Asked
  answer: typeof answerResponses
  tools: ToolNames
  errorBody(status: number): unknown
}[] = [
  {
    path: /\/responses$/,
    read: readResponsesRequest,
    answer: answerResponses,
    tools: responsesTools,
    errorBody: (status) => ({ error: { message: `a fault of ${status}`, type: 'mock', code: null } }),
  },
  {
    path: /\/messages(?:\?.*)?$/,
    read: readMessagesRequest,
    answer: answerMessages,
    tools: messagesTools,
    errorBody: (status) => ({
      type: 'error',
      error: { type: errorTypes[status] ?? 'api_error', message: `a fault of ${status}` },
    }),
  },
]

const errorTypes: Record<number, string | undefined> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

const callOf = (step: Step, tools: ToolNames) => {
  if (step.call) return step.call
  if (step.write) return tools.write(step.write)
  return step.run === undefined ? null : tools.run(step.run)
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) if (Buffer.isBuffer(piece)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const sendJson = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function* firstOf<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let left = count
  for (const value of values) {
    if (left === 0) return
    left -= 1
    yield value
  }
}
