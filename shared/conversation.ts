import * as z from 'zod'
import { AgentId } from './agent.ts'
import { ImageNotes } from './attachment.ts'
import { Failure } from './errors.ts'
import { At, Id } from './ids.ts'
import {
  draftMaxCharacters,
  membersMax,
  nameMaxCharacters,
  roundsMax,
  roundsMin,
  topicMaxCharacters,
} from './limits.ts'

export const ConversationName = z.string().trim().min(1).max(nameMaxCharacters)

/** How a group confers. `rounds: null` is unlimited and must have been confirmed. */
export const RoundSettings = z.strictObject({
  rounds: z.number().int().min(roundsMin).max(roundsMax).nullable(),
  blindFirst: z.boolean(),
})
export type RoundSettings = z.infer<typeof RoundSettings>

export const Members = z.array(AgentId).min(1).max(membersMax)

export const Conversation = z.object({
  conversationId: Id,
  kind: z.enum(['direct', 'group']),
  name: ConversationName,
  members: Members,
  /** Absolute; shown to the person with their home shortened. */
  workdir: z.string().min(1).max(4_000),
  allowWrite: z.boolean(),
  settings: RoundSettings,
  createdAt: At,
  updatedAt: At,
})
export type Conversation = z.infer<typeof Conversation>

/** A message that waits for the active run to end. */
export const QueuedMessage = z.object({
  queuedId: Id,
  conversationId: Id,
  text: z.string().max(topicMaxCharacters),
  images: ImageNotes,
  targets: Members,
  settings: RoundSettings,
  createdAt: At,
  /** Why it could not begin when its turn came; it waits for the person then. */
  refusal: Failure.nullable(),
})
export type QueuedMessage = z.infer<typeof QueuedMessage>

export const Draft = z.string().max(draftMaxCharacters)
