import { textIn } from './columns.ts'
import type { Database } from './database.ts'

/** Remembers small facts about the stored data as a whole, by name. */
export class Meta {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(key: string): string | null {
    const row = this.#database.get('select value from meta where key = ?', key)
    return row ? textIn(row, 'value') : null
  }

  set(key: string, value: string) {
    this.#database.run(
      'insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value', key, value,
    )
  }

  remove(key: string) {
    this.#database.run('delete from meta where key = ?', key)
  }
}
