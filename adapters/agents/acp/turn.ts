import * as z from 'zod'
import type { AgentEvent, ToolNote } from '../../../shared/agent-event.ts'
import type { Answer, TurnEnd } from '../../ports.ts'
import { eventRedactor, type EventRedactor } from '../../redact-events.ts'
import type { Hidden } from '../../redact.ts'
import type { Omitted } from '../../lines.ts'
import { failureOf } from '../failures.ts'
import { outcomeOf } from '../outcome.ts'
import { AsideReader, type Asides } from './asides.ts'
import { failureOfProse } from './failures.ts'
import { Spoken } from '../spoken.ts'
import { Permissions } from './permissions.ts'
import { readCall, readUpdate, wouldWrite, type Update } from './updates.ts'
import type { UsageCounter } from './usage.ts'
import type { AcpListener, PermissionOutcome, PermissionParams } from './wire.ts'

interface TurnRules {
  sessionId: string
  number: number
  hidden: Hidden
  /** Questions about what would change something are declined at once, and nobody hears of them. */
  declinesWrites: boolean
  /** An answer that is nothing but this is a failure. */
  failureProse?: RegExp | undefined
  asides?: Asides | undefined
  usage: Pick<UsageCounter, 'hearRequest' | 'hearHolds'>
  hear: (event: AgentEvent) => void
  /** Told of the mode that the agent itself went into. */
  modeIs: (mode: string) => void
}

/** Turns what an agent says during one prompt into our events, in order, cleaned and bounded. */
export class AcpTurn implements AcpListener {
  readonly #rules: TurnRules
  readonly #redactor: EventRedactor
  readonly #permissions: Permissions
  readonly #spoken = new Spoken('text')
  readonly #thought = new Spoken('reasoning')
  readonly #tools = new Map<string, ToolNote>()
  readonly #asides: AsideReader
  /** Counts what parts one piece of speech from the next, and one of thought. */
  readonly #pauses = { text: 0, reasoning: 0 }
  #isThinking = false
  #isCancelled = false
  #isSilent = true

  constructor(rules: TurnRules) {
    this.#rules = rules
    this.#redactor = eventRedactor(rules.hidden, rules.hear)
    this.#permissions = new Permissions(rules.number)
    this.#asides = new AsideReader(rules.asides)
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Nothing was heard of an answer yet. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** No call of the agent is under way and no question waits. */
  get hasNothingOpen(): boolean {
    return !this.#permissions.isOpen && [...this.#tools.values()].every(({ status }) => status !== 'running')
  }

  say(event: AgentEvent): void {
    if (event.type !== 'session') this.#isSilent = false
    this.#redactor.hear(event)
  }

  update(params: unknown): void {
    const update = readUpdate(params, this.#rules.sessionId)
    if (update) this.#take(update)
  }

  omitted(what: string, { bytes, sha256 }: Omitted | { bytes: number; sha256: null }): void {
    this.say({ type: 'omitted', what, bytes, sha256 })
  }

  async ask(params: PermissionParams): Promise<PermissionOutcome> {
    if (this.#isCancelled || params.sessionId !== this.#rules.sessionId) return { outcome: { outcome: 'cancelled' } }
    const toolId = params.toolCall.toolCallId.slice(0, 200)
    const known = this.#tools.get(toolId) ?? null
    const { request, outcome } = this.#permissions.open(params, known)
    this.#pauseAll()
    // the question may be the first that is heard of a tool
    if (!known) this.#takeTool({ toolId, change: readCall(params.toolCall) })
    const isDeclined = this.#rules.declinesWrites && wouldWrite(params.toolCall, known)
    if (isDeclined) this.answer(request.requestId, readOnlyAnswer)
    else this.say({ type: 'asked', request })
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
    const aside = stopReason === 'end_turn' ? this.#asides.failure(Used.safeParse(answer).success) : null
    if (aside === null) this.#sayHeld()
    this.#pauseAll()
    if (aside !== null) return { status: 'failed', failure: failureOfProse(aside) }
    if (stopReason === 'cancelled') return { status: 'cancelled' }
    if (this.#permissions.isOpen)
      return { status: 'failed', failure: failureOf('agent.garbled', 'a question was left open') }
    if (stopReason === 'refusal') return { status: 'refused' }
    const prose = this.#rules.failureProse?.exec(this.#spoken.text.trim())
    if (prose) return { status: 'failed', failure: failureOfProse(prose[1] ?? prose[0]) }
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
      if (update.usage !== null) this.#rules.usage.hearRequest(update.usage)
      if (update.delta !== '') this.#sayHeld()
      const aside = update.kind === 'text' ? this.#asides.read(update.delta) : null
      if (aside === null) return this.#takeWords(update)
      this.#isSilent = false
      if (aside !== 'nothing') this.say(retryingAgain(aside.retries))
      return
    }
    if (update.type === 'tool') {
      this.#sayHeld()
      return this.#takeTool(update)
    }
    if (update.type === 'holds') return this.#rules.usage.hearHolds(update.tokens, update.costUsd)
    if (update.type === 'event') return this.say(update.event)
    if (update.mode !== null) this.#rules.modeIs(update.mode)
  }

  #takeWords(update: Update & { type: 'said' }): void {
    this.#endThought(update)
    const spoken = update.kind === 'text' ? this.#spoken : this.#thought
    const events = spoken.add(`${update.messageId ?? ''}#${this.#pauses[update.kind]}`, update.delta)
    for (const event of events) this.say(event)
  }

  /** What was taken for a failure was the model's, as something follows it. */
  #sayHeld(): void {
    const delta = this.#asides.release()
    if (delta !== '') this.#takeWords({ type: 'said', kind: 'text', messageId: null, delta, usage: null })
  }

  /** A thought is over once something is said; what is said may well be parted by thoughts. */
  #endThought({ kind, delta }: { kind: 'text' | 'reasoning'; delta: string }): void {
    if (delta === '') return
    if (kind === 'text' && this.#isThinking) this.#pause('reasoning')
    this.#isThinking = kind === 'reasoning'
  }

  #takeTool({ toolId, change }: Omit<Update & { type: 'tool' }, 'type'>): void {
    const before = this.#tools.get(toolId)
    if (!before) this.#pauseAll()
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
  #pauseAll(): void {
    this.#pause('text')
    this.#pause('reasoning')
  }

  #pause(kind: 'text' | 'reasoning'): void {
    this.#pauses[kind] += 1
    this.#redactor.pause(kind)
  }
}

const StopReason = z.object({
  stopReason: z.enum(['end_turn', 'refusal', 'cancelled', 'max_tokens', 'max_turn_requests']),
})
const readOnlyAnswer: Answer = {
  effect: 'deny',
  note: 'This conversation is read-only: nothing may be changed or run.',
}
const Used = z.object({ usage: z.looseObject({}) })
const limitSentence = 'The agent stopped at a limit of its own; its answer may be incomplete.'

const retryingAgain = (attempt: number): AgentEvent => ({
  type: 'retrying',
  attempt,
  max: null,
  delayMs: null,
  failure: failureOf('agent.provider-failed'),
})
