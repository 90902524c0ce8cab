import type { AgentId } from '../../../shared/agent.ts'
import { attemptSettled } from '../../../shared/attempt.ts'
import { toFailure } from '../../../shared/errors.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import { nameMaxCharacters } from '../../../shared/limits.ts'
import type { Composition } from '../../shell.ts'
import type { GatePolicy } from '../../start/switches.ts'
import { Follow } from './follow.ts'
import { askForOption, askWhatNow } from './questions.ts'
import { optionBy } from './gate-policy.ts'
import type { Interrupt, Interrupts } from './interrupts.ts'
import type { RunSoFar } from './outcome.ts'
import type { Screen } from './screen.ts'
import { oneLine } from './words.ts'

/** What every discussion in this terminal shares. */
export interface Table {
  composition: Composition
  screen: Screen
  interrupts: Interrupts
  gates: GatePolicy
}

export interface Discussion {
  topic: string
  agents: AgentId[]
  rounds: number
  blindFirst: boolean
  workdir: string
  allowWrite: boolean
}

export interface DiscussionEnd {
  /** `null` when nothing of it was recorded. */
  soFar: RunSoFar | null
  interrupted: Interrupt | null
  /** It waited for a person, and there was none. */
  abandoned: boolean
}

/** Holds one discussion to its end, through the same commands and pushes as the window. */
export const holdDiscussion = (table: Table, discussion: Discussion): Promise<DiscussionEnd> =>
  attend(table, () => startDiscussion(table.composition, discussion))

/** Attends a run that goes on or begins by `start`, which gives its id; `null` leaves again. */
export const attend = async (table: Table, start: () => Promise<string | null>): Promise<DiscussionEnd> => {
  const attendance = new Attendance(table)
  try {
    return await attendance.until(start)
  } finally {
    attendance.leave()
  }
}

const startDiscussion = async ({ handlers }: Composition, discussion: Discussion): Promise<string | null> => {
  const { topic, agents, rounds, blindFirst, workdir, allowWrite } = discussion
  const settings = { rounds, blindFirst }
  const { conversationId } = await handlers['conversation.create']({
    kind: 'group', name: nameOfTopic(topic), members: agents, workdir, allowWrite, settings,
  })
  const message = { conversationId, text: topic, targets: null, settings, unlimitedConfirmed: false }
  const { runId } = await handlers['message.send'](message).catch(async (refusal: unknown) => {
    // nobody asked for an empty conversation
    await handlers['conversation.delete']({ conversationId }).catch(() => {})
    throw refusal
  })
  return runId
}

/** The topic without what only directs a rehearsal. */
const nameOfTopic = (topic: string): string =>
  oneLine(topic.replaceAll(/\[\[[^\]]*\]\]/g, ' ')).slice(0, nameMaxCharacters).trim() || 'Discussion'

/** Stays with one run: shows it, answers its gates, and passes on the wish to stop. */
class Attendance {
  readonly #table: Table
  readonly #follow: Follow
  readonly #left = Promise.withResolvers<void>()
  readonly #questions = new Map<string, AbortController>()
  readonly #releaseInterrupts: () => void
  #asked: Promise<void> = Promise.resolve()
  #runId: string | null = null
  #interrupted: Interrupt | null = null
  #abandoned = false

