import * as z from 'zod'
import { ImageNotes } from './attachment.ts'
import { GateRecord } from './gate.ts'
import { LedgerEvent } from './ledger.ts'
import { RunRecord } from './run.ts'
import { TurnView } from './view.ts'

/** What a run has come to, read in one moment with its newest events. */
export const TimelineEnd = z.object({
  run: RunRecord,
  /** Those of the message that it answers. */
  images: ImageNotes,
  /** In the order they were called, each with the text that it has now. */
  turns: z.array(TurnView),
  /** Everything that it or its attempts have asked the person, oldest first. */
  gates: z.array(GateRecord),
  /** Every transition of those gates. A gate is a root of its own: `rootId` is the gate, and it counts by itself. */
  gateEvents: z.array(LedgerEvent),
})
export type TimelineEnd = z.infer<typeof TimelineEnd>

/** Transitions of a run, its rounds and its attempts in their order, and with the last of them what it all came to. */
export const TimelinePage = z.object({
  events: z.array(LedgerEvent),
  /** `null` while more events follow: ask again after the last one of this page. */
  end: TimelineEnd.nullable(),
})
export type TimelinePage = z.infer<typeof TimelinePage>
