import type { RunInput } from '../../machines/blanks.ts'
import { nameOfAgent, type AgentId } from '../../shared/agent.ts'
import type { ImageNote } from '../../shared/attachment.ts'
import type { Conversation, QueuedMessage, RoundSettings } from '../../shared/conversation.ts'
import { AppError } from '../../shared/errors.ts'
import { topicMaxCharacters } from '../../shared/limits.ts'
import type { RunPolicy, RunRecord, Seat } from '../../shared/run.ts'
import type { Settings } from '../../shared/settings.ts'

interface TaskMessage {
  conversation: Conversation
  text: string
  images: readonly ImageNote[]
  targets: AgentId[] | null
  settings: RoundSettings | null
  unlimitedConfirmed: boolean
}

interface TasksPorts {
  start: (input: RunInput) => Promise<void>
  mayContinue: (agent: AgentId) => boolean
  /** Throws `agent.not-held` where one of them could not be kept from writing, and must be. */
  requireHeld: (agents: readonly AgentId[], allowWrite: boolean) => void
  imagesMax: (agent: AgentId) => number
  imagesOf: (messageId: string) => readonly ImageNote[]
  /** Compares kept images with what was once added. Throws `image.damaged`. */
  verifyImages: (images: readonly ImageNote[]) => void
  settings: () => Settings
  newId: (prefix: string) => string
  now: () => number
}

/** Turns a message into a run: one at a time in a conversation, checked before anything is recorded. */
export class Tasks {
  readonly #ports: TasksPorts
  /** Conversations whose run is being started. */
  readonly #starting = new Set<string>()
  /** What a starting run takes from the queue with it. */
  readonly #queuedIds = new Map<string, string>()
  /** What a starting run takes from the draft with it. */
  readonly #imageIds = new Map<string, string[]>()

  constructor(ports: TasksPorts) {
    this.#ports = ports
  }

  isBusy(conversationId: string): boolean {
    return this.#starting.has(conversationId)
  }

