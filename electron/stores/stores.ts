import type { QueuedMessage } from '../../shared/conversation.ts'
import type { RunRecord } from '../../shared/run.ts'
import { Attempts } from './attempts.ts'
import { textIn } from './columns.ts'
import { ConversationList } from './conversation-list.ts'
import { Conversations } from './conversations.ts'
import { CustomAgents } from './custom-agents.ts'
import { Damage, type DamagedRow } from './damage.ts'
import type { Database } from './database.ts'
import { Deletions } from './deletions.ts'
import { Deliveries } from './deliveries.ts'
import { Details } from './details.ts'
import { Drafts } from './drafts.ts'
import { Erasure } from './erasure.ts'
import { Gates } from './gates.ts'
import { ImageFiles } from './image-files.ts'
import { Images } from './images.ts'
import { Imports } from './imports.ts'
import { Launches } from './launches.ts'
import { Ledger, settledAtOf } from './ledger.ts'
import { type Message, Messages } from './messages.ts'
import { Meta } from './meta.ts'
import { Outputs } from './outputs.ts'
import { ProviderProfiles } from './providers.ts'
import { Queue } from './queue.ts'
import { Restored } from './restored.ts'
import { Runs } from './runs.ts'
import { Sessions } from './sessions.ts'
import { TurnTexts } from './turn-texts.ts'
import { Views } from './views.ts'

/** A task as it is taken on. */
interface Accepted {
  message: Message
  run: RunRecord
  /** Those of the draft that go with the message. */
  imageIds?: readonly string[]
  /** The queued message that this was; it leaves the queue, and its images come along. */
  queuedId?: string
  /** The draft became this message. */
  clearsDraft?: boolean
}

/** Everything that Parley remembers, in one database with one writer. */
export class Stores {
  readonly readOnly: boolean
  readonly ledger: Ledger
  readonly conversations: Conversations
  readonly list: ConversationList
  readonly messages: Messages
  readonly runs: Runs
  readonly attempts: Attempts
  readonly outputs: Outputs
  readonly gates: Gates
  readonly deliveries: Deliveries
  readonly sessions: Sessions
  readonly queue: Queue
  readonly drafts: Drafts
  readonly launches: Launches
  readonly customAgents: CustomAgents
  readonly providers: ProviderProfiles
  readonly images: Images
  readonly meta: Meta
  readonly imports: Imports
  readonly restored: Restored
  readonly erasure: Erasure
  readonly details: Details
  readonly deletions: Deletions
  readonly views: Views
  readonly #database: Database
  readonly #damage = new Damage()
  readonly #whenClosed: () => void

  constructor(database: Database, imageFolder: string, whenClosed: () => void) {
    const damage = this.#damage
    const texts = new TurnTexts(database)
    this.#database = database
    this.#whenClosed = whenClosed
    this.readOnly = database.readOnly
    this.meta = new Meta(database)
    this.restored = new Restored(this.meta)
    this.erasure = new Erasure(database, this.meta)
    this.details = new Details(database)
    this.deletions = new Deletions(database)
    this.images = new Images(database, damage, new ImageFiles(imageFolder, database.around))
    this.conversations = new Conversations(database, damage, this.images, this.erasure)
    this.list = new ConversationList(database, damage)
    this.messages = new Messages(database, damage)
    this.runs = new Runs(database, damage)
    this.attempts = new Attempts(database, damage, texts)
    this.outputs = new Outputs(database, damage, texts)
    this.gates = new Gates(database, damage)
    this.deliveries = new Deliveries(database, damage)
    this.sessions = new Sessions(database, damage)
    this.queue = new Queue(database, damage, this.images)
    this.drafts = new Drafts(database)
    this.launches = new Launches(database, damage)
    this.customAgents = new CustomAgents(database, damage)
    this.providers = new ProviderProfiles(database, damage, this.erasure)
    this.imports = new Imports(database, this)
    this.ledger = new Ledger(database, damage, {
      run: (run) => this.#putRun(run),
      attempt: (attempt) => this.attempts.put(attempt),
      gate: (gate) => this.gates.put(gate),
    })
    this.views = new Views({
      texts,
      ledger: this.ledger,
      details: this.details,
      conversations: this.conversations,
      list: this.list,
      runs: this.runs,
      attempts: this.attempts,
      outputs: this.outputs,
      gates: this.gates,
      deliveries: this.deliveries,
      queue: this.queue,
      drafts: this.drafts,
      images: this.images,
      imports: this.imports,
    })
  }

  /** A message of the draft waits from now on, with its images; or the draft stays whole. Throws `queue.full`. */
  enqueue(queued: QueuedMessage, at: number) {
    this.#asMessage('queued', () =>
      this.#database.transaction(() => {
        this.queue.add(queued)
        this.images.giveToQueued(queued.queuedId, queued.images.map(({ imageId }) => imageId))
        this.drafts.save(queued.conversationId, '', at)
      }))
  }

  /** Message, run and what they replace become durable together. Accepting the same again changes nothing. */
  accept({ message, run, imageIds = [], queuedId, clearsDraft }: Accepted) {
    this.#asMessage('accepted', () =>
      this.#database.soon(() => {
        this.messages.add(message)
        if (!this.runs.get(run.runId)) this.runs.put(run)
        this.images.giveToMessage(message.messageId, imageIds)
        if (queuedId !== undefined) this.images.passOn(queuedId, message.messageId)
        if (queuedId !== undefined) this.queue.remove(queuedId)
        if (clearsDraft) this.drafts.clear(message.conversationId)
        this.conversations.touch(message.conversationId, run.startedAt)
      }))
  }

  /** See `Database.settle`. */
  settle(): this {
    this.#database.settle()
    return this
  }

  /** Lets go of live runs and attempts that cannot be read. For a start, after everything readable is back. */
  retireUnreadable() {
    this.#database.transaction(() => {
      this.runs.retireUnreadable()
      this.attempts.retireUnreadable()
    })
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  /** How many rows were changed since it was opened. */
  get changes(): number {
    return this.#database.changes
  }

  /** How much lies in the log, in bytes. */
  get logBytes(): number {
    return this.#database.logBytes
  }

  /** The rows met so far that could not be read. */
  damage(): DamagedRow[] {
    return this.#damage.rows()
  }

  /** What is wrong with the file; empty when it is sound. Reads all of it. */
  integrity(): string[] {
    const pages = this.#database.all('pragma quick_check').map((row) => textIn(row, 'quick_check'))
    const strays = this.#database
      .all('pragma foreign_key_check')
      .map((row) => `a row of ${textIn(row, 'table')} belongs to nothing`)
    return [...pages.filter((line) => line !== 'ok'), ...strays]
  }

  /** Moves the log into the file and lets the folder go. Closing twice is closing once. */
  close() {
    this.#whenClosed()
  }

  #asMessage<Result>(of: string, work: () => Result): Result {
    return this.#database.around({ kind: 'message', of }, work)
  }

  #putRun(run: RunRecord) {
    this.runs.put(run)
    const settledAt = settledAtOf(run)
    if (settledAt !== null) this.conversations.touch(run.conversationId, settledAt)
  }
}
