import { randomUUID } from 'node:crypto'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import type { AgentSession, ProcessEnd, Turn, TurnEnd } from '../../ports.ts'
import type { LineHearer, Omitted } from '../../lines.ts'
import type { LiveProcess } from '../../live-process.ts'
import type { Hidden } from '../../redact.ts'
import { failureOf } from '../failures.ts'
import { LiveTurn } from '../live-turn.ts'
import type { Decoder, Told } from './decoder.ts'
import { endOfTurn } from './turn-end.ts'

interface SessionParts {
  decoder: Decoder
  hidden: Hidden
  warnings: readonly string[]
  /** How long the first sign of an answer may take, in milliseconds. */
  launchMs: number
  version: string
}

/** One process for one turn: it waits for its prompt, gets it on stdin with the end of that, and is gone after it. */
export class OneShotSession implements AgentSession, LineHearer {
  readonly version: string
  readonly native = { id: randomUUID(), resumed: false }
  readonly #parts: SessionParts
  readonly #started = Promise.withResolvers<ProcessEnd>()
  #process: LiveProcess | null = null
  #turn: LiveTurn | null = null
  /** What is printed before there is a turn belongs to it. */
  #early: Told[] = []

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.version = parts.version
  }

  get pid(): number {
    return this.#process?.pid ?? -1
  }

  get startedAt(): number {
    return this.#process?.startedAt ?? 0
  }

  get gone(): Promise<ProcessEnd> {
    return this.#started.promise
  }

  /** `left` is awaited before it counts as gone. */
  attach(process: LiveProcess, left: () => Promise<void>): void {
    this.#process = process
    this.#started.resolve(goneAndLeft(process, left))
  }

  line(text: string): void {
    // also a line that says nothing to us is a sign of life
    this.#turn?.markAlive()
    this.#take(this.#parts.decoder.line(text))
  }

  omitted(line: Omitted): void {
    this.#take(this.#parts.decoder.omitted(line))
  }

  async prompt({ prompt }: Turn, hear: (event: AgentEvent) => void): Promise<TurnEnd> {
    const process = this.#process
    if (!process || this.#turn) return { status: 'failed', failure: failureOf('agent.busy') }
    const { hidden, launchMs, warnings, decoder } = this.#parts
    const turn = new LiveTurn({ hear, hidden, launchMs, giveUp: () => void process.end() })
    this.#turn = turn
    hear({ type: 'session', nativeId: this.native.id, resumed: false })
    if (warnings.length > 0) hear({ type: 'warning', text: warnings.join(' ') })
    if (!decoder.streams) turn.take([{ type: 'warning', text: wholeAnswer }])
    turn.take(this.#early)
    process.renewAllowance()
    process.writeLast(prompt)
    void process.drained.then((exit) => this.#conclude(turn, process, exit))
    return turn.ended
  }

  /** It asks nothing. */
  answer(): void {}

  /** Nothing can be said to it any more, so it is ended. */
  async cancel(): Promise<void> {
    await this.#process?.end()
  }

  close(): Promise<ProcessEnd> {
    void this.#process?.end()
    return this.gone
  }

  kill(): void {
    this.#process?.kill()
  }

  #take(items: Told[]): void {
    if (this.#turn) this.#turn.take(items)
    else this.#early.push(...items)
  }

  #conclude(turn: LiveTurn, process: LiveProcess, exit: Pick<ProcessEnd, 'code' | 'signal' | 'stderr'>): void {
    const said = this.#parts.decoder.end()
    const end = endOfTurn(process, exit, said)
    if (end.status === 'completed' && said.status === 'answered') turn.take(said.items)
    turn.end(end)
  }
}

const goneAndLeft = async (process: LiveProcess, left: () => Promise<void>): Promise<ProcessEnd> => {
  const end = await process.gone
  await left()
  return end
}

/** Also a sign of life: nothing more is due before the end, and how long that may take is watched by others. */
const wholeAnswer = 'It answers as a whole, and shows nothing before it is done.'
