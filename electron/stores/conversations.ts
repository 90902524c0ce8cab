import { Conversation, type RoundSettings } from '../../shared/conversation.ts'
import type { AgentId } from '../../shared/agent.ts'
import { textIn } from './columns.ts'
import { type Damage, jsonIn, parsed } from './damage.ts'
import type { Database, Row } from './database.ts'
import type { Erasure } from './erasure.ts'
import type { Images } from './images.ts'
import { importKey } from './import-key.ts'
import { ParsedRows } from './parsed-rows.ts'
import { unknownConversation } from './unknown.ts'

interface ConversationPatch {
  members?: AgentId[] | undefined
  workdir?: string | undefined
  allowWrite?: boolean | undefined
  settings?: RoundSettings | undefined
}

/** Remembers every conversation and what it is set to. */
export class Conversations {
  readonly #database: Database
  readonly #damage: Damage
  readonly #images: Images
  readonly #erasure: Erasure
  readonly #parsed = new ParsedRows(conversationColumns, readConversation)

  constructor(database: Database, damage: Damage, images: Images, erasure: Erasure) {
    this.#database = database
    this.#damage = damage
    this.#images = images
    this.#erasure = erasure
  }

  create(conversation: Conversation) {
    const { conversationId, kind, name, members, workdir, allowWrite, settings, createdAt, updatedAt } =
      Conversation.parse(conversation)
    this.#database.run(
      `insert into conversations (conversation_id, kind, name, members, workdir, allow_write, settings, created_at,
         updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      conversationId,
      kind,
      name,
      JSON.stringify(members),
      workdir,
      allowWrite ? 1 : 0,
      JSON.stringify(settings),
      createdAt,
      updatedAt,
    )
  }

  get(conversationId: string): Conversation | null {
    const row = this.#database.get('select * from conversations where conversation_id = ?', conversationId)
    const read = (found: Row) => this.#parsed.value(conversationId, found)
    return this.#damage.one('conversations', 'conversation_id', row, read)
  }

  /** Throws `conversation.unknown`. */
  rename(conversationId: string, name: string, at: number) {
    const { name: kept } = Conversation.pick({ name: true }).parse({ name })
    const changed = this.#database.run(
      'update conversations set name = ?, updated_at = max(updated_at, ?) where conversation_id = ?',
      kept,
      at,
      conversationId,
    )
    if (changed === 0) throw unknownConversation()
  }

  /** Throws `conversation.unknown`. */
  update(conversationId: string, patch: ConversationPatch, at: number): Conversation {
    const before = this.get(conversationId)
    if (!before) throw unknownConversation()
    const after = Conversation.parse({ ...before, ...given(patch), updatedAt: Math.max(before.updatedAt, at) })
    this.#database.run(
      `update conversations set members = ?, workdir = ?, allow_write = ?, settings = ?, updated_at = ?
       where conversation_id = ?`,
      JSON.stringify(after.members),
      after.workdir,
      after.allowWrite ? 1 : 0,
      JSON.stringify(after.settings),
      after.updatedAt,
      conversationId,
    )
    return after
  }

  /** Moves it up the list. */
  touch(conversationId: string, at: number) {
    this.#database.run(
      'update conversations set updated_at = ? where conversation_id = ? and updated_at < ?', at, conversationId, at,
    )
  }

  /**
   * Removes everything of it in one transaction and erases it from the file and, unless somebody reads there, from the
   * log; the files of its images go after that. Backups are another matter, for which `erasure` is due from then on.
   * Throws `conversation.unknown`.
   */
  delete(conversationId: string) {
    const hashes = this.#images.hashesOf('conversation_id', conversationId)
    this.#database.transaction(() => {
      this.#database.run(
        'delete from roots where root_id in (select run_id from runs where conversation_id = ?)',
        conversationId,
      )
      this.#database.run(
        'delete from roots where root_id in (select gate_id from gates where conversation_id = ?)',
        conversationId,
      )
      const prompts = this.#database.all(promptsOfConversation, conversationId)
      this.#database.run('delete from meta where key = ?', importKey(conversationId))
      const changed = this.#database.run('delete from conversations where conversation_id = ?', conversationId)
      if (changed === 0) throw unknownConversation()
      for (const prompt of prompts) this.#database.run(deleteUnusedPrompt, textIn(prompt, 'sha256'))
      this.#erasure.begin()
    })
    // freed pages are zeroed by secure_delete; the write-ahead log would still hold the old ones
    this.#erasure.emptyLog()
    this.#images.dropUnused(hashes)
  }
}

/** Reads a conversation from its columns. Throws `ledger.damaged`. */
const readConversation = (row: Row): Conversation =>
  parsed(Conversation, {
    conversationId: row['conversation_id'],
    kind: row['kind'],
    name: row['name'],
    members: jsonIn(row, 'members'),
    workdir: row['workdir'],
    allowWrite: row['allow_write'] === 1,
    settings: jsonIn(row, 'settings'),
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  })

const conversationColumns = [
  'kind', 'name', 'members', 'workdir', 'allow_write', 'settings', 'created_at', 'updated_at',
]

const promptsOfConversation = `
  select distinct d.sha256 from runs r join attempts a on a.run = r.position join deliveries d on d.attempt = a.position
  where r.conversation_id = ?`

const deleteUnusedPrompt = `
  delete from prompts where sha256 = ? and not exists (select 1 from deliveries d where d.sha256 = prompts.sha256)`

const given = (patch: ConversationPatch) =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
