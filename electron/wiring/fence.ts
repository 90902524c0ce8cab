import { fromCallback, type CallbackActorLogic, type EventObject } from 'xstate'

/** What an effect may use: it says facts to its machine, and its clean-up is what it gives back. */
export interface EffectScope<Received extends EventObject, Input> {
  input: Input
  /** Sends a fact to the machine, stamped with the time. Silent once the effect is disposed. */
  say: (fact: { type: string; [field: string]: unknown }) => void
  receive: (hear: (order: Received) => void) => void
}

export type Effect<Received extends EventObject, Input> = (scope: EffectScope<Received, Input>) => (() => void) | void

/** Wraps effects so that what a former start of the application began is never begun again. */
export interface Fence {
  outside: <Received extends EventObject, Input>(
    lost: string | ((input: Input) => string),
    effect: Effect<Received, Input>,
  ) => CallbackActorLogic<Received, Input>
  again: <Received extends EventObject, Input>(effect: Effect<Received, Input>) => CallbackActorLogic<Received, Input>
}

/**
 * Makes the fence of one start. `boot` is new at each start; `clock` gives milliseconds since 1970.
 * An `outside` effect carries its boot in its own snapshot: written when it is first made, never when it is restored.
 */
export const fenceOf = (boot: string, clock: () => number): Fence => ({
  outside: (lost, effect) => {
    const logic = plain(clock, (scope, restored) => {
      if (!restored) return effect(scope)
      scope.say({ type: typeof lost === 'string' ? lost : lost(scope.input) })
    }, boot)
    return {
      ...logic,
      getInitialSnapshot: (scope, input) => ({ ...logic.getInitialSnapshot(scope, input), boot }),
    }
  },
  again: (effect) => plain(clock, (scope) => effect(scope), boot),
})

const plain = <Received extends EventObject, Input>(
  clock: () => number,
  effect: (scope: EffectScope<Received, Input>, restored: boolean) => (() => void) | void,
  boot: string,
) =>
  fromCallback<Received, Input>(({ input, receive, sendBack, self }) => {
    const snapshot: unknown = self.getSnapshot()
    const restored = typeof snapshot === 'object' && snapshot !== null && 'boot' in snapshot && snapshot.boot !== boot
    const scope = { input, receive, say: (fact: { type: string }) => sendBack({ at: clock(), ...fact }) }
    return effect(scope, restored)
  })
