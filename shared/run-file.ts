import * as z from 'zod'
import { AgentId } from './agent.ts'
import { AttemptEnd, AttemptRecord } from './attempt.ts'
import { Capsule } from './capsule.ts'
import { ConversationName, Members } from './conversation.ts'
import { DeliveryRecord } from './delivery.ts'
import { Asker, GateRecord } from './gate.ts'
import { At } from './ids.ts'
import { LedgerEvent } from './ledger.ts'
import { nameMaxCharacters, textPerAttemptMaxCharacters, topicMaxCharacters } from './limits.ts'
import { RunEnd, RunRecord } from './run.ts'
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
  record: AttemptRecord.omit({ runId: true, conversationId: true }).extend({ status: AttemptEnd }),
  text: z.string().max(textPerAttemptMaxCharacters),
  /** What later speakers received of it; `null` where no turn was finished. */
  capsule: Capsule.nullable(),
  output: z.array(OutputRow.omit({ attemptId: true })),
  deliveries: z.array(z.object({ record: DeliveryRecord.omit({ attemptId: true }), prompt: z.string() })),
})
export type FileAttempt = z.infer<typeof FileAttempt>

const FileGate = z.object({
  record: GateRecord.extend({
    asker: Asker.omit({ conversationId: true }),
    status: z.enum(['applied', 'expired', 'withdrawn']),
  }),
  version: z.number().int().nonnegative(),
  events: z.array(FileEvent),
})
export type FileGate = z.infer<typeof FileGate>

/**
 * One settled run, whole: what happened, what was said and what was sent. Everything that may be in it is named here:
 * there is no place for a folder, an environment, a native session or a key.
 */
export const RunRecording = z.object({
  conversation: z.object({ kind: z.enum(['direct', 'group']), name: ConversationName, members: Members }),
  run: RunRecord.omit({ conversationId: true, messageId: true }).extend({ status: RunEnd }),
  /** Of the run's chart, by which its events were recorded. */
  version: z.number().int().nonnegative(),
  earlier: Earlier,
  events: z.array(FileEvent),
  attempts: z.array(FileAttempt),
  gates: z.array(FileGate),
  /** How many images its message had. Their content is no part of it. */
  images: z.number().int().nonnegative(),
  /** In how many of its texts something was replaced: folders of the machine it comes from, names, secrets. */
  replaced: z.number().int().nonnegative(),
})
export type RunRecording = z.infer<typeof RunRecording>

/** The version of Parley that wrote a file, and when. */
const Origin = { parley: z.string().max(60), exportedAt: At }

/** A recording as it leaves Parley: one JSON document. */
export const RunFile = RunRecording.extend({
  format: z.literal('parley-run'),
  schemaVersion: z.literal(runFileVersion),
  ...Origin,
})
export type RunFile = z.infer<typeof RunFile>

/** What tells of any text whether it is a run file, and of which shape, before all of it is looked at. */
export const RunFileHead = z.object({ format: z.literal('parley-run'), schemaVersion: z.number().int().positive() })

/** How the table was set when a run began, as its first event tells it. */
export const Table = z.array(z.object({ seat: z.string(), agent: AgentId, mayContinue: z.boolean() }))

/** What is in a run file, for the person who is about to save or to open it. */
export const RunFilePreview = z.object({
  ...Origin,
  name: z.string(),
  topic: z.string(),
  agents: Members,
  status: RunEnd,
  startedAt: At,
  rounds: z.number().int().nonnegative(),
  /** Turns that said something, and the person's message. */
  messages: z.number().int().nonnegative(),
  /** Of every text in it. */
  characters: z.number().int().nonnegative(),
  transitions: z.number().int().nonnegative(),
  prompts: z.number().int().nonnegative(),
  gates: z.number().int().nonnegative(),
  /** Turns of the conversation from before the run, which prompts may quote. */
  earlierTurns: z.number().int().nonnegative(),
  images: z.number().int().nonnegative(),
  replaced: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
})
export type RunFilePreview = z.infer<typeof RunFilePreview>

/** Where the one run of a conversation comes from that was opened from a file. */
export const ImportNote = z.object({
  ...Origin,
  importedAt: At,
  replaced: z.number().int().nonnegative(),
  images: z.number().int().nonnegative(),
})
export type ImportNote = z.infer<typeof ImportNote>
