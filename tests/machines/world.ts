import { createActor, type AnyActorRef, type AnyStateMachine, type InspectionEvent } from 'xstate'
import { actorKinds } from '../../machines/blanks.ts'
import type { GateAsk, GateDecision } from '../../shared/gate.ts'
import { decision, failures, now, vote } from './events.ts'
import { Stage, type Playing } from './stage.ts'
import { persist } from './walk.ts'

/** Something that may happen next. `by` tells who would do it: the world by itself, a person, or a crash. */
export interface Happening {
  name: string
  by: 'world' | 'person' | 'crash'
  weight: number
  happen: () => void
}

type Fact = { type: string; [field: string]: unknown }
type Gate = { decision: GateDecision } | { closed: true }

/** What a recorder sees a start of the world with. */
interface Watched {
  inspect: ((inspected: InspectionEvent) => void) | undefined
  attach: (actor: AnyActorRef, restored: boolean) => void
}

const unwatched = (): Watched => ({ inspect: undefined, attach: () => undefined })

/** How much likelier the world's own doings are than what a person or a crash brings in between. */
const usual = 8

/** What a process has said so far. */
interface Process {
  started: boolean
  asked: number
  ended: boolean
}

/**
 * One root machine over everything that can happen to it: effects that succeed, fail, hang and die, people who answer,
 * stop and come too late, and crashes between any two events.
 */
export class World {
  stage: Stage
  actor: AnyActorRef
  /** What the last commit left on the disk. */
  disk: string
  /** Processes begun in all starts together. */
  launches = 0
  ends = 0
  crashes = 0
  readonly #machineOf: (stage: Stage) => AnyStateMachine
  readonly #gates = new Map<string, Gate>()
  readonly #processes = new Map<Playing, Process>()
  readonly #granted = new Map<Playing, number>()
  readonly #watch: () => Watched
  #questions = 0

  /** `watch` sees every actor from its beginning, each start with one of its own. */
  constructor(machineOf: (stage: Stage) => AnyStateMachine, input: unknown, watch: () => Watched = unwatched) {
    this.#machineOf = machineOf
    this.#watch = watch
    this.stage = this.#newStage()
    this.actor = this.#open({ input })
    this.disk = persist(this.actor)
  }

  get isOver(): boolean {
    return this.actor.getSnapshot().status !== 'active'
  }

  /** Processes that the operating system still has, also those that nobody listens to any more. */
  get alive(): Playing[] {
    return [...this.#processes].filter(([, { ended }]) => !ended).map(([playing]) => playing)
  }

  /** Lets one thing happen, and commits what it led to. */
  let({ happen }: Happening): void {
    this.stage.now += 10
    happen()
    this.disk = persist(this.actor)
  }

  send(event: Fact): void {
    this.actor.send({ at: this.stage.now, ...event })
  }

  /** The application dies between two events, with all its processes, and is started again. */
  crash(): void {
    const before = this.disk
    if (persist(this.#restored(before)) !== before) throw new Error('A snapshot changed on its way through JSON.')
    this.actor.stop()
    this.crashes += 1
    this.#processes.clear()
    this.stage = this.#newStage()
    this.actor = this.#open({ snapshot: JSON.parse(before) })
  }

  /** Outside effects that a new start would begin by itself from what is on the disk now. */
  begunByRestart(): string[] {
    const stage = new Stage('another start')
    const actor = this.#restored(this.disk, stage)
    actor.start()
    actor.stop()
    return stage.begun.filter((name) => actorKinds[name] === 'outside' && name !== 'watchBoot')
  }

  #restored(snapshot: string, stage = this.stage): AnyActorRef {
    return createActor(this.#machineOf(stage), { snapshot: JSON.parse(snapshot) } as never)
  }

  /** Everything that the world may do by itself now. */
  facts(): Happening[] {
    return this.stage.playing.flatMap((playing) => this.#factsOf(playing))
  }

  #newStage(): Stage {
    const stage = new Stage(`start ${this.crashes}`)
    stage.now = now + this.crashes * 1_000
    stage.onBegin = (playing) => {
      if (playing.actor !== 'runAgent') return
      this.launches += 1
      this.#processes.set(playing, { started: false, asked: 0, ended: false })
    }
    return stage
  }

  #open(from: object): AnyActorRef {
    const watched = this.#watch()
    const actor = createActor(this.#machineOf(this.stage), { ...from, inspect: watched.inspect } as never)
    watched.attach(actor, 'snapshot' in from)
    actor.subscribe({
      complete: () => {
        if (actor.getSnapshot().status === 'done') this.ends += 1
      },
      error: (error: unknown) => {
        throw error
      },
    })
    actor.start()
    return actor
  }

  #factsOf(playing: Playing): Happening[] {
    const say = (fact: Fact, weight = 1, by: Happening['by'] = 'world'): Happening =>
      ({ name: `${playing.actor} says ${fact.type}`, by, weight: weight * usual, happen: () => playing.say(fact) })
    const failure = failures.fatal
    switch (playing.actor) {
      case 'preflight': return [say({ type: 'preflight.passed' }, 60), say({ type: 'preflight.refused', failure })]
      case 'acceptTask': return [say({ type: 'task.accepted' }, 60), say({ type: 'task.unrecorded', failure })]
      case 'writeMinutes': return [say({ type: 'minutes.written' }, 3), say({ type: 'minutes.unwritten', failure })]
      case 'watchSilence': return [say({ type: 'agent.silent' })]
      case 'keepReply': return this.#replies(say)
      case 'deadline': return this.#deadlines(playing)
      case 'holdLease': return this.#leases(playing)
      case 'runAgent': return this.#words(playing)
      case 'followGate': return this.#answers(playing, say)
      default: return []
    }
  }

  #replies(say: (fact: Fact, weight?: number) => Happening): Happening[] {
    const kept = (what: object) =>
      ({ type: 'reply.kept', vote: null, noVote: null, textLength: 9, denials: 0, ...what })
    return [
      say(kept({ vote: vote('agree') }), 12),
      say(kept({ vote: vote('continue', 'right') }), 5),
      say(kept({ noVote: 'missing', textLength: 0 })),
      say({ type: 'reply.unkept', failure: { code: 'ledger.unwritable', message: 'full' } }),
    ]
  }

  #deadlines({ input, say, actor }: Playing): Happening[] {
    const at = input['at'] as number | null
    if (at === null) return []
    const happen = () => {
      this.stage.now = Math.max(this.stage.now, at)
      say({ type: input['event'] as string })
    }
    return [{ name: `${actor} ${String(input['event'])}`, by: 'world', weight: 1, happen }]
  }

