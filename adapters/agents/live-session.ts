import { setTimeout as after } from 'node:timers/promises'
import type { AgentEvent, PermissionRequest } from '../../shared/agent-event.ts'
import { AppError } from '../../shared/errors.ts'
import { protocolCancelMs } from '../../shared/limits.ts'
import type { Answer } from '../ports.ts'
import type { LiveProcess } from '../live-process.ts'
import type { Hidden } from '../redact.ts'
import { plainLine } from '../terminal-codes.ts'
import { failureOf } from './failures.ts'
import { FirstWords } from './first-words.ts'
import { LiveTurn, type Heard } from './live-turn.ts'
import { failureOfExit, type ExitSignals } from './outcome.ts'
import { Questions } from './questions.ts'

interface SessionRules {
  /** The program's name, for a person. */
  name: string
  hidden: Hidden
  /** How long the first sign of the model may take, in milliseconds. */
  launchMs: number
  /** Called when the process has ended: whatever else is waited for fails with this. */
  ended(error: AppError): void
}

/** Holds what every session over a pipe has: its process, the turn that runs, and the questions that are open. */
export class LiveSession {
  readonly words = new FirstWords()
  readonly #rules: SessionRules
  readonly #questions = new Questions()
  #process: LiveProcess | null = null
  #turn: LiveTurn | null = null

  constructor(rules: SessionRules) {
    this.#rules = rules
  }

  /** Throws `agent.crashed` before the start. */
  get process(): LiveProcess {
    if (!this.#process) throw new AppError('agent.crashed', `${this.#rules.name} has not been started.`)
    return this.#process
  }

  /** The turn that runs, or else the last one. */
  get turn(): LiveTurn | null {
    return this.#turn
  }

  get isIdle(): boolean {
    return !this.#turn || this.#turn.over
  }

  attach(process: LiveProcess) {
    this.#process = process
    void process.drained.then((end) =>
      this.#ended({ ...end, cause: process.cause, heard: this.words.soFar, noise: this.words.noise }, process.isEnding),
    )
  }

  /** A line that is no message: a diagnosis before the protocol has begun, a remark after it. */
  noteNoise(line: string) {
    this.words.noteNoise(line)
    if (plainLine(line) !== '')
      this.#turn?.noteNoise(`${this.#rules.name}: a line that is no message`, Buffer.byteLength(line))
  }

  /** `false` when nobody reads any more, or not yet. */
  write(line: string): boolean {
    return this.#process?.write(line) ?? false
  }

  /** Begins a turn; `null` while another runs. `giveUp` tells the agent to stop what is over for us. */
  begin({ hear, giveUp }: { hear: (event: AgentEvent) => void; giveUp: () => void }): LiveTurn | null {
    if (!this.isIdle) return null
    const { hidden, launchMs } = this.#rules
    this.#turn = new LiveTurn({ hear, hidden, launchMs, giveUp })
    this.process.renewAllowance()
    return this.#turn
  }

  /** The end of a turn takes back the questions that are still open. */
  take(heard: readonly Heard[]) {
    if (heard.some((event) => event.type === 'turnEnded')) this.#turn?.take(this.#questions.withdrawAll())
    this.#turn?.take(heard)
  }

  ask(nativeId: string | number, request: Omit<PermissionRequest, 'requestId'>, reply: (answer: Answer) => void) {
    this.take([this.#questions.ask(nativeId, request, reply)])
  }

  answer(requestId: string, answer: Answer) {
    this.#questions.answer(requestId, answer)
  }

  withdraw(nativeId: string | number) {
    this.take(this.#questions.withdraw(nativeId))
  }

  /** Asks by protocol, and waits for the end as long as an agent may take to heed. */
  async cancel(interrupt: () => Promise<void>): Promise<void> {
    const turn = this.#turn
    if (!turn || turn.over) return
    turn.noteStop()
    await interrupt()
    await Promise.race([turn.ended, after(protocolCancelMs, null, { ref: false })])
  }

  /** Ended by our own wish and for no fault of its own, it was stopped. */
  #ended(exit: ExitSignals, byUs: boolean) {
    this.take(this.#questions.withdrawAll())
    if (byUs && exit.cause === null) this.#turn?.noteStop()
    this.#turn?.endWithProcess(exit)
    const { code, message, params, retryAfterMs } = byUs && exit.cause === null
      ? failureOf('agent.cancelled')
      : failureOfExit(exit, Date.now())
    this.#rules.ended(new AppError(code, message, { params, retryAfterMs }))
  }
}
