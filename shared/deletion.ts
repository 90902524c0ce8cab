import * as z from 'zod'
import { AgentId } from './agent.ts'

const Count = z.number().int().nonnegative()

/** What deleting a conversation takes away, and what it cannot take away. */
export const Deletion = z.object({
  messages: Count,
  runs: Count,
  attempts: Count,
  images: Count,
  /** Of all that, images included. */
  bytes: Count,
  /** Those that have spoken in it: what their own tools keep of that stays. */
  agents: z.array(AgentId),
  /** Backups that may hold it; they are made anew without it. */
  backups: Count,
  /** Damaged records of before that are kept as they were found, and may hold it. */
  quarantined: Count,
})
export type Deletion = z.infer<typeof Deletion>
