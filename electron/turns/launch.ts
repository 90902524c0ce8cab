import type { AgentSession, OpenSession, ProcessEnd, TurnEnd } from '../../adapters/ports.ts'
import type { AgentOrder, AgentRun } from '../../machines/blanks.ts'
import type { AgentEvent, PermissionRequest } from '../../shared/agent-event.ts'
import { toFailure, type Failure } from '../../shared/errors.ts'
import type { GateAsk, GateDecision } from '../../shared/gate.ts'
import { permissionAsk } from './permission-ask.ts'
import type { ComposedTurn } from './compose-turn.ts'
import type { TurnRecorder } from './turn-recorder.ts'

export interface LaunchPorts {
  /** Resolves once the transition that began this launch is on disk. */
  durable: () => Promise<void>
  /** What is sent in this try, recorded as delivered. Throws what refuses it. */
  compose: (run: AgentRun) => ComposedTurn
  open: (run: AgentRun, request: Omit<OpenSession, 'program' | 'env'>, signal: AbortSignal) => Promise<AgentSession>
  /** Keeps the native session for later turns. */
  keepSession: (run: AgentRun, session: AgentSession) => void
  record: (run: AgentRun, turn: ComposedTurn) => TurnRecorder
  /** Keeps the turn's text, vote and capsule before anybody hears that it is over. */
  keepTurn: (run: AgentRun, turn: { text: string; reading: ReturnType<TurnRecorder['finish']>['reading'] }) => void
  /** Learns from a failure what a probe cannot know. */
  noteFailure: (run: AgentRun, failure: Failure) => void
  openGate: (ask: GateAsk) => void
  withdrawGate: (gateId: string) => void
  now: () => number
}

type Say = (fact: { type: string; [field: string]: unknown }) => void

/** One launch of an agent's process: opens, prompts, passes questions on, and ends only when the whole tree is gone. */
export class Launch {
  readonly #ports: LaunchPorts
  readonly #run: AgentRun
  readonly #say: Say
  readonly #abort = new AbortController()
  readonly #asked = new Map<string, PermissionRequest>()
  #waiting: PermissionRequest[] = []
  #openGateId: string | null = null
  #session: AgentSession | null = null
  #recorder: TurnRecorder | null = null
  #ending = false

  constructor(ports: LaunchPorts, run: AgentRun, say: Say) {
    this.#ports = ports
    this.#run = run
    this.#say = say
  }

  async begin(): Promise<void> {
    try {
      await this.#ports.durable()
      if (this.#ending) return this.#say({ type: 'agent.gone', began: false })
      const turn = this.#ports.compose(this.#run)
      this.#session = await this.#ports.open(this.#run, turn.session, this.#abort.signal)
      this.#recorder = this.#ports.record(this.#run, turn)
      await this.#speak(this.#session, this.#recorder, turn)
    } catch (error) {
      this.#recorder?.flush()
      this.#fail(toFailure(error))
      if (!this.#session) this.#say({ type: 'agent.gone', began: false })
    }
  }

  obey(order: AgentOrder): void {
    if (order.type === 'gate.deliver') return this.#deliver(order.gateId, order.decision)
    this.#ending = true
    this.#abort.abort()
    if (order.type === 'agent.kill') return this.#session?.kill()
    this.#session?.close().catch(() => this.#session?.kill())
  }

  /** The application goes down, or the machine has no use for it any more: the process must not outlive it. */
  abandon(): void {
    this.#ending = true
    this.#abort.abort()
    this.#recorder?.flush()
    this.#session?.kill()
  }

  async #speak(session: AgentSession, recorder: TurnRecorder, turn: ComposedTurn): Promise<void> {
    void session.gone.then((end) => this.#isGone(end))
    this.#ports.keepSession(this.#run, session)
    if (this.#ending) return void session.close()
    this.#say({ type: 'agent.started', pid: session.pid, startedAt: session.startedAt })
    const end = await session.prompt({ prompt: turn.prompt }, (event) => this.#hear(event, recorder))
    this.#conclude(end, recorder)
  }

  #hear(event: AgentEvent, recorder: TurnRecorder): void {
    if (event.type === 'session') return
    if (event.type === 'asked') return this.#ask(event.request)
    if (event.type === 'askedNoMore') return this.#askNoMore(event.requestId)
    recorder.hear(event)
  }

  #conclude(end: TurnEnd, recorder: TurnRecorder): void {
    if (end.status === 'failed') {
      recorder.flush()
      return this.#fail(end.failure)
    }
    const { text, reading } = recorder.finish()
    if (end.status === 'completed') this.#ports.keepTurn(this.#run, { text, reading })
    this.#say({ type: 'agent.finished', stop: end.status })
  }

  #fail(failure: Failure): void {
    this.#ports.noteFailure(this.#run, failure)
    this.#say({ type: 'agent.failed', failure })
  }

  #isGone(_end: ProcessEnd): void {
    this.#recorder?.flush()
    this.#say({ type: 'agent.gone', began: true })
  }

  /** One question at a time holds the attempt; more of them wait their turn. */
  #ask(request: PermissionRequest): void {
    this.#waiting.push(request)
    this.#askNext()
  }

  #askNext(): void {
    if (this.#openGateId !== null) return
    const request = this.#waiting.shift()
    if (!request) return
    this.#recorder?.flush()
    const ask = permissionAsk(this.#run, request, this.#ports.now())
    this.#asked.set(ask.gateId, request)
    this.#openGateId = ask.gateId
    this.#ports.openGate(ask)
    this.#say({ type: 'agent.asked', gateId: ask.gateId })
  }

  #askNoMore(requestId: string): void {
    this.#waiting = this.#waiting.filter((request) => request.requestId !== requestId)
    for (const [gateId, request] of this.#asked) if (request.requestId === requestId) this.#ports.withdrawGate(gateId)
  }

  #deliver(gateId: string, decision: GateDecision): void {
    const request = this.#asked.get(gateId)
    this.#asked.delete(gateId)
    if (this.#openGateId === gateId) this.#openGateId = null
    if (request) this.#session?.answer(request.requestId, { effect: decision.effect, note: decision.note })
    this.#askNext()
  }
}
