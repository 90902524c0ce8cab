import * as z from 'zod'
import { AgentId } from './agent.ts'
import { AttemptRecord } from './attempt.ts'
import { Capsule } from './capsule.ts'
import { ConversationName, Members } from './conversation.ts'
import { DeliveryRecord } from './delivery.ts'
import { Asker, GateRecord } from './gate.ts'
import { At } from './ids.ts'
import { LedgerEvent } from './ledger.ts'
import { nameMaxCharacters, textPerAttemptMaxCharacters, topicMaxCharacters } from './limits.ts'
import { RunRecord } from './run.ts'
import { OutputRow } from './view.ts'

/** The shape of a run file. A file of a later one is refused; what an earlier one held is read for ever. */
export const runFileVersion = 1

/** What a conversation had come to before a run, as far as a prompt of that run may speak of it. */
export const Earlier = z.object({
  turns: z.array(z.object({
    speaker: z.union([
      z.literal('person'),
      z.object({ seat: z.string().max(60), name: z.string().max(nameMaxCharacters) }),
    ]),
    text: z.string().max(textPerAttemptMaxCharacters + topicMaxCharacters),
  })),
  capsules: z.array(Capsule),
})
export type Earlier = z.infer<typeof Earlier>

const FileEvent = LedgerEvent.omit({ rootId: true })
export type FileEvent = z.infer<typeof FileEvent>

const FileAttempt = z.object({
  record: AttemptRecord.omit({ runId: true, conversationId: true }),
  text: z.string().max(textPerAttemptMaxCharacters),
  /** What later speakers received of it; `null` where no turn was finished. */
  capsule: Capsule.nullable(),
  output: z.array(OutputRow.omit({ attemptId: true })),
  deliveries: z.array(z.object({ record: DeliveryRecord.omit({ attemptId: true }), prompt: z.string() })),
})
export type FileAttempt = z.infer<typeof FileAttempt>

const FileGate = z.object({
  record: GateRecord.extend({ asker: Asker.omit({ conversationId: true }) }),
  version: z.number().int().nonnegative(),
  events: z.array(FileEvent),
})
export type FileGate = z.infer<typeof FileGate>

/**
 * One run, whole: what happened, what was said and what was sent. Everything that may be in it is named here: it has no
 * place for a folder, an environment, a native session or a key.
 */
export const RunFile = z.object({
  format: z.literal('parley-run'),
  schemaVersion: z.literal(runFileVersion),
  conversation: z.object({ kind: z.enum(['direct', 'group']), name: ConversationName, members: Members }),
  run: RunRecord.omit({ conversationId: true, messageId: true }),
  /** Of the run's chart, by which its events were recorded. */
  version: z.number().int().nonnegative(),
  earlier: Earlier,
  events: z.array(FileEvent),
  attempts: z.array(FileAttempt),
  gates: z.array(FileGate),
  /** How many places of its texts were replaced: folders of the machine it comes from, names and secrets. */
  replaced: z.number().int().nonnegative(),
})
export type RunFile = z.infer<typeof RunFile>

/** How the table was set when a run began, as its first event tells it. */
export const Table = z.array(z.object({ seat: z.string(), agent: AgentId, mayContinue: z.boolean() }))

/** When and from which version a file was written, and what of the run is not in it. */
export const RunFileOrigin = z.object({ exportedAt: At, parley: z.string().max(60) })
