import { methods } from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { protocolCancelMs } from '../../../shared/limits.ts'
import type { AgentSession, Answer, ProcessEnd, Turn, TurnEnd } from '../../ports.ts'
import type { LiveProcess } from '../../process.ts'
import { cleanFailure } from '../../redact-events.ts'
import type { Hidden } from '../../redact.ts'
import type { AcpAgent, AcpClocks } from './agent.ts'
import { failureOf } from '../failures.ts'
import { failureOfRequest } from './failures.ts'
import { AcpTurn } from './turn.ts'
import { UsageCounter } from './usage.ts'
import type { AcpWire } from './wire.ts'

/** One live ACP session in a process of its own. */
export class AcpSession implements AgentSession {
  readonly pid: number
  readonly startedAt: number
  readonly version: string
  readonly native: { id: string; resumed: boolean }
  readonly gone: Promise<ProcessEnd>
  readonly #process: LiveProcess
  readonly #wire: AcpWire
  readonly #hidden: Hidden
  readonly #usage: UsageCounter
  readonly #clocks: AcpClocks
  #turn: AcpTurn | null = null
  #turns = 0
  #ended: Promise<unknown> = Promise.resolve()

  constructor(parts: {
    agent: AcpAgent
    clocks: AcpClocks
    process: LiveProcess
    wire: AcpWire
    hidden: Hidden
    native: { id: string; resumed: boolean }
    version: string
  }) {
    this.#process = parts.process
    this.#wire = parts.wire
    this.#hidden = parts.hidden
    this.#clocks = parts.clocks
    this.#usage = new UsageCounter(parts.agent.usage, parts.native.resumed)
    this.native = parts.native
    this.version = parts.version
    this.pid = parts.process.pid
    this.startedAt = parts.process.startedAt
    this.gone = parts.process.gone
  }

  async prompt(turn: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    if (this.#turn) return { status: 'failed', failure: failureOf('agent.busy') }
    this.#turns += 1
    const running = new AcpTurn({ sessionId: this.native.id, number: this.#turns, hidden: this.#hidden, hear })
    this.#turn = running
    this.#wire.listener = running
    this.#process.renewAllowance()
    running.say({ type: 'session', nativeId: this.native.id, resumed: this.native.resumed })
    const end = this.#speak(running, turn.prompt)
    this.#ended = end
    return end
  }

  answer(requestId: string, answer: Answer): void {
    this.#turn?.answer(requestId, answer)
  }

  async cancel(): Promise<void> {
    const turn = this.#turn
    if (!turn) return
    turn.cancel()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, protocolCancelMs)
    // a process that reads no more is found out by the end of the turn
    await this.#wire.connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.native.id })
      .catch(() => {})
    await Promise.race([this.#ended, late.promise])
    clearTimeout(timer)
  }

  async close(): Promise<ProcessEnd> {
    await this.cancel()
    return this.#process.end()
  }

  kill(): void {
    this.#process.kill()
  }

  async #speak(turn: AcpTurn, prompt: string): Promise<TurnEnd> {
    const end = await this.#request(turn, prompt)
    turn.end(end)
    this.#turn = null
    this.#wire.listener = null
    return end.status === 'failed' ? { status: 'failed', failure: cleanFailure(end.failure, this.#hidden) } : end
  }

  async #request(turn: AcpTurn, prompt: string): Promise<TurnEnd> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => turn.isSilent && late.resolve('late'), this.#clocks.firstSignMs)
    try {
      const request: Promise<unknown> = this.#wire.connection.agent.request(methods.agent.session.prompt, {
        sessionId: this.native.id,
        prompt: [{ type: 'text', text: prompt }],
      })
      const answer = await Promise.race([request, late.promise])
      if (answer === 'late') return await this.#giveUp()
      const usage = this.#usage.read(answer)
      if (usage) turn.say({ type: 'usage', usage })
      return turn.conclude(answer)
    } catch (error) {
      const failure = await failureOfRequest(error, this.#process, this.#wire)
      const isOurs = turn.isCancelled && !this.#wire.fault
      return isOurs ? { status: 'cancelled' } : { status: 'failed', failure }
    } finally {
      clearTimeout(timer)
    }
  }

  async #giveUp(): Promise<TurnEnd> {
    await this.#wire.connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.native.id })
      .catch(() => {})
    return { status: 'failed', failure: failureOf('agent.first-byte-late') }
  }
}