  /** Whether a queued message is just being made into a run. */
  isSending(queuedId: string): boolean {
    return [...this.#queuedIds.values()].includes(queuedId)
  }

  /** The queued message that a starting run comes from. */
  queuedIdOf(runId: string): string | undefined {
    return this.#queuedIds.get(runId)
  }

  /** The images of the draft that a starting run takes with it. */
  imageIdsOf(runId: string): string[] {
    return this.#imageIds.get(runId) ?? []
  }

  /** Refuses what not everyone of these agents takes, so that all have the same. Throws `image.not-taken`. */
  checkImages(agents: readonly AgentId[], images: readonly ImageNote[]): void {
    const unable = agents.filter((agent) => this.#ports.imagesMax(agent) < images.length)
    if (unable.length === 0) return
    const names = unable.map((agent) => nameOfAgent(agent).name)
    throw new AppError('image.not-taken', `${names.join(', ')}: cannot be given that many images.`, {
      params: { agents: names.join(', '), images: images.length, max: Math.min(...unable.map(this.#ports.imagesMax)) },
    })
  }

  /** Checks a message without recording anything. Throws `message.*` or `image.not-taken`. */
  check(message: TaskMessage): { targets: AgentId[]; settings: RoundSettings } {
    const { conversation, text } = message
    const targets = message.targets ?? conversation.members
    const settings = message.settings ?? conversation.settings
    if (text.trim() === '') throw new AppError('message.empty', 'There is nothing to send. Write a message first.')
    if (text.length > topicMaxCharacters)
      throw new AppError('message.too-long', 'This message is too long. Put it into a file.')
    if (targets.some((target) => !conversation.members.includes(target)) || new Set(targets).size < targets.length) {
      throw new AppError('message.target-outside', 'Only members of this conversation can be addressed.')
    }
    this.checkImages(targets, message.images)
    if (conversation.kind === 'direct') return { targets, settings: { rounds: 1, blindFirst: false } }
    if (settings.rounds !== 1 && targets.length < 2) {
      throw new AppError(
        'message.too-few-targets',
        'A discussion needs two or more agents. Add one, or send a single round.',
      )
    }
    if (settings.rounds === null && !message.unlimitedConfirmed) {
      throw new AppError('message.unlimited-unconfirmed', 'Rounds without a limit must be confirmed first.')
    }
    return { targets, settings }
  }

  /** Starts the run of a message; resolves with its id once the task is on disk. Throws what refuses it. */
  async send(message: TaskMessage, queued: QueuedMessage | null = null): Promise<string> {
    const { targets, settings } = this.check(message)
    this.#ports.verifyImages(message.images)
    const input: RunInput = {
      runId: this.#ports.newId('run'),
      conversationId: message.conversation.conversationId,
      messageId: this.#ports.newId('message'),
      topic: message.text,
      policy: this.#policyOf(message.conversation, settings),
      seats: targets.map(seatOf),
      mayContinue: Object.fromEntries(targets.map((agent) => [agent, this.#ports.mayContinue(agent)])),
      followUpOf: null,
      at: this.#ports.now(),
    }
    return this.#start(input, queued, queued ? [] : message.images)
  }

  /** Starts a run that follows a settled one, with all of its seats or some, and other agents on them where named. */
  async followUp(
    run: RunRecord,
    conversation: Conversation,
    seats: string[] | null,
    replace: Record<string, AgentId>,
  ): Promise<string> {
    const chosen = run.seats
      .filter(({ seat }) => seats === null || seats.includes(seat))
      .map(({ seat, agent }): Seat => ({ seat, agent: replace[seat] ?? agent, standing: 'seated' }))
    if (chosen.length === 0 || (seats && chosen.length < seats.length)) {
      throw new AppError('run.cannot', 'That seat was not part of this run.')
    }
    if (new Set(chosen.map(({ agent }) => agent)).size < chosen.length) {
      throw new AppError('run.cannot', 'An agent can have only one seat. Choose another one.')
    }
    const images = this.#ports.imagesOf(run.messageId)
    this.checkImages(chosen.map(({ agent }) => agent), images)
    this.#ports.verifyImages(images)
    const policy = this.#policyOf(conversation, { rounds: run.policy.rounds, blindFirst: run.policy.blindFirst })
    const discusses = run.policy.consensus && chosen.length >= 2
    return this.#start({
      runId: this.#ports.newId('run'),
      conversationId: run.conversationId,
      messageId: run.messageId,
      topic: run.topic,
      policy: discusses
        ? { ...policy, consensus: true }
        : { ...policy, rounds: 1, consensus: false, blindFirst: false },
      seats: chosen,
      mayContinue: Object.fromEntries(chosen.map(({ seat, agent }) => [seat, this.#ports.mayContinue(agent)])),
      followUpOf: run.runId,
      at: this.#ports.now(),
    })
  }

  async #start(
    input: RunInput,
    queued: QueuedMessage | null = null,
    images: readonly ImageNote[] = [],
  ): Promise<string> {
    if (this.#starting.has(input.conversationId)) {
      throw new AppError('conversation.busy', 'A run is just being started here.')
    }
    this.#ports.requireHeld(input.seats.map(({ agent }) => agent), input.policy.allowWrite)
    this.#starting.add(input.conversationId)
    if (queued) this.#queuedIds.set(input.runId, queued.queuedId)
    this.#imageIds.set(input.runId, images.map(({ imageId }) => imageId))
    try {
      await this.#ports.start(input)
      return input.runId
    } finally {
      this.#starting.delete(input.conversationId)
      this.#queuedIds.delete(input.runId)
      this.#imageIds.delete(input.runId)
    }
  }

  #policyOf({ kind, allowWrite }: Conversation, { rounds, blindFirst }: RoundSettings): RunPolicy {
    const { silenceMs, capMs } = this.#ports.settings()
    return { rounds, blindFirst, consensus: kind === 'group' && rounds !== 1, allowWrite, silenceMs, capMs }
  }
}

/** A seat is named after the agent that first sat on it. */
const seatOf = (agent: AgentId): Seat => ({ seat: agent, agent, standing: 'seated' })
