import type { Row } from './database.ts'

/** Parses a row once for as long as it stays the same: a row in use is read many times between two changes. */
export class ParsedRows<Value> {
  readonly #known = new Map<string, { texts: readonly unknown[]; value: Value }>()
  readonly #columns: readonly string[]
  readonly #read: (row: Row) => Value

  /** `columns` are all that `read` looks at. */
  constructor(columns: readonly string[], read: (row: Row) => Value) {
    this.#columns = columns
    this.#read = read
  }

  /** The value of a row, by the row's key. Whoever gets it must not change it. */
  value(key: string, row: Row): Value {
    const texts = this.#columns.map((column) => row[column])
    const known = this.#known.get(key)
    if (known && texts.every((text, index) => text === known.texts[index])) return known.value
    const value = this.#read(row)
    if (this.#known.size >= rowsKept) this.#known.clear()
    this.#known.set(key, { texts, value })
    return value
  }
}

const rowsKept = 64
