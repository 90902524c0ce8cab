import type { Composition, HearPush } from '../../electron/shell.ts'
import type { Failure } from '../../shared/errors.ts'
import { commandNames, type Handlers, type Push, type PushName } from '../../shared/ipc.ts'

type Answer = (name: string, input: unknown) => unknown

/** A composition without anything behind it: notes what it is asked and pushes what a test wants. */
export class FakeComposition implements Composition {
  readonly calls: { name: string; input: unknown }[] = []
  readonly quits: string[] = []
  readonly handlers: Handlers
  serving = false
  started = 0
  readOnly: Failure | null = null
  /** What happens between the wish to quit and its end. */
  whileQuitting = () => {}
  readonly #hearers = new Set<HearPush>()

  constructor(answer: Answer = () => ({})) {
    const entries = commandNames.map((name) => [
      name,
      async (input: unknown) => {
        if (name === 'app.snapshot') return { app: { readOnly: this.readOnly } }
        this.calls.push({ name, input })
        return answer(name, input)
      },
    ])
    this.handlers = Object.fromEntries(entries) as Handlers
  }

  onPush(hear: HearPush) {
    this.#hearers.add(hear)
    return () => void this.#hearers.delete(hear)
  }

  push<N extends PushName>(topic: N, body: Push<N>) {
    for (const hear of this.#hearers) hear(topic, body)
  }

  async start() {
    this.started += 1
    this.serving = true
  }

  mayServe() {
    return this.serving
  }

  survey() {
    return { interrupts: [], keeps: [], install: null }
  }

  decideQuit() {
    return 'no' as const
  }

  async quit(how: 'asked' | 'forced') {
    this.quits.push(how)
    this.serving = false
    this.whileQuitting()
  }
}
