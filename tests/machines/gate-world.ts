import type { AgentSession, ProcessEnd, TurnEnd } from '../../adapters/ports.ts'
import type { LaunchPorts } from '../../electron/turns/launch.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { toFailure } from '../../shared/errors.ts'
import type { GateRecord } from '../../shared/gate.ts'
import { gateExpiryMs } from '../../shared/limits.ts'
import { now } from './events.ts'
import { type Disk, Start } from './one-asker.ts'
import type { Playing } from './stage.ts'
import { leafOf, persist } from './walk.ts'

/** What has happened outside, and no crash undoes. */
interface Facts {
  /** Decisions that an agent got: as an answer to its question, or with the prompt of a new process. */
  delivered: { how: 'answer' | 'prompt'; effect: string }[]
  /** Answers that the person was told to stand. */
  accepted: string[]
}

/** Where a start begins: what is on the disk, and what has happened before. */
export interface Origin {
  disk: Disk
  facts: Facts
  /** How many starts there were before it. */
  starts: number
  mayContinue: boolean
  /** What happened until then, in words. */
  how?: string
}

const steps = [
  'ask', 'yes', 'no', 'expiry', 'delivery expiry', 'taken back', 'finish', 'die', 'stop', 'quit', 'retry', 'floor',
  'disk',
] as const
export type Step = (typeof steps)[number]

/**
 * One start with an attempt, its real launch and its gate over a disk that is waited for: nothing that waits for the
 * disk goes on before the step `disk`. Notes every moment at which a crash would leave something else.
 */
export class GateWorld {
  readonly crashes = new Map<string, Origin>()
  readonly facts: Facts
  /** The codes of answers that were refused in this start. */
  readonly refused: string[] = []
  readonly #origin: Origin
  readonly #disk: Disk
  readonly #start: Start
  #syncs: (() => void)[] = []
  #agent: Agent | null = null
  #asked = false

