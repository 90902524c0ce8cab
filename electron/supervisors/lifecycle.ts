import { createActor, waitFor, type Actor } from 'xstate'
import type { lifecycleMachine } from '../../machines/lifecycle.ts'
import type { Failure } from '../../shared/errors.ts'
import type { QuitWish } from '../../shared/quit.ts'
import type { AppState } from '../../shared/view.ts'

/** Runs the application's own chart: it is never stored, a new start is a new one. */
export class Lifecycle {
  readonly #actor: Actor<typeof lifecycleMachine>
  readonly #now: () => number
  #hasStarted = false

  /** `changed` is called after every step. */
  constructor(machine: typeof lifecycleMachine, changed: () => void, now: () => number) {
    this.#actor = createActor(machine, { input: { at: now() } })
    this.#actor.subscribe(changed)
    this.#now = now
  }

  /** Resolves once the stores are open and the work is restored, or cannot be. */
  async start(): Promise<void> {
    this.#hasStarted = true
    this.#actor.start()
    await waitFor(this.#actor, (snapshot) => !snapshot.matches('starting'))
  }

  get word(): AppState['lifecycle'] {
    const { value, status } = this.#actor.getSnapshot()
    if (status !== 'active') return 'closed'
    const word = typeof value === 'string' ? value : Object.keys(value)[0]
    return word === 'ready' || word === 'readOnly' || word === 'starting' ? word : 'draining'
  }

  /** Whether the person has been asked whether to quit, or waits for what runs to end before it. */
  get quitting(): AppState['quitting'] {
    const snapshot = this.#actor.getSnapshot()
    if (snapshot.matches({ ready: 'askingToQuit' })) return 'asked'
    return snapshot.matches({ ready: 'waitingToQuit' }) ? 'waiting' : 'no'
  }

  /** Passes on what the person wants of quitting. */
  decide(wish: QuitWish): void {
    const at = this.#now()
    if (wish !== 'cancel') this.#actor.send({ type: 'app.quit', at })
    if (wish === 'wait') this.#actor.send({ type: 'quit.wait', at })
    if (wish === 'now') this.#actor.send({ type: 'quit.confirm', at })
    if (wish === 'cancel') this.#actor.send({ type: 'quit.cancel', at })
  }

  /** The ledger takes no more. */
  fail(failure: Failure): void {
    this.#actor.send({ type: 'ledger.failed', at: this.#now(), failure })
  }

  /**
   * Drains and closes; resolves when nothing of ours is alive. Whoever calls has asked the person where that can be.
   */
  async quit(how: 'asked' | 'forced'): Promise<void> {
    if (!this.#hasStarted || this.word === 'closed') return
    const at = this.#now()
    if (how === 'asked') this.#actor.send({ type: 'app.quit', at })
    else this.#actor.send({ type: 'app.mustQuit', at })
    this.#actor.send({ type: 'quit.confirm', at })
    await waitFor(this.#actor, (snapshot) => snapshot.status !== 'active')
  }
}
