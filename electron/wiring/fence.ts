import { fromCallback, type CallbackActorLogic, type EventObject } from 'xstate'
import type { Failure } from '../../shared/errors.ts'

/** What an effect may use: it says facts to its machine, and what it gives back is its clean-up. */
export interface EffectScope<Received extends EventObject, Input> {
  input: Input
  /** Sends a fact to the machine, stamped with the time. Silent once the effect is disposed. */
  say: (fact: { type: string; [field: string]: unknown }) => void
  receive: (hear: (order: Received) => void) => void
}

type Effect<Received extends EventObject, Input> = (scope: EffectScope<Received, Input>) => (() => void) | void

/** Wraps the effects of one start of the application. */
export interface Fence {
  /** Touches the world: one that an earlier start began only says its lost-fact. */
  outside<Received extends EventObject, Input>(
    lost: string | ((input: Input) => string),
    effect: Effect<Received, Input>,
  ): CallbackActorLogic<Received, Input>
  /** Our own store or a clock: simply runs again after a restart. */
  again<Received extends EventObject, Input>(effect: Effect<Received, Input>): CallbackActorLogic<Received, Input>
}

/**
 * Makes the fence of one start. `boot` is new at each start; `clock` gives milliseconds since 1970.
 * `because` says what ended the work before, where the application itself did not end.
 * An outside effect keeps its boot in its own snapshot: written when it is first made, never when it is restored.
 */
export const fenceOf = (boot: string, clock: () => number, because: Failure | null = null): Fence => ({
  outside<Received extends EventObject, Input>(
    lost: string | ((input: Input) => string),
    effect: Effect<Received, Input>,
  ) {
    const logic = stamping<Received, Input>(clock, (scope, startedIn) => {
      if (startedIn === boot) return effect(scope)
      const type = typeof lost === 'string' ? lost : lost(scope.input)
      scope.say(because ? { type, failure: because } : { type })
    })
    const fenced: CallbackActorLogic<Received, Input> = {
      ...logic,
      getInitialSnapshot: (scope, input) => ({ ...logic.getInitialSnapshot(scope, input), boot }),
    }
    return fenced
  },
  again: (effect) => stamping(clock, effect),
})

const stamping = <Received extends EventObject, Input>(
  clock: () => number,
  effect: (scope: EffectScope<Received, Input>, startedIn: unknown) => (() => void) | void,
): CallbackActorLogic<Received, Input> =>
  fromCallback<Received, Input>(({ input, receive, sendBack, self }) => {
    const say = (fact: { type: string }) => sendBack({ at: clock(), ...fact })
    return effect({ input, receive: (hear) => receive(hear), say }, bootOf(self.getSnapshot()))
  })

const bootOf = (snapshot: object): unknown => ('boot' in snapshot ? snapshot.boot : undefined)
