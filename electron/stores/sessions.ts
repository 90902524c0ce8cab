import * as z from 'zod'
import type { AgentId } from '../../shared/agent.ts'
import { At, Id } from '../../shared/ids.ts'
import { textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database } from './database.ts'

/** Where a native session may be used again: a direct chat has one for good, a group one for each task and seat. */
export type SessionScope =
  | { kind: 'direct'; conversationId: string; agent: AgentId }
  | { kind: 'group'; conversationId: string; messageId: string; seat: string; agent: AgentId }

const NativeSession = z.object({
  /** The agent program's own reference. It never leaves main. */
  nativeId: z.string().min(1).max(1_000),
  adapterVersion: z.string().max(200).nullable(),
  at: At,
  /** The message whose images it was shown. */
  imagesOf: Id.optional(),
})
export type NativeSession = z.infer<typeof NativeSession>

/** Remembers the native session of each scope. */
export class Sessions {
  readonly #database: Database
  readonly #damage: Damage

  constructor(database: Database, damage: Damage) {
    this.#database = database
    this.#damage = damage
  }

  get(scope: SessionScope): NativeSession | null {
    const row = this.#database.get('select scope, record from sessions where scope = ?', nameOf(scope))
    return this.#damage.one('sessions', 'scope', row, (found) => parsed(NativeSession, jsonIn(found, 'record')))
  }

  keep(scope: SessionScope, session: NativeSession) {
    this.#database.soon(() =>
      this.#database.run(
        `insert into sessions (scope, conversation_id, record) values (?, ?, ?)
         on conflict (scope) do update set record = excluded.record`,
        nameOf(scope), scope.conversationId, toJson(NativeSession, session),
      ))
  }

  drop(scope: SessionScope) {
    this.#database.run('delete from sessions where scope = ?', nameOf(scope))
  }

  /** For another provider: what one wrote into a session the other need not understand. */
  clearOf(agent: AgentId) {
    this.#database.transaction(() => {
      const scopes = this.#database.all('select scope from sessions').map((row) => textIn(row, 'scope'))
      for (const scope of scopes) {
        if (scope.endsWith(`,${JSON.stringify(agent)}]`)) {
          this.#database.run('delete from sessions where scope = ?', scope)
        }
      }
    })
  }

  /** For another working directory, where the old sessions mean nothing. */
  clear(conversationId: string) {
    this.#database.run('delete from sessions where conversation_id = ?', conversationId)
  }
}

const nameOf = (scope: SessionScope) =>
  JSON.stringify(
    scope.kind === 'direct'
      ? [scope.kind, scope.conversationId, scope.agent]
      : [scope.kind, scope.conversationId, scope.messageId, scope.seat, scope.agent],
  )
