import { QueuedMessage } from '../../shared/conversation.ts'
import { AppError, Failure } from '../../shared/errors.ts'
import { queuedMessagesMax } from '../../shared/limits.ts'
import { numberIn, textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import type { Images } from './images.ts'

/** Remembers the messages that wait for an active run to end, in the order they came. */
export class Queue {
  readonly #database: Database
  readonly #damage: Damage
  readonly #images: Images

  constructor(database: Database, damage: Damage, images: Images) {
    this.#database = database
    this.#damage = damage
    this.#images = images
  }

  /** Throws `queue.full`. */
  add(queued: QueuedMessage) {
    this.#database.transaction(() => {
      const row = this.#database.get(
        'select count(*) as waiting from queue where conversation_id = ?',
        queued.conversationId,
      )
      if (row && numberIn(row, 'waiting') >= queuedMessagesMax) {
        throw new AppError('queue.full', 'Too many messages wait already. Withdraw one first.', {
          params: { max: queuedMessagesMax },
        })
      }
      this.#database.run(
        'insert into queue (queued_id, conversation_id, record) values (?, ?, ?) on conflict (queued_id) do nothing',
        queued.queuedId, queued.conversationId, toJson(StoredQueued, queued),
      )
    })
  }

  /** What was refused may begin again with another text. Throws `queue.unknown`. */
  edit(conversationId: string, queuedId: string, text: string) {
    this.#change(conversationId, queuedId, { text, refusal: null })
  }

  /** Notes why it could not begin. Throws `queue.unknown`. */
  refuse(conversationId: string, queuedId: string, refusal: Failure) {
    this.#change(conversationId, queuedId, { refusal })
  }

  /** Its images go with it. Throws `queue.unknown`. */
  withdraw(conversationId: string, queuedId: string) {
    const hashes = this.#images.hashesOf('queued_id', queuedId)
    const gone = this.#database.run(
      'delete from queue where conversation_id = ? and queued_id = ?',
      conversationId,
      queuedId,
    )
    if (gone === 0) throw unknownQueued()
    this.#images.dropUnused(hashes)
  }

  /** Takes it out when its run has been accepted, if it is still there. */
  remove(queuedId: string) {
    this.#database.run('delete from queue where queued_id = ?', queuedId)
  }

  list(conversationId: string): QueuedMessage[] {
    const rows = this.#database.all(`${queueColumns} where conversation_id = ? order by position`, conversationId)
    return this.#damage.sound('queue', 'queued_id', rows, (row) => this.#read(row))
  }

  /** The one whose turn it is. It stays until `accept` takes it out together with its run. */
  next(conversationId: string): QueuedMessage | null {
    return this.list(conversationId)[0] ?? null
  }

  #change(conversationId: string, queuedId: string, patch: Partial<QueuedMessage>) {
    const row = this.#database.get(
      `${queueColumns} where conversation_id = ? and queued_id = ?`,
      conversationId,
      queuedId,
    )
    if (!row) throw unknownQueued()
    const record = toJson(StoredQueued, { ...this.#read(row), ...patch })
    this.#database.run('update queue set record = ? where queued_id = ?', record, queuedId)
  }

  #read(row: Row): QueuedMessage {
    return { ...parsed(StoredQueued, jsonIn(row, 'record')), images: this.#images.ofQueued(textIn(row, 'queued_id')) }
  }

  /** The conversations in which something waits. */
  waiting(): string[] {
    return this.#database
      .all('select conversation_id from queue group by conversation_id order by min(position)')
      .map((row) => textIn(row, 'conversation_id'))
  }
}

const unknownQueued = () => new AppError('queue.unknown', 'This message does not wait any more.')

const queueColumns = 'select queued_id, record from queue'

/** Images have rows of their own, and the first Parley knew no refusals. */
const StoredQueued = QueuedMessage.omit({ images: true }).extend({ refusal: Failure.nullable().default(null) })