  #leases(playing: Playing): Happening[] {
    const wanted = 1 + playing.orders.filter(({ type }) => type === 'lease.resume').length
    const granted = this.#granted.get(playing) ?? 0
    if (granted >= wanted || playing.orders.at(-1)?.type === 'lease.suspend') return []
    const happen = () => {
      this.#granted.set(playing, granted + 1)
      playing.say({ type: 'lease.granted' })
    }
    return [{ name: 'lease granted', by: 'world', weight: 6 * usual, happen }]
  }

  /** What a process may say: a polite one starts, asks, finishes and goes; any may fail or die at any time. */
  #words(playing: Playing): Happening[] {
    const process = this.#processes.get(playing)
    if (!process || process.ended) return []
    const says = (fact: Fact, weight: number, change: Partial<Process>): Happening => ({
      name: `agent says ${fact.type}`, by: 'world', weight: weight * usual, happen: () => {
        Object.assign(process, change)
        playing.say(fact)
      },
    })
    const told = playing.orders.some(({ type }) => type === 'agent.stop' || type === 'agent.kill')
    const delivered = playing.orders.filter(({ type }) => type === 'gate.deliver').length
    const waits = process.asked > delivered
    const die = says({ type: 'agent.gone', began: process.started }, told ? 8 : 1, { ended: true })
    if (told) return [die]
    if (!process.started) {
      return [die, says({ type: 'agent.started', pid: 7, startedAt: this.stage.now }, 12, { started: true })]
    }
    this.#questions += 1
    const question = says({ type: 'agent.asked', gateId: `gate:${this.#questions}` }, 2, { asked: process.asked + 1 })
    return [
      die,
      ...(waits ? [] : [question]),
      says({ type: 'agent.finished', stop: 'completed' }, 20, {}),
      says({ type: 'agent.finished', stop: 'refused' }, 1, {}),
      ...Object.values(failures).map((failure) => says({ type: 'agent.failed', failure }, 1, {})),
    ]
  }

  /** A gate answers as it did before; one that was not answered yet waits for a person. */
  #answers(playing: Playing, say: (fact: Fact, weight?: number, by?: Happening['by']) => Happening): Happening[] {
    const gateId = playing.input['gateId'] as string
    const settled = this.#gates.get(gateId)
    const answered = (given: GateDecision): Fact => ({ type: 'gate.answered', gateId, decision: given })
    const closed: Fact = { type: 'gate.closed', gateId, reason: 'expired' }
    if (settled) return [say('decision' in settled ? answered(settled.decision) : closed, 6)]
    const settle = (gate: Gate, fact: Fact): Happening => {
      const said = say(fact, 1, 'person')
      return { ...said, happen: () => {
        this.#gates.set(gateId, gate)
        said.happen()
      } }
    }
    return [
      ...this.#decisions(playing.input['ask'] as GateAsk | null)
        .map((given) => settle({ decision: given }, answered(given))),
      settle({ closed: true }, closed),
    ]
  }

  #decisions(ask: GateAsk | null): GateDecision[] {
    if (!ask) return [decision('grant', this.stage.now), decision('deny', this.stage.now)]
    return ask.options.map(({ effect, position }) => decision(effect, this.stage.now, position))
  }
}

/** Picks one happening by a number, the weightier the likelier. */
export const pick = (happenings: Happening[], number: number): Happening | undefined => {
  const total = happenings.reduce((sum, { weight }) => sum + weight, 0)
  let left = total === 0 ? 0 : number % total
  return happenings.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}
