import type { PermissionRequest } from '../../shared/agent-event.ts'
import type { Answer } from '../ports.ts'
import type { Heard } from './live-turn.ts'

/** Remembers the questions that an agent has open, each under an id of ours, and answers each once. */
export class Questions {
  readonly #open = new Map<string, { nativeId: string | number; reply: (answer: Answer) => void }>()
  #asked = 0

  /** The event for a new question; `reply` sends the agent its answer. */
  ask(
    nativeId: string | number,
    request: Omit<PermissionRequest, 'requestId'>,
    reply: (answer: Answer) => void,
  ): Heard {
    this.#asked += 1
    const requestId = `q${this.#asked}`
    this.#open.set(requestId, { nativeId, reply })
    return { type: 'asked', request: { requestId, ...request } }
  }

  answer(requestId: string, answer: Answer) {
    const question = this.#open.get(requestId)
    if (!question) return
    this.#open.delete(requestId)
    question.reply(answer)
  }

  /** The agent took a question back, or ended the turn that it belonged to. */
  withdraw(nativeId: string | number): Heard[] {
    for (const [requestId, question] of this.#open) {
      if (question.nativeId !== nativeId) continue
      this.#open.delete(requestId)
      return [{ type: 'askedNoMore', requestId }]
    }
    return []
  }

  withdrawAll(): Heard[] {
    return [...this.#open.values()].flatMap(({ nativeId }) => this.withdraw(nativeId))
  }
}
