import type { CallbackActorLogic, EventObject } from 'xstate'
import { attemptMachine } from '../../machines/attempt.ts'
import { actorKinds } from '../../machines/blanks.ts'
import { gateMachine } from '../../machines/gate.ts'
import { installMachine } from '../../machines/install.ts'
import { lifecycleMachine } from '../../machines/lifecycle.ts'
import { roundMachine } from '../../machines/round.ts'
import { runMachine } from '../../machines/run.ts'
import { fenceOf, type EffectScope } from '../../electron/wiring/fence.ts'

type Fact = { type: string; [field: string]: unknown }
type Said = Fact & { at: number }

/** An effect that is going on: what it was given, what it was told, and a mouth to speak with. */
export interface Playing {
  actor: string
  input: Record<string, unknown>
  orders: Said[]
  say: (fact: Fact) => void
}

/** What a fence says of effects of an earlier start, by actor. */
const lostFacts: Record<string, string | ((input: { event: string }) => string)> = {
  preflight: 'run.lost',
  runAgent: 'attempt.lost',
  holdLease: 'attempt.lost',
  applyDecision: 'gate.lost',
  watchBoot: ({ event }) => event,
}

type OnBegin = (playing: Playing) => void

/** Everything outside the machines: effects begin, hear orders, and say what a test makes them say. */
export class Stage {
  readonly playing: Playing[] = []
  readonly begun: string[] = []
  now = 1_000_000
  /** What an effect does by itself when it begins. */
  onBegin: OnBegin = () => undefined

  readonly boot: string

  constructor(boot: string) {
    this.boot = boot
  }

  /** The effects of the named actors, fenced by this stage's boot. */
  actors<Name extends string>(...names: Name[]): Record<Name, never> {
    return Object.fromEntries(names.map((name) => [name, this.#logic(name)])) as Record<Name, never>
  }

  one(actor: string, attemptId?: string): Playing | undefined {
    return this.playing.find((each) => each.actor === actor && (!attemptId || each.input.attemptId === attemptId))
  }

  attempt = (more: { alone?: boolean } = {}) => attemptMachine.provide({
    actors: this.actors('holdLease', 'runAgent', 'watchBoot', 'watchSilence', 'deadline', 'keepReply', 'followGate'),
    ...(more.alone ? { actions: { tellRoundItGoesOn: () => undefined } } : {}),
  })
  round = () => roundMachine.provide({ actors: { attempt: this.attempt() } })
  run = () => runMachine.provide({
    actors: {
      ...this.actors('preflight', 'acceptTask', 'followGate', 'writeMinutes', 'deadline'),
      round: this.round(),
    },
  })
  gate = () => gateMachine.provide({ actors: this.actors('deadline', 'reachAsker', 'applyDecision', 'watchBoot') })
  lifecycle = () => lifecycleMachine.provide({
    actors: this.actors(
      'openStores', 'restoreWork', 'awaitDisk', 'reopenWork', 'surveyWork', 'watchWork', 'endWork', 'killChildren',
      'closeStores', 'deadline',
    ),
  })
  install = () => installMachine.provide({
    actors: this.actors(
      'checkInstall', 'verifyPackage', 'fetchPackage', 'installPackage', 'confirmInstall', 'clearInstall', 'deadline',
    ),
  })

  #logic(actor: string): CallbackActorLogic<EventObject, unknown> {
    const fence = fenceOf(this.boot, () => this.now)
    const effect = ({ input, say, receive }: EffectScope<EventObject, unknown>) => {
      const playing: Playing = { actor, input: input as Record<string, unknown>, orders: [], say }
      this.playing.push(playing)
      this.begun.push(actor)
      receive((order) => playing.orders.push(order as Said))
      this.onBegin(playing)
      return () => {
        this.playing.splice(this.playing.indexOf(playing), 1)
      }
    }
    const isOutside = actorKinds[actor] === 'outside'
    return isOutside ? fence.outside(lostFacts[actor] as never ?? `${actor}.lost`, effect) : fence.again(effect)
  }
}
