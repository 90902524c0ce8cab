import * as z from 'zod'
import type { AgentEvent, ToolNote } from '../../../shared/agent-event.ts'
import type { Answer, TurnEnd } from '../../ports.ts'
import { eventRedactor, type EventRedactor } from '../../redact-events.ts'
import type { Hidden } from '../../redact.ts'
import type { Omitted } from '../../lines.ts'
import { failureOf } from '../failures.ts'
import { outcomeOf } from '../outcome.ts'
import { Spoken } from '../spoken.ts'
import { Permissions } from './permissions.ts'
import { readCall, readUpdate, type Update } from './updates.ts'
import type { AcpListener, PermissionOutcome, PermissionParams } from './wire.ts'

/** Turns what an agent says during one prompt into our events, in order, cleaned and bounded. */
export class AcpTurn implements AcpListener {
  readonly #sessionId: string
  readonly #redactor: EventRedactor
  readonly #permissions: Permissions
  readonly #spoken = new Spoken('text')
  readonly #thought = new Spoken('reasoning')
  readonly #tools = new Map<string, ToolNote>()
  /** Counts what parts one piece of speech from the next. */
  #pauses = 0
  #isCancelled = false
  #isSilent = true

  constructor(parts: { sessionId: string; number: number; hidden: Hidden; hear: (event: AgentEvent) => void }) {
    this.#sessionId = parts.sessionId
    this.#redactor = eventRedactor(parts.hidden, parts.hear)
    this.#permissions = new Permissions(parts.number)
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Nothing was heard of an answer yet. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  say(event: AgentEvent): void {
    if (event.type !== 'session') this.#isSilent = false
    this.#redactor.hear(event)
  }

  update(params: unknown): void {
    const update = readUpdate(params, this.#sessionId)
    if (update) this.#take(update)
  }

  omitted(what: string, { bytes, sha256 }: Omitted | { bytes: number; sha256: null }): void {
    this.say({ type: 'omitted', what, bytes, sha256 })
  }

  async ask(params: PermissionParams): Promise<PermissionOutcome> {
    if (this.#isCancelled || params.sessionId !== this.#sessionId) return { outcome: { outcome: 'cancelled' } }
    const toolId = params.toolCall.toolCallId.slice(0, 200)
    const { request, outcome } = this.#permissions.open(params, this.#tools.get(toolId) ?? null)
    this.#pause()
    // the question may be the first that is heard of a tool
    if (!this.#tools.has(toolId)) this.#takeTool({ toolId, change: readCall(params.toolCall) })
    this.say({ type: 'asked', request })
    return outcome
  }

  answer(requestId: string, answer: Answer): void {
    const { refusedFor, warning } = this.#permissions.answer(requestId, answer)
    if (warning) this.say({ type: 'warning', text: warning })
    const tool = refusedFor === null ? undefined : this.#tools.get(refusedFor)
    if (tool) this.#noteTool({ ...tool, status: 'denied' })
  }

  cancel(): void {
    this.#isCancelled = true
    this.#withdrawAll()
  }

  /** How the answer to the prompt ends the turn. An agent that ends with a question open has lost track of it. */
  conclude(answer: unknown): TurnEnd {
    const read = StopReason.safeParse(answer)
    if (!read.success) return { status: 'failed', failure: failureOf('agent.garbled') }
    const { stopReason } = read.data
    if (stopReason === 'cancelled') return { status: 'cancelled' }
    if (this.#permissions.isOpen)
      return { status: 'failed', failure: failureOf('agent.garbled', 'a question was left open') }
    if (stopReason === 'refusal') return { status: 'refused' }
    const outcome = outcomeOf(
      { told: { status: 'completed' }, answer: this.#spoken.text, stopped: this.#isCancelled, exit: null },
      Date.now(),
    )
    if (outcome.status === 'failed') {
      // what a program says of itself is not what the model answered
      this.say({ type: 'textReplaced', text: '' })
      return outcome
    }
    if (stopReason !== 'end_turn') this.say({ type: 'warning', text: limitSentence })
    return { status: 'completed' }
  }

  end({ status }: TurnEnd): void {
    this.#withdrawAll()
    const ending = status === 'completed' || status === 'refused' ? 'done' : 'cancelled'
    for (const tool of this.#tools.values()) if (tool.status === 'running') this.#noteTool({ ...tool, status: ending })
    this.#redactor.end()
  }

  #withdrawAll(): void {
    for (const requestId of this.#permissions.cancelAll()) this.say({ type: 'askedNoMore', requestId })
  }

  #take(update: Update): void {
    if (update.type === 'said') {
      const spoken = update.kind === 'text' ? this.#spoken : this.#thought
      const events = spoken.add(`${update.messageId ?? ''}#${this.#pauses}`, update.delta)
      for (const event of events) this.say(event)
      return
    }
    if (update.type === 'tool') return this.#takeTool(update)
    this.say(update.event)
  }

  #takeTool({ toolId, change }: Omit<Update & { type: 'tool' }, 'type'>): void {
    const before = this.#tools.get(toolId)
    if (!before) this.#pause()
    const tool: ToolNote = {
      ...(before ?? { toolId, kind: 'other', title: 'Tool', status: 'running', detail: null }),
      ...change,
    }
    // an agent may call refused what we denied "failed", or go on as if it ran
    this.#noteTool(before?.status === 'denied' ? { ...tool, status: 'denied' } : tool)
  }

  #noteTool(tool: ToolNote): void {
    this.#tools.set(tool.toolId, tool)
    this.say({ type: 'tool', tool })
  }

  /** What was said so far is complete: nothing of it is held back while something else goes on. */
  #pause(): void {
    this.#pauses += 1
    this.#redactor.pause('text')
    this.#redactor.pause('reasoning')
  }
}

const StopReason = z.object({
  stopReason: z.enum(['end_turn', 'refusal', 'cancelled', 'max_tokens', 'max_turn_requests']),
})
const limitSentence = 'The agent stopped at a limit of its own; its answer may be incomplete.'
