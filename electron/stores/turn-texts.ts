import { liveTextPartCharacters } from '../../shared/limits.ts'
import { numberIn, textIn } from './columns.ts'
import type { Database } from './database.ts'

/**
 * Remembers the text of each turn: in small parts while it grows, so that adding to a long one costs the same
 * as adding to a short one, and whole when the turn has ended. `attempt` is the attempt's row number.
 */
export class TurnTexts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  of(attempt: number): string {
    const whole = this.#database.get('select text from turn_texts where attempt = ?', attempt)
    return whole ? textIn(whole, 'text') : this.#soFar(attempt)
  }

  append(attempt: number, text: string) {
    if (text === '') return
    const late = this.#database.run('update turn_texts set text = text || ? where attempt = ?', text, attempt)
    if (late > 0) return
    const last = this.#database.get(
      'select part, length(text) as size from live_texts where attempt = ? order by part desc limit 1', attempt,
    )
    if (last && numberIn(last, 'size') < liveTextPartCharacters) {
      this.#database.run(
        'update live_texts set text = text || ? where attempt = ? and part = ?', text, attempt, numberIn(last, 'part'),
      )
      return
    }
    this.#add(attempt, last ? numberIn(last, 'part') + 1 : 1, text)
  }

  replace(attempt: number, text: string) {
    if (this.#database.run('update turn_texts set text = ? where attempt = ?', text, attempt) > 0) return
    this.#database.run('delete from live_texts where attempt = ?', attempt)
    if (text !== '') this.#add(attempt, 1, text)
  }

  /** Makes it whole. A second time changes nothing. */
  finish(attempt: number, text = this.of(attempt)) {
    this.#database.run(
      `insert into turn_texts (attempt, text) values (?, ?)
       on conflict (attempt) do update set text = excluded.text where text <> excluded.text`,
      attempt, text,
    )
    this.#database.run('delete from live_texts where attempt = ?', attempt)
  }

  #soFar(attempt: number) {
    return this.#database
      .all('select text from live_texts where attempt = ? order by part', attempt)
      .map((row) => textIn(row, 'text'))
      .join('')
  }

  #add(attempt: number, part: number, text: string) {
    this.#database.run('insert into live_texts (attempt, part, text) values (?, ?, ?)', attempt, part, text)
  }
}