  constructor(origin: Origin) {
    this.#origin = origin
    this.facts = structuredClone(origin.facts)
    this.#disk = origin.disk.copy()
    this.#disk.aroundCut = () => this.#noteCrash()
    this.#asked = this.#disk.gates.size > 0
    this.#start = new Start(`start ${origin.starts}`, this.#disk, {
      sync: () =>
        new Promise((resolve) => {
          this.#syncs.push(resolve)
        }),
      launches: ({ recorder, gates }) => this.#launches(recorder, gates),
    })
    this.#start.stage.onBegin = (playing) => this.#begun(playing)
  }

  /** Goes the whole way; only its last step notes crashes, for those before it were noted by shorter ways. */
  async go(path: readonly Step[]): Promise<void> {
    await this.#begin()
    for (const step of path) {
      this.crashes.clear()
      await this.let(step)
    }
  }

  async #begin(): Promise<void> {
    if (this.#origin.starts === 0) this.#start.begin(this.#origin.mayContinue)
    else await this.#start.restoreAll()
    await this.#calm()
  }

  /** What can change anything now; `answerLate` tries the answers that cannot. */
  get possible(): Step[] {
    const attempt = this.attempt
    const is: Record<Step, boolean> = {
      ask: this.#agent !== null && !this.#asked,
      yes: this.gate?.status === 'waiting',
      no: this.gate?.status === 'waiting',
      expiry: this.#deadline('gate.expired') !== undefined,
      'delivery expiry': this.#deadline('delivery.expired') !== undefined,
      'taken back': this.#agent !== null && this.#asked,
      finish: this.#agent !== null,
      die: this.#agent !== null,
      stop: !isOver(attempt),
      quit: !isOver(attempt),
      retry: attempt === 'awaitingGate',
      floor: this.#leases > 0,
      disk: this.#syncs.length > 0,
    }
    return steps.filter((step) => is[step])
  }

  async let(step: Step): Promise<void> {
    switch (step) {
      case 'ask': this.#asked = true; this.#agent?.hear(question); break
      case 'yes': case 'no': await this.#answer(step === 'yes' ? 'allow' : 'deny'); break
      case 'expiry': this.#deadline('gate.expired')?.say({ type: 'gate.expired' }); break
      case 'delivery expiry': this.#deadline('delivery.expired')?.say({ type: 'delivery.expired' }); break
      case 'taken back': this.#agent?.hear({ type: 'askedNoMore', requestId: 'question' }); break
      case 'finish': this.#agent?.turn.resolve({ status: 'completed' }); break
      case 'die': this.#agent?.end(); break
      case 'stop': this.#start.say('attempt.stop', { reason: 'person' }); break
      case 'quit': this.#start.say('attempt.stop', { reason: 'shutdown' }); break
      case 'retry': this.#start.say('attempt.retry'); break
      case 'floor': this.#grant(); break
      case 'disk': for (const done of this.#syncs.splice(0)) done()
    }
    await this.#calm()
  }

  /** Answers a gate that has its answer or is closed, in both ways, and tells whether anything changed by it. */
  async answerLate(): Promise<boolean> {
    if (this.gate === null || this.gate.status === 'waiting') return false
    const before = this.stored
    await this.#answer('allow')
    await this.#answer('deny')
    await this.#calm()
    return this.stored !== before
  }

  get attempt(): string {
    return this.#start.attempt ? leafOf(this.#start.attempt.getSnapshot().value) : 'none'
  }

  /** The gate as it is stored; `null` before it was asked. */
  get gate(): GateRecord | null {
    return this.gates[0] ?? null
  }

  get gates(): GateRecord[] {
    return [...this.#disk.gates.values()]
  }

  /** When a gate that was asked about expires, as it was asked. */
  readonly deadline = now + gateExpiryMs

  /** Whether the attempt waits for the gate, or has its answer and waits for a slot. */
  get holdsGate(): boolean {
    const held = this.#start.attempt?.getSnapshot().context.gate
    return held !== null && held !== undefined && held.gateId === this.gate?.gateId
  }

  /** Whether something is still on its way to the disk. */
  get waitsForDisk(): boolean {
    return this.#syncs.length > 0
  }

  hasDeadline(event: string): boolean {
    return this.#deadline(event) !== undefined
  }

  /** What is on the disk, and where the attempt is. */
  get stored(): string {
    return JSON.stringify([this.attempt, this.gates, [...this.#disk.roots.values()]])
  }

  /** All of it that decides what may come next. */
  get print(): string {
    const live = this.#start.attempt ? persist(this.#start.attempt) : ''
    const waits = [this.#syncs.length, this.#leases, this.#agent !== null, this.#asked]
    return withoutBoots(JSON.stringify([live, [...this.#disk.roots.values()], this.facts, waits]), this.#origin.starts)
  }

  rest(): void {
    this.#start.recorder.rest()
    this.#start.attempt?.stop()
    this.#start.gates.rest()
  }

  async #answer(optionId: string): Promise<void> {
    const answering = this.#start.gates.answer(this.gate?.gateId ?? '', optionId, null)
    answering.then(
      () => {
        this.facts.accepted = [...new Set([...this.facts.accepted, optionId])]
      },
      (error: unknown) => void this.refused.push(toFailure(error).code),
    )
  }

  /** Lets everything happen that waits for nothing but its turn, and writes what nobody waits for. */
  async #calm(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((done) => { setImmediate(done) })
      void this.#start.recorder.written()
    }
    await new Promise((done) => { setImmediate(done) })
    this.#noteCrash()
  }

  #noteCrash(): void {
    const { starts, mayContinue } = this.#origin
    const origin = { disk: this.#disk.copy(), facts: structuredClone(this.facts), starts: starts + 1, mayContinue }
    this.crashes.set(printOf(origin), origin)
  }

  #deadline(event: string): Playing | undefined {
    return this.#start.stage.playing.find(({ actor, input }) =>
      actor === 'deadline' && input['event'] === event && input['at'] !== null)
  }

  /** A slot is asked for and not granted yet. */
  get #leases(): number {
    const lease = this.#start.stage.one('holdLease')
    if (!lease || this.attempt === 'awaitingGate') return 0
    return this.attempt === 'queued' || this.attempt === 'resuming' ? 1 : 0
  }

  #grant(): void {
    this.#start.stage.one('holdLease')?.say({ type: 'lease.granted' })
  }

  #begun({ actor, say }: Playing): void {
    if (actor !== 'keepReply') return
    queueMicrotask(() => say({ type: 'reply.kept', vote: null, noVote: null, textLength: 3, denials: 0 }))
  }

  #launches(recorder: Start['recorder'], gates: Start['gates']): LaunchPorts {
    const nothing = () => undefined
    return {
      written: () => recorder.written(),
      durable: () => recorder.durable(),
      compose: () => ({ images: [] }) as never,
      open: async () => {
        this.#agent = new Agent((effect) => this.facts.delivered.push({ how: 'answer', effect }))
        void this.#agent.gone.then(() => { this.#agent = null })
        return this.#agent.session
      },
      keepSession: (run) => {
        // the prompt goes out right after this
        const effect = run.continues?.decision.effect
        if (effect) this.facts.delivered.push({ how: 'prompt', effect })
      },
      noteImages: nothing, keepTurn: nothing, noteFailure: nothing,
      record: () => ({ hear: nothing, flush: nothing, finish: () => ({ text: '', reading: null }) }) as never,
      openGate: (ask) => gates.open(ask),
      withdrawGate: (gateId) => gates.withdraw(gateId),
      now: () => now,
    }
  }
}

/** An agent that asks once, and does what a step says. */
class Agent {
  readonly turn = Promise.withResolvers<TurnEnd>()
  readonly #gone = Promise.withResolvers<ProcessEnd>()
  readonly session: AgentSession
  hear: (event: AgentEvent) => void = () => undefined

  constructor(answered: (effect: string) => void) {
    const end = () => this.end()
    this.session = {
      pid: 7, startedAt: now, version: '1', native: { id: 'native', resumed: false }, gone: this.gone,
      prompt: (_turn, hear) => {
        this.hear = hear
        return this.turn.promise
      },
      answer: (_requestId, { effect }) => answered(effect),
      close: () => {
        end()
        return this.gone
      },
      kill: end,
    } as AgentSession
  }

  get gone(): Promise<ProcessEnd> {
    return this.#gone.promise
  }

  end(): void {
    this.#gone.resolve({ code: 0, signal: null, stderr: '', killed: 0 })
  }
}

/** What a later start can know of an origin. */
const printOf = ({ disk, facts, starts }: Origin): string =>
  withoutBoots(JSON.stringify([[...disk.roots.values()], facts, starts]), -1)

const withoutBoots = (text: string, starts: number): string =>
  text.replaceAll(/boot\\*":\\*"start (\d+)/g, (_all, start: string) => Number(start) === starts ? 'ours' : 'earlier')

const isOver = (attempt: string): boolean =>
  ['completed', 'partial', 'failed', 'timedOut', 'stopped', 'interrupted', 'skipped'].includes(attempt)

const question: AgentEvent = {
  type: 'asked',
  request: {
    requestId: 'question', toolId: null, kind: 'execute', title: 'run a command', detail: 'make', reason: null,
  },
}
