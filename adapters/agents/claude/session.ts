import { setTimeout as after } from 'node:timers/promises'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import { AppError, toFailure } from '../../../shared/errors.ts'
import { launchMs, protocolCancelMs } from '../../../shared/limits.ts'
import type { Omitted } from '../../lines.ts'
import { MessageReader } from '../../messages.ts'
import type { AgentSession, Answer, OpenSession, ProcessEnd, Turn, TurnEnd } from '../../ports.ts'
import type { LiveProcess } from '../../live-process.ts'
import type { Hidden } from '../../redact.ts'
import { failureOf } from '../failures.ts'
import { readImages } from '../images.ts'
import { LiveSession } from '../live-session.ts'
import { CanUseTool, ControlAnswer, ControlAsk, ControlCancel, ResultLine } from './protocol.ts'
import { readResultFailure } from './read-failure.ts'
import { describeQuestion } from './read-tool.ts'
import { ClaudeReader } from './read-turn.ts'

/** Holds one session of a live `claude` that speaks stream-json both ways. */
export class ClaudeSession implements AgentSession {
  readonly startedAt = Date.now()
  readonly version: string
  readonly native: AgentSession['native']
  readonly #request: OpenSession
  readonly #live: LiveSession
  readonly #reader: ClaudeReader
  readonly #messages = new MessageReader({
    message: (line, bytes) => this.#readMessage(line, bytes),
    noise: (line) => this.#live.noteNoise(line),
  })
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>()
  /** How many results still belong to turns that were given up. */
  #overdue = 0
  #controls = 0

  constructor(request: OpenSession, sessionId: string, hidden: Hidden, firstByteMs = launchMs) {
    this.version = request.program.version
    this.native = { id: sessionId, resumed: request.resume !== null }
    this.#request = request
    this.#live = new LiveSession({
      name: 'Claude Code',
      hidden,
      launchMs: firstByteMs,
      ended: (error) => this.#rejectWaiting(error),
    })
    this.#reader = new ClaudeReader(sessionId, request.cwd)
  }

  get pid() {
    return this.#live.process.pid
  }

  get gone() {
    return this.#live.process.gone
  }

  get noise() {
    return this.#live.words.noise
  }

  readonly lines = {
    line: (text: string) => this.#messages.line(text),
    omitted: (line: Omitted) =>
      this.#live.take([{ type: 'omitted', what: 'a line of claude that is too long', ...line }]),
  }

  /** Greets the process; throws as `AgentAdapter.open` does. */
  async open(process: LiveProcess): Promise<void> {
    this.#live.attach(process)
    await this.#control({ subtype: 'initialize', hooks: null })
  }

  async prompt(words: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    const turn = this.#live.begin({
      hear,
      giveUp: () => {
        this.#overdue += 1
        void this.#interrupt()
      },
    })
    if (!turn) return { status: 'failed', failure: failureOf('agent.busy') }
    this.#reader.beginTurn()
    turn.take([{ type: 'session', nativeId: this.native.id, resumed: this.native.resumed }])
    await this.#send(words).catch((error: unknown) => turn.end({ status: 'failed', failure: toFailure(error) }))
    return turn.ended
  }

  answer(requestId: string, answer: Answer) {
    this.#live.answer(requestId, answer)
  }

  async cancel(): Promise<void> {
    await this.#live.cancel(() => {
      this.#reader.noteInterrupt()
      return this.#interrupt()
    })
  }

  async close(): Promise<ProcessEnd> {
    await this.cancel()
    return this.#live.process.end()
  }

  kill() {
    this.#live.process.kill()
  }

  /** Throws `turn.image-unreadable`, or `agent.crashed` when nobody reads any more. */
  async #send(words: Turn): Promise<void> {
    const images = await readImages(words)
    const blocks = images.map(({ mime, base64 }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mime, data: base64 },
    }))
    const content = blocks.length === 0 ? words.prompt : [{ type: 'text', text: words.prompt }, ...blocks]
    const isSent = this.#write({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: this.native.id,
    })
    if (!isSent) throw new AppError('agent.crashed', failureOf('agent.crashed').message)
  }

  #write(line: unknown): boolean {
    return this.#live.write(JSON.stringify(line))
  }

  /** Sends a control request and waits for its answer. */
  #control(request: { subtype: string; [name: string]: unknown }): Promise<unknown> {
    this.#controls += 1
    const id = `parley-${this.#controls}`
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(id, waiting)
    this.#write({ type: 'control_request', request_id: id, request })
    return waiting.promise
  }

  async #interrupt() {
    await Promise.race([
      this.#control({ subtype: 'interrupt' }).catch(() => null),
      after(protocolCancelMs, null, { ref: false }),
    ])
  }

  #readMessage(line: object, bytes: number) {
    this.#live.words.noteMessage()
    const type = 'type' in line ? line.type : null
    if (type === 'control_response') return this.#settleControl(line)
    if (type === 'control_request') return this.#readQuestion(line)
    if (type === 'control_cancel_request') return this.#withdraw(line)
    if (type === 'result') return this.#readResult(line, bytes)
    if (type === 'stream_event') this.#live.turn?.markAlive()
    this.#live.take(this.#reader.read(line, bytes))
  }

  /** A result before any turn is how claude refuses to open a session; one of a turn given up is late news. */
  #readResult(line: object, bytes: number) {
    if (!this.#live.turn) {
      const result = ResultLine.safeParse(line)
      if (!result.success || !result.data.is_error) return
      const { code, message, params, retryAfterMs } = readResultFailure(result.data, null)
      this.#rejectWaiting(new AppError(code, message, { params, retryAfterMs }))
      return
    }
    if (this.#overdue > 0) {
      this.#overdue -= 1
      return
    }
    this.#live.take(this.#reader.read(line, bytes))
  }

  #settleControl(line: object) {
    const answer = ControlAnswer.safeParse(line)
    if (!answer.success) return
    const { request_id: id, subtype, response, error } = answer.data.response
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (subtype === 'success') waiting?.resolve(response)
    else
      waiting?.reject(
        new AppError('agent.incompatible', 'This version of Claude Code does not know a request of ours.', {
          params: { said: error ?? '' },
        }),
      )
  }

  #readQuestion(line: object) {
    const asked = ControlAsk.safeParse(line)
    if (!asked.success) return
    const { request_id: id, request } = asked.data
    const tool = request.subtype === 'can_use_tool' ? CanUseTool.safeParse(request) : null
    if (!tool?.success) return this.#refuseControl(id, request.subtype)
    if (!this.#request.allowWrite || this.#live.isIdle) return this.#decide(id, tool.data, readOnlyAnswer)
    this.#live.ask(id, describeQuestion(tool.data, this.#request.cwd), (answer) => this.#decide(id, tool.data, answer))
  }

  /** Only ever for this once: what claude suggests to remember is not passed on. */
  #decide(id: string, tool: CanUseTool, { effect, note }: Answer) {
    const response =
      effect === 'grant'
        ? { behavior: 'allow', updatedInput: tool.input }
        : { behavior: 'deny', message: note ?? 'The person denied this.' }
    if (effect === 'deny' && tool.tool_use_id) this.#live.take(this.#reader.noteDenial(tool.tool_use_id))
    this.#write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
  }

  #refuseControl(id: string, subtype: string) {
    this.#write({
      type: 'control_response',
      response: { subtype: 'error', request_id: id, error: `${subtype} is not supported by this client.` },
    })
  }

  #withdraw(line: object) {
    const cancel = ControlCancel.safeParse(line)
    if (cancel.success) this.#live.withdraw(cancel.data.request_id)
  }

  /** The answers to our requests, where they are still waited for. */
  #rejectWaiting(error: AppError) {
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}

const readOnlyAnswer: Answer = {
  effect: 'deny',
  note: 'This conversation is read-only: nothing may be changed or run.',
}
