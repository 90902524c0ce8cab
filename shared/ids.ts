import * as z from 'zod'

/** An id made by main: a short prefix that says what it names, then random words. Never an integer-like key. */
export const Id = z.string().regex(/^[a-z][A-Za-z0-9_.:@/-]{1,199}$/)
export type Id = z.infer<typeof Id>

/** Milliseconds since 1970. */
export const At = z.number().int().nonnegative()
