import { Draft } from '../../shared/conversation.ts'
import { textIn } from './columns.ts'
import type { Database } from './database.ts'

/** Remembers what is being written in each conversation. */
export class Drafts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** An empty one is none. */
  save(conversationId: string, text: string, at: number) {
    if (text === '') return this.clear(conversationId)
    this.#database.run(
      `insert into drafts (conversation_id, text, at) values (?, ?, ?)
       on conflict (conversation_id) do update set text = excluded.text, at = excluded.at`,
      conversationId, Draft.parse(text), at,
    )
  }

  /** Empty when there is none. */
  get(conversationId: string): string {
    const row = this.#database.get('select text from drafts where conversation_id = ?', conversationId)
    return row ? textIn(row, 'text') : ''
  }

  clear(conversationId: string) {
    this.#database.run('delete from drafts where conversation_id = ?', conversationId)
  }
}
