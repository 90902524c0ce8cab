import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { completions } from './mock/completions.ts'
import { gemini } from './mock/gemini.ts'
import { messages } from './mock/messages.ts'
import type { Protocol } from './mock/protocol.ts'
import { responses } from './mock/responses.ts'
import { nextStep, type Asked, type Step } from './mock/script.ts'
import { sendEvents } from './mock/stream.ts'
import { toolNames, type SpokenAgent } from './mock/tools.ts'

interface ModelRequest extends Asked {
  agent: SpokenAgent
  /** The fault that was asked for by the address, or `null`. */
  fault: string | null
  /** The whole request as it was sent, for what a test must know of its history. */
  body: unknown
  at: number
}

export interface MockModel {
  /**
   * The base address for one agent, without `/v1`. With a fault for every request: `401`, `403`, `500`, `429r2` (with
   * `retry-after: 2`), `429r2x3` (three times, then as usual), `hang` (never answers), `silent` (headers and no more),
   * `cut` (breaks off in the middle).
   */
  urlFor(agent: SpokenAgent, fault?: string): string
  /** Every request so far, oldest first; or those of one agent. */
  requests(agent?: SpokenAgent): readonly ModelRequest[]
  close(): Promise<void>
}

/** A model server on loopback that speaks what each agent speaks, and does what prompts script. */
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
    urlFor: (agent, fault) => `${url}/for/${agent}${fault === undefined ? '' : `/fault/${fault}`}`,
    requests: (agent) => requests.filter((each) => agent === undefined || each.agent === agent),
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
  const url = request.url ?? ''
  const agent = agentIn(url)
  const fault = /\/fault\/([^/]+)/.exec(url)?.[1] ?? null
  const protocol = protocols.find(({ path }) => path.test(url))
  if (request.method !== 'POST' || !protocol || !agent)
    return sendJson(response, 404, { error: { message: 'There is nothing here.' } })
  const body: unknown = JSON.parse(text)
  const asked = protocol.read(body)
  const earlier = requests.filter((each) => each.fault === fault && each.agent === agent).length
  requests.push({ ...asked, agent, fault, body, at: Date.now() })
  if (fault !== null && fail(response, fault, earlier, (status) => protocol.errorBody(status))) return
  const step = asked.wantsJson ? { say: choices } : (reply(asked) ?? nextStep(asked))
  const call = asked.offersTools ? callOf(step, agent) : null
  const id = String(requests.length)
  if (!isStreamed(url, asked) && protocol.whole) return sendJson(response, 200, protocol.whole(step, call, id))
  const events = protocol.events(step, call, id)
  await sendEvents(response, fault === 'cut' ? firstOf(events, 4) : events, step.pause ?? 0)
}

const protocols: readonly Protocol[] = [responses, messages, completions, gemini]

const agentIn = (url: string): SpokenAgent | null => {
  const name = /^\/for\/([^/]+)/.exec(url)?.[1]
  return name !== undefined && isSpoken(name) ? name : null
}

const isSpoken = (name: string): name is SpokenAgent => Object.hasOwn(toolNames, name)

/** Gemini says it by the address, all others in the body. */
const isStreamed = (url: string, asked: Asked): boolean => asked.streams && !url.includes(':generateContent')

/** What the questions of a program, not of a person, want to hear: which model, and whose turn it is. */
const choices = JSON.stringify({
  reasoning: 'It is what the script says.',
  model_choice: 'pro',
  complexity_reasoning: 'It is what the script says.',
  complexity_score: 90,
  next_speaker: 'user',
})

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

const callOf = (step: Step, agent: SpokenAgent) => {
  if (step.call) return step.call
  if (step.write) return toolNames[agent].write(step.write)
  return step.run === undefined ? null : toolNames[agent].run(step.run)
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
