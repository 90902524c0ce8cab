import type { AgentEvent } from '../../../shared/agent-event.ts'
import type { AgentSession, Answer, ProcessEnd, Turn, TurnEnd } from '../../ports.ts'
import { failureOf } from '../failures.ts'
import type { AcpSession } from './session.ts'

/** One turn's hold on a session that may be kept: goes back once after a completed turn, or ends with its process. */
export class Lease implements AgentSession {
  readonly pid: number
  /** From when on this turn had it, which is not when its process was started. */
  readonly startedAt = Date.now()
  readonly version: string
  readonly native: { id: string; resumed: boolean }
  readonly gone: Promise<ProcessEnd>
  readonly #session: AcpSession
  readonly #giveBack: () => void
  readonly #returned = Promise.withResolvers<ProcessEnd>()
  #isReturned = false
  /** Whether all that was done with it so far lets it be used again. */
  #mayReturn = false

  constructor(session: AcpSession, resumed: boolean, giveBack: () => void) {
    this.#session = session
    this.#giveBack = giveBack
    this.pid = session.pid
    this.version = session.version
    this.native = { id: session.native.id, resumed }
    this.gone = Promise.race([session.gone, this.#returned.promise])
  }

  async prompt(turn: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    if (this.#isReturned) return { status: 'failed', failure: failureOf('agent.crashed') }
    this.#mayReturn = false
    const { native } = this
    const end = await this.#session.prompt(turn, (event) =>
      hear(event.type === 'session' ? { ...event, resumed: native.resumed } : event),
    )
    this.#mayReturn = end.status === 'completed'
    return end
  }

  answer(requestId: string, answer: Answer): void {
    if (!this.#isReturned) this.#session.answer(requestId, answer)
  }

  async cancel(): Promise<void> {
    if (this.#isReturned) return
    this.#mayReturn = false
    await this.#session.cancel()
  }

  async close(): Promise<ProcessEnd> {
    if (this.#isReturned) return this.gone
    if (!this.#mayReturn || !this.#session.isReady) return this.#session.close()
    this.#isReturned = true
    this.#giveBack()
    this.#returned.resolve(returned)
    return this.gone
  }

  kill(): void {
    if (this.#isReturned) return
    this.#mayReturn = false
    this.#session.kill()
  }
}

/** To the turn it is over with its process as if that had ended well. */
const returned: ProcessEnd = { code: 0, signal: null, stderr: '', killed: 0 }
