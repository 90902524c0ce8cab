import { AppError } from '../../shared/errors.ts'
import type { Row } from './database.ts'

/** The text in a column. Throws `ledger.damaged` where there is none. */
export const textIn = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : lacking(column)
}

export const textOrNullIn = (row: Row, column: string): string | null => {
  const value = row[column]
  return value === null || typeof value === 'string' ? value : lacking(column)
}

export const numberIn = (row: Row, column: string): number => {
  const value = row[column]
  return typeof value === 'number' ? value : lacking(column)
}

export const numberOrNullIn = (row: Row, column: string): number | null => {
  const value = row[column]
  return value === null || typeof value === 'number' ? value : lacking(column)
}

const lacking = (column: string): never => {
  throw new AppError('ledger.damaged', 'A stored row lacks a value.', { params: { column } })
}
