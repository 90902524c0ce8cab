import { attemptSettled, type AttemptStatus } from '../../shared/attempt.ts'
import type { Conversation } from '../../shared/conversation.ts'
import {
  eventsPageMax, outputPageMax, runsPageMax, viewTextCutCharacters, viewTextMaxCharacters,
} from '../../shared/limits.ts'
import { type RunRecord, settled } from '../../shared/run.ts'
import type { TimelinePage } from '../../shared/timeline.ts'
import type { AttemptView, ConversationView, RunView, TurnView } from '../../shared/view.ts'
import type { Attempts, StoredTurn } from './attempts.ts'
import type { ConversationList } from './conversation-list.ts'
import type { Conversations } from './conversations.ts'
import { cutTo } from './cut.ts'
import type { Deliveries } from './deliveries.ts'
import type { Details } from './details.ts'
import type { Drafts } from './drafts.ts'
import type { Gates } from './gates.ts'
import type { Images } from './images.ts'
import type { Imports } from './imports.ts'
import type { Ledger } from './ledger.ts'
import type { Outputs } from './outputs.ts'
import type { Queue } from './queue.ts'
import type { Runs } from './runs.ts'
import type { TurnTexts } from './turn-texts.ts'
import { unknownAttempt, unknownConversation, unknownRun } from './unknown.ts'

interface ViewSources {
  ledger: Ledger
  details: Details
  conversations: Conversations
  list: ConversationList
  runs: Runs
  attempts: Attempts
  texts: TurnTexts
  outputs: Outputs
  gates: Gates
  deliveries: Deliveries
  queue: Queue
  drafts: Drafts
  images: Images
  imports: Imports
}

/** Puts together what a screen shows, each in one bounded read. */
export class Views {
  readonly #from: ViewSources

  constructor(sources: ViewSources) {
    this.#from = sources
  }

  /** The newest runs before a cursor, as many as fit. Throws `conversation.unknown`. */
  conversation(conversationId: string, before: string | null): ConversationView {
    const conversation: Conversation | null = this.#from.conversations.get(conversationId)
    const row = this.#from.list.row(conversationId)
    if (!conversation || !row) throw unknownConversation()
    const page = this.#from.runs.ofConversation(conversationId, before, runsPageMax)
    const shown = this.#whatFits(page.runs)
    const oldest = shown.at(-1)
    const all = shown.length === page.runs.length
    return {
      conversation,
      row,
      draft: this.#from.drafts.get(conversationId),
      draftImages: this.#from.images.ofDraft(conversationId),
      queue: this.#from.queue.list(conversationId),
      runs: shown.toReversed(),
      older: all || !oldest ? page.older : this.#from.runs.cursorAt(oldest.run.runId),
    }
  }

  /** Throws `run.unknown`. */
  run(runId: string): RunView {
    const run = this.#from.runs.get(runId)
    if (!run) throw unknownRun()
    return this.#runView(run)
  }

  /**
   * The run's transitions after `after`, and with the last of them what it came to, as both are at one moment.
   * Throws `run.unknown`.
   */
  timeline(runId: string, after: number, limit: number): TimelinePage {
    const { events, more } = this.#from.ledger.events(runId, after, limit)
    if (more) return { events, end: null }
    const { run, images, turns } = this.run(runId)
    const gates = this.#from.gates.ofRun(runId)
    const gateEvents = gates.flatMap(({ gateId }) => this.#from.ledger.events(gateId, 0, eventsPageMax).events)
    return { events, end: { run, images, turns, gates, gateEvents } }
  }

  /** Throws `attempt.unknown`. */
  turn(attemptId: string): TurnView {
    const turn = this.#from.attempts.turn(attemptId)
    if (!turn) throw unknownAttempt()
    return this.#turnView(turn)
  }

  /** Everything that is known of one attempt. Throws `attempt.unknown`. */
  attempt(attemptId: string): AttemptView {
    const turn = this.turn(attemptId)
    const run = this.#from.runs.get(turn.runId)
    return {
      turn,
      actor: this.#from.ledger.actor(attemptId),
      events: this.#from.ledger.eventsOf(attemptId),
      output: this.#from.outputs.notes(attemptId, 0, outputPageMax).rows,
      reasoning: this.#from.outputs.reasoning(attemptId),
      deliveries: this.#from.deliveries.ofAttempt(attemptId),
      gates: this.#from.gates.ofAttempt(attemptId),
      can: whatCanBeDone(turn, this.#from.imports.has(turn.conversationId) ? null : run),
    }
  }

  /** From the newest run back, until the text would be too much for one read. */
  #whatFits(runs: readonly RunRecord[]): RunView[] {
    const shown: RunView[] = []
    let characters = 0
    for (const run of runs) {
      const size = this.#from.attempts.ofRun(run.runId).reduce((sum, { textLength }) => sum + textLength, 0)
      if (shown.length > 0 && characters + size > viewTextMaxCharacters) break
      characters += size
      shown.push(this.#runView(run))
    }
    return shown
  }

  #runView(run: RunRecord): RunView {
    const turns = this.#from.attempts.turnsOf(run.runId)
    return {
      run,
      images: this.#from.images.ofMessage(run.messageId),
      actors: this.#from.ledger.actors(run.runId),
      turns: this.#withTexts(turns),
      seq: this.#from.ledger.lastSeq(run.runId),
      detail: this.#from.details.of(run.runId),
    }
  }

  /** The newest turns keep their whole text; what does not fit is cut visibly, and whole in its own view. */
  #withTexts(turns: readonly StoredTurn[]): TurnView[] {
    let room = viewTextMaxCharacters
    return turns
      .toReversed()
      .map((turn) => {
        const view = this.#turnView(turn)
        room -= view.text.length
        return room >= 0 ? view : { ...view, text: cutTo(view.text, viewTextCutCharacters) }
      })
      .toReversed()
  }

  #turnView({ attempt, record, outputSeq, toolCount }: StoredTurn): TurnView {
    return { ...record, text: this.#from.texts.of(attempt), outputSeq, toolCount }
  }
}

/** Where a try that goes on can be given up for another. */
const triesAgain = new Set<AttemptStatus>(['launching', 'streaming', 'awaitingGate', 'resuming', 'backingOff'])

/** What the person can do with an attempt, as far as its own and its run's status tell. */
export const whatCanBeDone = (turn: Pick<TurnView, 'status'>, run: RunRecord | null): AttemptView['can'] => {
  const runIsLive = run !== null && !settled(run.status)
  const runMayChange = runIsLive && run.status !== 'stopping'
  const ended = attemptSettled(turn.status)
  const fellShort = ended && turn.status !== 'completed'
  return {
    cancel: runMayChange && !ended,
    retry: runMayChange && (fellShort || triesAgain.has(turn.status)),
    replace: runMayChange && turn.status !== 'completed',
    followUp: run !== null && !runIsLive && fellShort,
    kill: turn.status === 'overdue',
  }
}
