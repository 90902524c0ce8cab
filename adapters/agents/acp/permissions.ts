import { RequestError } from '@agentclientprotocol/sdk'
import type { PermissionRequest, ToolNote } from '../../../shared/agent-event.ts'
import { permissionsOpenMax } from '../../../shared/limits.ts'
import type { Answer } from '../../ports.ts'
import { describeCall } from './updates.ts'
import type { PermissionOutcome, PermissionParams } from './wire.ts'

/** Remembers the questions that an agent has open, and answers each of them exactly once. */
export class Permissions {
  readonly #open = new Map<string, Question>()
  readonly #turn: number
  #asked = 0

  constructor(turn: number) {
    this.#turn = turn
  }

  /** Throws a JSON-RPC error for a second question about the same call, or one too many. */
  open(
    params: PermissionParams,
    known: ToolNote | null,
  ): { request: PermissionRequest; outcome: Promise<PermissionOutcome> } {
    const { toolCallId } = params.toolCall
    const isDouble = [...this.#open.values()].some((question) => question.toolId === toolCallId)
    if (isDouble) throw RequestError.invalidRequest(undefined, 'this call is being asked about already')
    if (this.#open.size >= permissionsOpenMax) throw RequestError.invalidRequest(undefined, 'too many open questions')
    this.#asked += 1
    const requestId = `${this.#turn}.${this.#asked}`
    const { promise, resolve } = Promise.withResolvers<PermissionOutcome>()
    this.#open.set(requestId, { toolId: toolCallId, options: params.options, resolve })
    return {
      request: { requestId, toolId: toolCallId.slice(0, 200), ...describeCall(params.toolCall, known) },
      outcome: promise,
    }
  }

  /** Nothing for ids that are unknown or answered. */
  answer(requestId: string, answer: Answer): { refusedFor: string | null; warning: string | null } {
    const question = this.#take(requestId)
    if (!question) return { refusedFor: null, warning: null }
    const isGrant = answer.effect === 'grant'
    const option = isGrant
      ? question.find('allow_once')
      : (question.find('reject_once') ?? question.find('reject_always'))
    const instead = option ?? question.find('reject_once')
    question.resolve(instead ? select(instead, answer.note) : cancelled)
    return {
      refusedFor: isGrant && option ? null : question.toolId,
      warning: isGrant && !option ? 'The agent offers no permission for one time only, so it was refused.' : null,
    }
  }

  /** Answers whatever is open with `cancelled`, and says which those were. */
  cancelAll(): string[] {
    const ids = [...this.#open.keys()]
    for (const id of ids) this.#take(id)?.resolve(cancelled)
    return ids
  }

  get isOpen(): boolean {
    return this.#open.size > 0
  }

  #take(requestId: string) {
    const question = this.#open.get(requestId)
    this.#open.delete(requestId)
    if (!question) return null
    return { ...question, find: (kind: string) => question.options.find((option) => option.kind === kind)?.optionId }
  }
}

interface Question {
  toolId: string
  options: PermissionParams['options']
  resolve: (outcome: PermissionOutcome) => void
}

const cancelled: PermissionOutcome = { outcome: { outcome: 'cancelled' } }

/** The protocol has no place for the person's words, so they travel as metadata. */
const select = (optionId: string, note: string | null): PermissionOutcome => ({
  outcome: { outcome: 'selected', optionId, ...(note ? { _meta: { 'parley/note': note } } : {}) },
})
