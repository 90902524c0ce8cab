import type { Database } from './database.ts'
import type { Meta } from './meta.ts'

/**
 * Remembers that something was deleted which the log and the backups may still hold, until that is so no longer. What
 * is freed in the file itself is zeroed at once.
 */
export class Erasure {
  readonly #database: Database
  readonly #meta: Meta

  constructor(database: Database, meta: Meta) {
    this.#database = database
    this.#meta = meta
  }

  /** For the transaction that deletes: a crash after it must not forget the rest. */
  begin() {
    this.#meta.set(key, String(this.#count + 1))
  }

  /** Which deletion is the newest that is not over yet; `null` for none. */
  get due(): number | null {
    return this.#count === 0 ? null : this.#count
  }

  /** Takes what was freed out of the log; `false` while somebody reads from it. */
  emptyLog(): boolean {
    return this.#database.emptyLog()
  }

  /** All is over up to this deletion; one that came later stays due. */
  end(upTo: number) {
    if (this.#count === upTo) this.#meta.remove(key)
  }

  get #count(): number {
    return Number(this.#meta.get(key) ?? 0)
  }
}

const key = 'erasing'
