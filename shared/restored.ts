import * as z from 'zod'
import { At } from './ids.ts'

/** What was found where the record should be. */
export const DamageReason = z.enum([
  'empty', 'notADatabase', 'checkFailed', 'wrongShape', 'directory', 'unreadable', 'mainFileMissing',
])
export type DamageReason = z.infer<typeof DamageReason>

/** A damaged record in whose place a backup was opened. It is said until the person has read it, and never again. */
export const RestoredNote = z.object({
  reason: DamageReason,
  /** When what the backup holds was read. */
  from: At,
  /** When it was put in place. */
  at: At,
  /** Under which name the damaged one lies in the folder `quarantine`; `null` where nothing was left of it. */
  kept: z.string().max(100).nullable(),
})
export type RestoredNote = z.infer<typeof RestoredNote>
