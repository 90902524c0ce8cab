import * as z from 'zod'
import { AgentCard, AgentId } from './agent.ts'
import { OutputItem } from './agent-event.ts'
import { ImageNotes } from './attachment.ts'
import { AttemptRecord } from './attempt.ts'
import { Conversation, Draft, QueuedMessage } from './conversation.ts'
import { DeliveryRecord } from './delivery.ts'
import { Failure } from './errors.ts'
import { GateRecord } from './gate.ts'
import { At, Id } from './ids.ts'
import { InstallView } from './install.ts'
import { ActorView, LedgerEvent } from './ledger.ts'
import { RestoredNote } from './restored.ts'
import { RunRecord, RunStatus } from './run.ts'
import { Settings } from './settings.ts'

/** One line of the sidebar. */
export const ConversationRow = z.object({
  conversationId: Id,
  kind: z.enum(['direct', 'group']),
  name: z.string(),
  members: z.array(AgentId),
  /** The newest run's status; `null` before the first. */
  status: RunStatus.nullable(),
  activeRunId: Id.nullable(),
  gatesWaiting: z.number().int().nonnegative(),
  queued: z.number().int().nonnegative(),
  hasDraft: z.boolean(),
  /** Its run was opened from a file: it is there to be looked at. */
  imported: z.literal(true).optional(),
  updatedAt: At,
})
export type ConversationRow = z.infer<typeof ConversationRow>

/** An attempt with the text that is shown for it. */
export const TurnView = AttemptRecord.extend({
  text: z.string(),
  /** Sequence of the last output item that `text` contains; pushes with a higher one append. */
  outputSeq: z.number().int().nonnegative(),
  toolCount: z.number().int().nonnegative(),
})
export type TurnView = z.infer<typeof TurnView>

/**
 * What is kept of a run's output: everything, for as long as it is among the newest or for as long as it is pinned; or
 * no more than its texts, its transitions, and which tools were used.
 */
export const RunDetail = z.enum(['whole', 'pinned', 'compacted'])
export type RunDetail = z.infer<typeof RunDetail>

/** A run, where its machines are, and its turns in the order they were called. */
export const RunView = z.object({
  run: RunRecord,
  /** Those of the message that it answers. */
  images: ImageNotes,
  actors: z.array(ActorView),
  turns: z.array(TurnView),
  /** Sequence of the newest ledger event in it. */
  seq: z.number().int().nonnegative(),
  detail: RunDetail,
})
export type RunView = z.infer<typeof RunView>

/** A person's message and the run it caused; `run` is `null` for none yet. */
export const ConversationView = z.object({
  conversation: Conversation,
  row: ConversationRow,
  draft: Draft,
  /** Those that wait in the draft. */
  draftImages: ImageNotes,
  queue: z.array(QueuedMessage),
  /** The newest runs, oldest first. */
  runs: z.array(RunView),
  /** Give this to `conversation.open` as `before` to read older runs; `null` when there are none. */
  older: z.string().nullable(),
})
export type ConversationView = z.infer<typeof ConversationView>

/** One recorded piece of output. */
export const OutputRow = z.object({
  attemptId: Id,
  seq: z.number().int().positive(),
  at: At,
  try: z.number().int().positive(),
  item: OutputItem,
})
export type OutputRow = z.infer<typeof OutputRow>

export const AttemptView = z.object({
  turn: TurnView,
  actor: ActorView.nullable(),
  /** Every transition of the attempt, oldest first. */
  events: z.array(LedgerEvent),
  /** Tools, plans, warnings and the like, oldest first; text deltas are left out. */
  output: z.array(OutputRow),
  reasoning: z.string(),
  deliveries: z.array(DeliveryRecord),
  gates: z.array(GateRecord),
  /** What can be done now. `followUp` needs a settled run, the others a live one. */
  can: z.object({
    cancel: z.boolean(), retry: z.boolean(), replace: z.boolean(), followUp: z.boolean(), kill: z.boolean(),
  }),
})
export type AttemptView = z.infer<typeof AttemptView>

export const AppState = z.object({
  shell: z.enum(['electron', 'chromium', 'terminal']),
  version: z.string(),
  lifecycle: z.enum(['starting', 'ready', 'readOnly', 'draining', 'closed']),
  /** Whether quitting was asked about, or waits until what runs has ended. */
  quitting: z.enum(['no', 'asked', 'waiting']),
  /** Why writing is refused, while it is. */
  readOnly: Failure.nullable(),
  /** What the last start found and did, for the banner after a crash. */
  recovered: z.object({
    runsInterrupted: z.number().int(), gatesKept: z.number().int(), processesEnded: z.number().int(), at: At,
  }).nullable(),
  /** A damaged record in whose place a backup was opened; `null` once that was read. */
  restored: RestoredNote.nullable(),
  now: At,
})
export type AppState = z.infer<typeof AppState>

export const AppSnapshot = z.object({
  app: AppState,
  settings: Settings,
  conversations: z.array(ConversationRow),
  moreConversations: z.string().nullable(),
  agents: z.array(AgentCard),
  gates: z.array(GateRecord),
  /** The installation that goes on or went on last, also one that the last start did not finish. */
  install: InstallView.nullable(),
  home: z.string(),
})
export type AppSnapshot = z.infer<typeof AppSnapshot>
