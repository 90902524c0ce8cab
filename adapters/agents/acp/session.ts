import { methods, RequestError } from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { AppError, toFailure, type Failure } from '../../../shared/errors.ts'
import { protocolCancelMs } from '../../../shared/limits.ts'
import type { AgentSession, Answer, ProcessEnd, Turn, TurnEnd } from '../../ports.ts'
import type { LiveProcess } from '../../live-process.ts'
import { cleanFailure } from '../../redact-events.ts'
import type { Hidden } from '../../redact.ts'
import type { AcpAgent, AcpClocks } from './agent.ts'
import { failureOf } from '../failures.ts'
import { readImages } from '../images.ts'
import { failureOfRequest } from './failures.ts'
import { AcpTurn } from './turn.ts'
import { readUpdate } from './updates.ts'
import { UsageCounter } from './usage.ts'
import type { AcpListener, AcpWire } from './wire.ts'

interface Parts {
  agent: AcpAgent
  clocks: AcpClocks
  process: LiveProcess
  wire: AcpWire
  hidden: Hidden
  native: { id: string; resumed: boolean }
  version: string
  allowWrite: boolean
  /** The mode that was set; `null` where the agent has none. */
  mode: string | null
  takesImages: boolean
}

/** One live ACP session in a process of its own. */
export class AcpSession implements AgentSession {
  readonly pid: number
  readonly startedAt: number
  readonly version: string
  readonly native: { id: string; resumed: boolean }
  readonly gone: Promise<ProcessEnd>
  readonly #parts: Parts
  readonly #process: LiveProcess
  readonly #wire: AcpWire
  readonly #usage: UsageCounter
  #turn: AcpTurn | null = null
  #turns = 0
  #ended: Promise<unknown> = Promise.resolve()
  /** Nothing has happened in it that a later turn would have to know of. */
  #isClean = true
  #mode: string | null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#process = parts.process
    this.#wire = parts.wire
    this.#usage = new UsageCounter(parts.agent.usage, parts.native.resumed)
    this.#mode = parts.mode
    this.#wire.listener = this.#atRest
    this.native = parts.native
    this.version = parts.version
    this.pid = parts.process.pid
    this.startedAt = parts.process.startedAt
    this.gone = parts.process.gone
  }

  /** It lives, no turn runs, and the last one left nothing open and the session as it was set up. */
  get isReady(): boolean {
    const isAsSetUp = this.#isClean && this.#mode === this.#parts.mode
    return isAsSetUp && this.#turn === null && !this.#process.isEnding && this.#wire.isOpen
  }

  async prompt(turn: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    if (this.#turn) return { status: 'failed', failure: failureOf('agent.busy') }
    const running = this.#begin(hear)
    running.say({ type: 'session', nativeId: this.native.id, resumed: this.native.resumed })
    const end = this.#speak(running, turn)
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
    await this.#tellCancelled()
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

  #begin(hear: (event: AgentEvent) => void): AcpTurn {
    const { agent, allowWrite, hidden } = this.#parts
    this.#turns += 1
    const turn = new AcpTurn({
      sessionId: this.native.id,
      number: this.#turns,
      hidden,
      declinesWrites: !allowWrite && !agent.asksInReadOnly,
      failureProse: agent.failureProse,
      asides: agent.asides,
      usage: this.#usage,
      hear,
      modeIs: (mode) => this.#noteMode(mode),
    })
    this.#turn = turn
    this.#isClean = false
    this.#wire.listener = turn
    this.#usage.beginTurn()
    this.#process.renewAllowance()
    return turn
  }

  async #speak(turn: AcpTurn, words: Turn): Promise<TurnEnd> {
    const end = await this.#request(turn, words)
    this.#isClean = end.status === 'completed' && turn.hasNothingOpen
    turn.end(end)
    this.#turn = null
    this.#wire.listener = this.#atRest
    return end.status === 'failed' ? { status: 'failed', failure: cleanFailure(end.failure, this.#parts.hidden) } : end
  }

  async #request(turn: AcpTurn, words: Turn): Promise<TurnEnd> {
    const late = Promise.withResolvers<'late'>()
    let timer: NodeJS.Timeout | undefined
    try {
      const prompt = await this.#blocksOf(words)
      if (turn.isCancelled) return { status: 'cancelled' }
      timer = setTimeout(() => turn.isSilent && late.resolve('late'), this.#parts.clocks.firstSignMs)
      const request: Promise<unknown> = this.#wire.connection.agent.request(methods.agent.session.prompt, {
        sessionId: this.native.id,
        prompt,
      })
      const answer = await Promise.race([request, late.promise])
      if (answer === 'late') return await this.#giveUp()
      return await this.#conclude(turn, answer)
    } catch (error) {
      const failure = await this.#failureOf(error)
      const isOurs = turn.isCancelled && !this.#wire.fault
      return isOurs ? { status: 'cancelled' } : { status: 'failed', failure }
    } finally {
      clearTimeout(timer)
    }
  }

  async #conclude(turn: AcpTurn, answer: unknown): Promise<TurnEnd> {
    const end = turn.conclude(answer)
    const usage = await this.#usage.read(answer, end.status === 'completed')
    if (usage) turn.say({ type: 'usage', usage })
    return end
  }

  async #blocksOf(words: Turn) {
    const images = await readImages(words)
    if (images.length > 0 && !this.#parts.takesImages) {
      throw new AppError('turn.images-unsupported', 'This version of the agent takes no images.')
    }
    return [
      { type: 'text' as const, text: words.prompt },
      ...images.map(({ mime, base64 }) => ({ type: 'image' as const, mimeType: mime, data: base64 })),
    ]
  }

  #failureOf(error: unknown): Failure | Promise<Failure> {
    return error instanceof AppError ? toFailure(error) : failureOfRequest(error, this.#process, this.#wire)
  }

  async #giveUp(): Promise<TurnEnd> {
    await this.#tellCancelled()
    return { status: 'failed', failure: failureOf('agent.first-byte-late') }
  }

  /** A process that reads no more is found out by the end of the turn. */
  async #tellCancelled(): Promise<void> {
    const { agent } = this.#wire.connection
    await agent.notify(methods.agent.session.cancel, { sessionId: this.native.id }).catch(() => {})
  }

  /** It may have been brought to leave its mode; one that may only read does not outlive that. */
  #noteMode(mode: string): void {
    this.#mode = mode
    const { agent, allowWrite } = this.#parts
    if (!allowWrite && !agent.modes.readOnly.includes(mode)) this.#process.kill(failureOf('agent.not-read-only'))
  }

  /** Hears what is said while nobody has the floor; who asks for something then is not at rest. */
  get #atRest(): AcpListener {
    return {
      update: (params) => {
        const update = readUpdate(params, this.native.id)
        if (update?.type === 'mode' && update.mode !== null) this.#noteMode(update.mode)
        if (update?.type === 'holds') this.#usage.hearHolds(update.tokens, update.costUsd)
      },
      ask: () => {
        void this.#process.end()
        throw RequestError.invalidRequest(undefined, 'no turn is running')
      },
      omitted: () => {},
    }
  }
}
