import type { AgentEvent, ToolNote } from '../../shared/agent-event.ts'
import type { Failure } from '../../shared/errors.ts'
import { sameRefusalRetriesMax, unreachableNoticesMax } from '../../shared/limits.ts'
import type { TurnEnd } from '../ports.ts'
import type { Hidden } from '../redact.ts'
import { cleanFailure, eventRedactor, type EventRedactor } from '../redact-events.ts'
import { failureOf } from './failures.ts'
import { noticeMaxCharacters } from './notices.ts'
import { outcomeOf, type ExitSignals } from './outcome.ts'
import type { BlockEnded } from './spoken.ts'

/** What a protocol's reader makes of a message: events, and the one that ends the turn. */
export type Heard = AgentEvent | BlockEnded | { type: 'turnEnded'; end: TurnEnd }

interface TurnRules {
  hear: (event: AgentEvent) => void
  hidden: Hidden
  /** How long the first sign of the model may take, in milliseconds. */
  launchMs: number
  /** Called once when the turn is over for us though not yet for the agent: it must be told to stop. */
  giveUp(): void
}

/** One turn as it runs: passes its events on cleaned, watches for a first sign of life and for hopeless retries. */
export class LiveTurn {
  readonly ended: Promise<TurnEnd>
  readonly #rules: TurnRules
  readonly #redactor: EventRedactor
  readonly #settle: (end: TurnEnd) => void
  #over = false
  #stopped = false
  #launch: NodeJS.Timeout | null
  #refusals = noRefusals
  /** The answer as far as it has been said, up to where it is too long to be a notice. */
  #said = ''
  readonly #running = new Map<string, ToolNote>()
  readonly #named = new Set<string>()

  constructor(rules: TurnRules) {
    const { promise, resolve } = Promise.withResolvers<TurnEnd>()
    this.ended = promise
    this.#settle = resolve
    this.#rules = rules
    this.#redactor = eventRedactor(rules.hidden, rules.hear)
    this.#launch = setTimeout(() => this.#giveUp(failureOf('agent.first-byte-late')), rules.launchMs)
  }

  /** Whether nothing more of this turn counts. */
  get over() {
    return this.#over
  }

  /** The model has begun to answer, or its provider to refuse. */
  markAlive() {
    if (!this.#launch) return
    clearTimeout(this.#launch)
    this.#launch = null
  }

  take(heard: readonly Heard[]) {
    for (const event of heard) {
      if (this.#over) return
      if (event.type === 'turnEnded') return this.end(event.end)
      if (event.type !== 'session') this.markAlive()
      if (event.type === 'blockEnded') this.#redactor.pause(event.of)
      else this.#pass(event)
      if (event.type === 'retrying') this.#weigh(event.failure, event.max)
      else if (event.type === 'text' || event.type === 'tool') this.#refusals = noRefusals
    }
  }

  /** A line that is no message is named once a turn, and is no sign of the model. */
  noteNoise(what: string, bytes: number) {
    if (this.#over || this.#named.has(what)) return
    this.#named.add(what)
    this.#redactor.hear({ type: 'omitted', what, bytes, sha256: null })
  }

  /** We ask it to stop: what fails from now on is a consequence of that. */
  noteStop() {
    this.#stopped = true
  }

  /** The first end is the true one; what follows is only its consequence. */
  end(told: TurnEnd) {
    if (this.#over) return
    const outcome = outcomeOf({ told, answer: this.#said, stopped: this.#stopped, exit: null }, Date.now())
    // what a program says of itself is not what the model answered
    if (told.status === 'completed' && outcome.status === 'failed') this.#pass({ type: 'textReplaced', text: '' })
    this.#close(outcome)
  }

  /** The process has ended. */
  endWithProcess(exit: ExitSignals) {
    if (!this.#over)
      this.#close(outcomeOf({ told: null, answer: this.#said, stopped: this.#stopped, exit }, Date.now()))
  }

  #close(end: TurnEnd) {
    this.#over = true
    this.markAlive()
    this.#redactor.end()
    // what had begun when the turn ended has no end of its own any more
    for (const tool of this.#running.values())
      this.#redactor.hear({ type: 'tool', tool: { ...tool, status: 'cancelled' } })
    this.#settle(
      end.status === 'failed' ? { status: 'failed', failure: cleanFailure(end.failure, this.#rules.hidden) } : end,
    )
  }

  #pass(event: AgentEvent) {
    if (event.type === 'text' && this.#said.length <= noticeMaxCharacters) this.#said += event.delta
    if (event.type === 'textReplaced') this.#said = event.text
    if (event.type === 'tool') {
      if (event.tool.status === 'running') this.#running.set(event.tool.toolId, event.tool)
      else this.#running.delete(event.tool.toolId)
    }
    this.#redactor.hear(event)
  }

  /** A wrong key stays wrong, and a network that is away is for the attempt's own backoff to wait for. */
  #weigh(failure: Failure, max: number | null) {
    this.#refusals =
      failure.code === this.#refusals.code
        ? { code: failure.code, count: this.#refusals.count + 1 }
        : { code: failure.code, count: 1 }
    const isRefused = failure.code === 'agent.unauthorized' || failure.code === 'agent.forbidden'
    if (isRefused && this.#refusals.count >= sameRefusalRetriesMax) return this.#giveUp(failure)
    const isEndless = failure.code === 'agent.unreachable' && max === null
    if (isEndless && this.#refusals.count >= unreachableNoticesMax) this.#giveUp(failure)
  }

  #giveUp(failure: Failure) {
    if (this.#over) return
    this.end({ status: 'failed', failure })
    this.#rules.giveUp()
  }
}

const noRefusals = { code: '', count: 0 }
