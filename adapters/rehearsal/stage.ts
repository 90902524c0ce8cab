import {
  methods,
  type AgentContext,
  type PermissionOptionKind,
  type PlanEntry,
  type SessionUpdate,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import * as z from 'zod'

/** Thrown inside a turn that was cancelled. */
export class Cancelled extends Error {}

export type Permission = { effect: 'grant' | 'deny'; note: string | null }

/** Sends what the rehearsal agent does in one turn to the client, at its pace, until it is cancelled. */
export class Stage {
  readonly #client: AgentContext
  readonly #sessionId: string
  readonly #pace: number
  readonly #signal: AbortSignal

  constructor(parts: { client: AgentContext; sessionId: string; pace: number; signal: AbortSignal }) {
    this.#client = parts.client
    this.#sessionId = parts.sessionId
    this.#pace = parts.pace
    this.#signal = parts.signal
  }

  /** Streams a text in small pieces that together take `milliseconds`. */
  async say(text: string, milliseconds: number): Promise<void> {
    const pieces = text.match(piecePattern) ?? []
    for (const piece of pieces) {
      await this.sendText(piece)
      await this.rest(milliseconds / pieces.length)
    }
  }

  /** One piece of text, at once. */
  sendText(text: string): Promise<void> {
    return this.#send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  }

  think(text: string): Promise<void> {
    return this.#send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
  }

  /** The plan with its first `done` entries finished and the next one under way. */
  plan(titles: readonly string[], done: number): Promise<void> {
    const entries = titles.map((content, index): PlanEntry => ({
      content,
      priority: 'medium',
      status: statusAt(index, done),
    }))
    return this.#send({ sessionUpdate: 'plan', entries })
  }

  tool(toolCallId: string, call: { title: string; kind: 'read' | 'execute' }): Promise<void> {
    return this.#send({ sessionUpdate: 'tool_call', toolCallId, ...call, status: 'in_progress' })
  }

  toolEnds(toolCallId: string, status: 'completed' | 'failed', text: string): Promise<void> {
    const content = [{ type: 'content' as const, content: { type: 'text' as const, text } }]
    return this.#send({ sessionUpdate: 'tool_call_update', toolCallId, status, content })
  }

  /** Asks the person; throws `Cancelled` where the client says that the turn is over. */
  async ask(toolCall: ToolCallUpdate): Promise<Permission> {
    const answer: unknown = await this.#client.request(methods.client.session.requestPermission, {
      sessionId: this.#sessionId,
      toolCall,
      options: options.map((option) => ({ ...option })),
    })
    this.#checkFloor()
    const { outcome } = Answer.parse(answer)
    if (outcome.outcome === 'cancelled') throw new Cancelled()
    const kind = options.find(({ optionId }) => optionId === outcome.optionId)?.kind
    return { effect: kind?.startsWith('allow') ? 'grant' : 'deny', note: outcome._meta?.['parley/note'] ?? null }
  }

  async rest(milliseconds: number): Promise<void> {
    this.#checkFloor()
    if (milliseconds * this.#pace < 1) return
    await this.#wait(milliseconds * this.#pace)
  }

  /** Never comes back, except when it is cancelled. */
  restForEver(): Promise<void> {
    return this.#wait(null)
  }

  async #wait(milliseconds: number | null): Promise<void> {
    const over = Promise.withResolvers<void>()
    const timer = milliseconds === null ? undefined : setTimeout(over.resolve, milliseconds)
    this.#signal.addEventListener('abort', () => over.resolve(), { once: true })
    await over.promise
    clearTimeout(timer)
    this.#checkFloor()
  }

  async #send(update: SessionUpdate): Promise<void> {
    this.#checkFloor()
    await this.#client.notify(methods.client.session.update, { sessionId: this.#sessionId, update })
  }

  #checkFloor(): void {
    if (this.#signal.aborted) throw new Cancelled()
  }
}

const statusAt = (index: number, done: number) => {
  if (index < done) return 'completed'
  return index === done ? 'in_progress' : 'pending'
}

const options = [
  { optionId: 'always', kind: 'allow_always', name: 'Always' },
  { optionId: 'once', kind: 'allow_once', name: 'This once' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
] as const satisfies { optionId: string; kind: PermissionOptionKind; name: string }[]

const Answer = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('cancelled') }),
    z.object({
      outcome: z.literal('selected'),
      optionId: z.string(),
      _meta: z.object({ 'parley/note': z.string().optional() }).nullish(),
    }),
  ]),
})

/** A word or two, or a few Chinese characters. */
const piecePattern = /(?:\p{Script=Han}{1,4}|[^\s\p{Script=Han}]{1,24})\s*(?:[^\s\p{Script=Han}]{1,10}(?:\s+|$))?|\s+/gu
