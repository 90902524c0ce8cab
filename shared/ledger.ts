import * as z from 'zod'
import { At, Id } from './ids.ts'

export const MachineName = z.enum(['run', 'round', 'attempt', 'gate', 'lifecycle', 'install'])
export type MachineName = z.infer<typeof MachineName>

/** A state value as XState writes it: a name, or names inside names. */
export type StateValue = string | { [region: string]: StateValue }
export const StateValue: z.ZodType<StateValue> = z.lazy(() => z.union([z.string(), z.record(z.string(), StateValue)]))

/** One recorded transition. `rootId` and `seq` are its key; `actor` names the machine inside its root. */
export const LedgerEvent = z.object({
  rootId: Id,
  seq: z.number().int().positive(),
  at: At,
  machine: MachineName,
  /** The run, round (`runId/2`), attempt or gate id. */
  actor: Id,
  /** The event that caused it. */
  type: z.string().max(120),
  /** A bounded look at the event: ids, codes, counts, short words. */
  cause: z.record(z.string(), z.unknown()),
  value: StateValue,
  /** The state it left, where it was known. */
  from: StateValue.nullable(),
})
export type LedgerEvent = z.infer<typeof LedgerEvent>

/** Where a machine is now, with what brought it there. */
export const ActorView = z.object({
  machine: MachineName,
  actor: Id,
  value: StateValue,
  last: z.object({ type: z.string(), at: At, from: StateValue.nullable() }).nullable(),
})
export type ActorView = z.infer<typeof ActorView>
