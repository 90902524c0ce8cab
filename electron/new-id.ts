import { randomUUID } from 'node:crypto'

/** A name for a new thing: what it is, and 122 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`
