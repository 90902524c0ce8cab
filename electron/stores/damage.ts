import type * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import type { Row } from './database.ts'
import { textIn } from './columns.ts'

/** A stored row that could not be read. `key` is its id, never its content. */
export interface DamagedRow {
  table: string
  key: string
}

/** Remembers which stored rows could not be read, so that one bad row never hides the good ones. */
export class Damage {
  readonly #rows = new Map<string, DamagedRow>()

  rows(): DamagedRow[] {
    return [...this.#rows.values()]
  }

  /** Every row that `read` understands; the others are left out and remembered. */
  sound<Item>(table: string, keyColumn: string, rows: readonly Row[], read: (row: Row) => Item): Item[] {
    return rows.flatMap((row) => {
      try {
        return [read(row)]
      } catch (error) {
        if (!isDamage(error)) throw error
        this.#note(table, row[keyColumn])
        return []
      }
    })
  }

  /** The one row, or `null` for none. Throws `ledger.damaged` when it is there but cannot be read. */
  one<Item>(table: string, keyColumn: string, row: Row | undefined, read: (row: Row) => Item): Item | null {
    if (!row) return null
    try {
      return read(row)
    } catch (error) {
      if (isDamage(error)) this.#note(table, row[keyColumn])
      throw error
    }
  }

  #note(table: string, key: unknown) {
    const name = typeof key === 'string' || typeof key === 'number' ? String(key) : '?'
    this.#rows.set(`${table}:${name}`, { table, key: name })
  }
}

/** Parses a value from the database. Throws `ledger.damaged`. */
export const parsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('ledger.damaged', 'A stored row does not have the shape it should have.', { cause: result.error })
}

/** Reads and parses a JSON column. Throws `ledger.damaged`. */
export const jsonIn = (row: Row, column: string): unknown => {
  try {
    return JSON.parse(textIn(row, column))
  } catch (error) {
    if (isDamage(error)) throw error
    throw new AppError('ledger.damaged', 'A stored row is not readable.', { cause: error })
  }
}

/** What is written was parsed first: unknown keys are gone, and it will be readable. Throws `internal.unexpected`. */
export const toJson = (schema: z.ZodType, value: unknown): string => {
  const result = schema.safeParse(value)
  if (result.success) return JSON.stringify(result.data)
  throw new AppError('internal.unexpected', 'A record to be stored does not have the shape it should have.', {
    cause: result.error,
  })
}

const isDamage = (error: unknown) => error instanceof AppError && error.code === 'ledger.damaged'
