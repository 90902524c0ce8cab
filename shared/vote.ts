import * as z from 'zod'
import { positionMaxCharacters } from './limits.ts'

/** An agent's structured position at the end of its turn. */
export const Vote = z.strictObject({
  choice: z.enum(['agree', 'continue']),
  position: z.string().trim().min(1).max(positionMaxCharacters),
  changed: z.boolean(),
  why: z.string().trim().max(positionMaxCharacters),
})
export type Vote = z.infer<typeof Vote>

/** Why a turn has no vote. */
export const NoVote = z.enum(['missing', 'malformed', 'ambiguous', 'foreign', 'notLast'])
export type NoVote = z.infer<typeof NoVote>

export type VoteReading = { vote: Vote; noVote: null } | { vote: null; noVote: NoVote }
