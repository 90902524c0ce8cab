import { AgentId } from '../../shared/agent.ts'
import type { Deletion } from '../../shared/deletion.ts'
import { numberIn, textIn } from './columns.ts'
import type { Database } from './database.ts'

/** Tells what a conversation holds, before it goes. */
export class Deletions {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** What of the record would go, and who has spoken. */
  of(conversationId: string): Omit<Deletion, 'backups' | 'quarantined'> {
    const count = (sql: string) => numberIn(this.#database.get(sql, conversationId) ?? {}, 'amount')
    return {
      messages: count(`select count(*) as amount from messages where conversation_id = ?`),
      runs: count(`select count(*) as amount from runs where conversation_id = ?`),
      attempts: count(`select count(*) as amount ${attemptsOf}`),
      images: count(`select count(*) as amount from images where conversation_id = ?`),
      bytes: byteSums.reduce((sum, sql) => sum + count(sql), 0),
      agents: this.#agentsOf(conversationId),
    }
  }

  #agentsOf(conversationId: string): AgentId[] {
    return this.#database
      .all(`select distinct a.record ->> '$.agent' as agent ${attemptsOf} order by a.position`, conversationId)
      .flatMap((row) => AgentId.safeParse(textIn(row, 'agent')).data ?? [])
  }
}

const attemptsOf = 'from runs r join attempts a on a.run = r.position where r.conversation_id = ?'

const sumOf = (columns: string, from: string) => `select coalesce(sum(${columns}), 0) as amount ${from}`
const bytesOfAttempts = (columns: string, table: string) => sumOf(
  columns, `from runs r join attempts a on a.run = r.position join ${table} t on t.attempt = a.position
  where r.conversation_id = ?`,
)

/** The texts of it in bytes, as they are counted without reading them. */
const byteSums = [
  sumOf('octet_length(text)', 'from messages where conversation_id = ?'),
  sumOf('octet_length(record)', 'from runs where conversation_id = ?'),
  sumOf('octet_length(a.record)', attemptsOf),
  bytesOfAttempts('octet_length(t.text)', 'turn_texts'),
  bytesOfAttempts('octet_length(t.item)', 'outputs'),
  sumOf(
    'octet_length(p.text)',
    `from prompts p where p.sha256 in (select d.sha256 from runs r join attempts a on a.run = r.position
     join deliveries d on d.attempt = a.position where r.conversation_id = ?)`,
  ),
  sumOf(
    'octet_length(e.cause) + octet_length(e.value)',
    `from runs r join roots o on o.root_id = r.run_id join events e on e.root = o.root where r.conversation_id = ?`,
  ),
  sumOf('octet_length(record)', 'from gates where conversation_id = ?'),
  sumOf('octet_length(text)', 'from drafts where conversation_id = ?'),
  sumOf('octet_length(record)', 'from queue where conversation_id = ?'),
  sumOf(`record ->> '$.bytes'`, 'from images where conversation_id = ?'),
]
