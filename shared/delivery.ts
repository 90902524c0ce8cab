import * as z from 'zod'
import { At, Id } from './ids.ts'

/** What exactly was sent in one try. */
export const DeliveryRecord = z.object({
  deliveryId: Id,
  attemptId: Id,
  try: z.number().int().positive(),
  promptSha256: z.string().length(64),
  promptBytes: z.number().int().nonnegative(),
  /** How many images went with it. */
  images: z.number().int().nonnegative().default(0),
  /** `2 capsules`, `bootstrap`: what the prompt was made of. */
  sources: z.array(z.string().max(200)).max(50),
  mode: z.enum(['readOnly', 'write']),
  adapterVersion: z.string().nullable(),
  session: z.enum(['new', 'resumed', 'rebuilt', 'continued']),
  sentAt: At,
})
export type DeliveryRecord = z.infer<typeof DeliveryRecord>
