import * as z from 'zod'
import { At, Id } from '../../shared/ids.ts'
import { topicMaxCharacters } from '../../shared/limits.ts'
import { type Damage, parsed } from './damage.ts'
import type { Database } from './database.ts'

export const Message = z.object({
  messageId: Id,
  conversationId: Id,
  text: z.string().max(topicMaxCharacters),
  at: At,
})
export type Message = z.infer<typeof Message>

/** Remembers what the person wrote. */
export class Messages {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  /** Adding the same message again changes nothing. */
  add(message: Message) {
    const { messageId, conversationId, text, at } = Message.parse(message)
    this.#database.run(
      `insert into messages (message_id, conversation_id, text, at) values (?, ?, ?, ?)
       on conflict (message_id) do nothing`,
      messageId,
      conversationId,
      text,
      at,
    )
  }

  get(messageId: string): Message | null {
    const row = this.#database.get('select * from messages where message_id = ?', messageId)
    return this.#damage.one('messages', 'message_id', row, (found) =>
      parsed(Message, {
        messageId: found['message_id'], conversationId: found['conversation_id'], text: found['text'], at: found['at'],
      }))
  }
}