  constructor(table: Table) {
    this.#table = table
    this.#releaseInterrupts = table.interrupts.take((interrupt) => this.#interrupt(interrupt))
    this.#follow = new Follow((hear) => table.composition.onPush(hear), {
      lines: (lines) => table.screen.show(lines),
      gateOpened: (gate) => this.#gateOpened(gate),
      gateClosed: (gateId) => this.#questions.get(gateId)?.abort(),
      paused: () => this.#paused(),
    })
  }

  async until(start: () => Promise<string | null>): Promise<DiscussionEnd> {
    this.#runId = await start().catch((error: unknown) => this.#notStarted(error))
    if (this.#runId === null) return this.#end(null)
    this.#follow.begin(this.#runId)
    if (this.#interrupted === 'person') this.#stop()
    await Promise.race([this.#follow.settled, this.#left.promise])
    return this.#end(await this.#whole(this.#runId))
  }

  /** Whoever interrupts what has not begun finds the door closed: that is no failure. */
  #notStarted(error: unknown): null {
    if (this.#interrupted === null) throw error
    return null
  }

  leave(): void {
    this.#follow.close()
    this.#releaseInterrupts()
    for (const question of this.#questions.values()) question.abort()
  }

  #end(soFar: RunSoFar | null): DiscussionEnd {
    return { soFar, interrupted: this.#interrupted, abandoned: this.#abandoned }
  }

  /** After quitting the stores are closed: then what was pushed is all there is. */
  async #whole(runId: string): Promise<RunSoFar | null> {
    if (!this.#table.composition.mayServe()) return this.#follow.soFar
    return { ...(await this.#table.composition.handlers['run.open']({ runId })), gates: this.#follow.gates }
  }

  #interrupt(interrupt: Interrupt) {
    const again = this.#interrupted !== null
    this.#interrupted ??= interrupt
    if (interrupt === 'person' && !again) {
      this.#table.screen.say('Stopping. Ctrl+C once more quits at once.')
      this.#stop()
      return
    }
    void this.#table.composition.quit('forced').finally(() => this.#left.resolve())
  }

  #stop() {
    if (this.#runId !== null) this.#try(this.#table.composition.handlers['run.stop']({ runId: this.#runId }))
  }

  #gateOpened(gate: GateRecord) {
    if (this.#table.gates === 'ask') this.#ask(gate.gateId, (signal) => this.#askPerson(gate, signal))
    else this.#answerBy(this.#table.gates, gate)
  }

  #answerBy(policy: 'allow' | 'deny', gate: GateRecord) {
    const option = optionBy(policy, gate) ?? optionBy('deny', gate)
    if (option) this.#answer(gate.gateId, option.optionId, null)
  }

  async #askPerson(gate: GateRecord, signal: AbortSignal) {
    const answer = await askForOption(this.#table.screen, gate, signal)
    if (answer) this.#answer(gate.gateId, answer.option.optionId, answer.note)
    else if (!signal.aborted) this.#table.interrupts.interrupt('person')
  }

  #answer(gateId: string, optionId: string, note: string | null) {
    this.#try(this.#table.composition.handlers['gate.answer']({ gateId, optionId, note }))
  }

  #paused() {
    if (this.#table.gates === 'ask') {
      this.#ask('paused', (signal) => this.#askWhatNow(signal))
      return
    }
    this.#abandoned = true
    this.#table.screen.say('Too few agents are left and nobody can be asked, so it ends here.')
    this.#stop()
  }

  async #askWhatNow(signal: AbortSignal) {
    const runId = this.#runId
    if (runId === null) return
    const { handlers } = this.#table.composition
    const wish = await askWhatNow(this.#table.screen, signal)
    if (wish === 'goOn') this.#try(handlers['run.resume']({ runId }))
    if (wish === 'stop') this.#stop()
    if (wish === 'tryAgain') this.#try(this.#tryAgain(runId))
  }

  async #tryAgain(runId: string) {
    const { handlers } = this.#table.composition
    const newest = new Map((this.#follow.soFar?.turns ?? []).map((turn) => [turn.seat, turn]))
    const ended = [...newest.values()].filter(({ status }) => attemptSettled(status) && status !== 'completed')
    for (const { attemptId } of ended) await handlers['attempt.retry']({ runId, attemptId })
    await handlers['run.resume']({ runId })
  }

  /** One question at a time, in the order in which they came up. */
  #ask(key: string, ask: (signal: AbortSignal) => Promise<void>) {
    const question = new AbortController()
    this.#questions.set(key, question)
    this.#asked = this.#asked.then(() => ask(question.signal)).finally(() => this.#questions.delete(key))
    this.#try(this.#asked)
  }

  /** What could not be done is said; the run goes on, or has ended meanwhile. */
  #try(work: Promise<unknown>) {
    work.catch((error: unknown) => this.#table.screen.say(`! ${toFailure(error).message}`))
  }
}
