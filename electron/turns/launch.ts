import type { AgentSession, OpenSession, TurnEnd } from '../../adapters/ports.ts'
import type { AgentOrder, AgentRun } from '../../machines/blanks.ts'
import type { AgentEvent, PermissionRequest } from '../../shared/agent-event.ts'
import { Failure, kindOf, toFailure } from '../../shared/errors.ts'
import type { GateAsk, GateDecision } from '../../shared/gate.ts'
import { permissionAsk } from './permission-ask.ts'
import type { ComposedTurn } from './compose-turn.ts'
import type { TurnRecorder } from './turn-recorder.ts'

export interface LaunchPorts {
  /** Resolves once the transition that began this launch outlives us. */
  written: () => Promise<void>
  /** Resolves once it outlives a power cut as well. */
  durable: () => Promise<void>
  /** What is sent in this try, recorded as delivered. Throws what refuses it. */
  compose: (run: AgentRun) => ComposedTurn
  open: (run: AgentRun, request: Omit<OpenSession, 'program' | 'env'>, signal: AbortSignal) => Promise<AgentSession>
  /** Keeps the native session for later turns. */
  keepSession: (run: AgentRun, turn: ComposedTurn, session: AgentSession) => void
  /** Learns whether the native session has taken the images that this turn brought, if it brought any. */
  noteImages: (run: AgentRun, turn: ComposedTurn, outcome: 'taken' | 'choked') => void
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
  /** Whether the prompt has been handed to the agent. */
  #prompted = false
  /** Whether it was told to end. */
  #ending = false
  /** Whether the turn has had its end: what comes after it is of no turn. */
  #over = false

  constructor(ports: LaunchPorts, run: AgentRun, say: Say) {
    this.#ports = ports
    this.#run = run
    this.#say = say
  }

  async begin(): Promise<void> {
    try {
      await this.#ports.written()
      if (this.#ending) return this.#say({ type: 'agent.gone', began: false })
      const turn = this.#ports.compose(this.#run)
      const durable = this.#ports.durable()
      durable.catch(() => undefined)
      const session = await this.#ports.open(this.#run, turn.session, this.#abort.signal)
      this.#session = session
      void session.gone.then(() => this.#isGone())
      // a power cut takes a process with its record; what is asked of the agent must not be without one
      await durable
      if (this.#ending) return this.#end(session)
      await this.#speak(session, turn)
    } catch (error) {
      this.#fail(toFailure(error))
      if (this.#session) this.#end(this.#session)
      else this.#say({ type: 'agent.gone', began: false })
    }
  }

  obey(order: AgentOrder): void {
    if (order.type === 'gate.deliver') return this.#deliver(order.gateId, order.decision)
    this.#ending = true
    this.#stopOpening()
    if (order.type === 'agent.kill') return this.#session?.kill()
    if (this.#session) this.#end(this.#session)
  }

  /** The application goes down, or the machine has no use for it any more: the process must not outlive it. */
  abandon(): void {
    this.#ending = true
    this.#over = true
    this.#stopOpening()
    this.#recorder?.flush()
    this.#session?.kill()
  }

  #stopOpening(): void {
    if (!this.#session) this.#abort.abort()
  }

  async #speak(session: AgentSession, turn: ComposedTurn): Promise<void> {
    this.#ports.keepSession(this.#run, turn, session)
    const recorder = this.#ports.record(this.#run, turn)
    this.#recorder = recorder
    this.#say({ type: 'agent.started', pid: session.pid, startedAt: session.startedAt })
    this.#prompted = true
    const { prompt, images } = turn
    const end = await session.prompt({ prompt, images }, (event) => this.#hear(event, recorder))
    if (this.#over) return
    if (end.status === 'completed') this.#ports.noteImages(this.#run, turn, 'taken')
    else if (end.status === 'refused' || (end.status === 'failed' && mayBeTheImages(end.failure))) {
      this.#ports.noteImages(this.#run, turn, 'choked')
    }
    this.#conclude(end, recorder)
  }

  #hear(event: AgentEvent, recorder: TurnRecorder): void {
    if (this.#over || event.type === 'session') return
    if (event.type === 'asked') return this.#ask(event.request)
    if (event.type === 'askedNoMore') return this.#askNoMore(event.requestId)
    recorder.hear(event)
  }

  #conclude(end: TurnEnd, recorder: TurnRecorder): void {
    if (end.status === 'failed') return this.#fail(end.failure)
    this.#over = true
    const { text, reading } = recorder.finish()
    if (end.status === 'completed') this.#ports.keepTurn(this.#run, { text, reading })
    this.#say({ type: 'agent.finished', stop: end.status })
  }

  #fail(failure: Failure): void {
    this.#over = true
    this.#recorder?.flush()
    this.#ports.noteFailure(this.#run, failure)
    this.#say({ type: 'agent.failed', failure: bounded(failure) })
  }

  #end(session: AgentSession): void {
    session.close().catch(() => session.kill())
  }

  #isGone(): void {
    this.#over = true
    this.#recorder?.flush()
    this.#say({ type: 'agent.gone', began: this.#prompted })
  }

  /** One question at a time holds the attempt; more of them wait their turn. */
  #ask(request: PermissionRequest): void {
    this.#waiting.push(request)
    this.#askNext()
  }

  #askNext(): void {
    // nobody would take the answer of one that is being ended
    if (this.#openGateId !== null || this.#ending) return
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
    if (request) void this.#answer(request.requestId, decision)
    this.#askNext()
  }

  /** The agent acts upon an answer: that it was taken is on disk before. */
  async #answer(requestId: string, { effect, note }: GateDecision): Promise<void> {
    try {
      await this.#ports.durable()
    } catch {
      // what cannot be written has ended every process
      return
    }
    if (!this.#ending) this.#session?.answer(requestId, { effect, note })
  }
}

/** A login, a pause or a lost network has nothing to do with what was sent. */
const mayBeTheImages = ({ code }: Failure) => ['provider', 'protocol', 'execution', 'session'].includes(kindOf(code))

/** A failure that is to be stored, whatever the agent had to say about it. */
const bounded = (failure: Failure): Failure =>
  Failure.safeParse(failure).success
    ? failure
    : { code: failure.code, message: failure.message.slice(0, failureMessageMaxCharacters) }

const failureMessageMaxCharacters = 2_000
