import { randomBytes } from 'node:crypto'

/** A name for a new thing: what it is, and eighty random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(10).toString('hex')}`
