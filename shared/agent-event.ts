import * as z from 'zod'
import { Failure } from './errors.ts'
import { Usage } from './usage.ts'

export const ToolKind = z.enum(['read', 'edit', 'execute', 'search', 'fetch', 'think', 'other'])
export const ToolStatus = z.enum(['running', 'done', 'failed', 'denied', 'cancelled'])

export const ToolNote = z.object({
  toolId: z.string().max(200),
  kind: ToolKind,
  title: z.string().max(400),
  status: ToolStatus,
  /** A bounded, redacted look at what came back. */
  detail: z.string().max(2_000).nullable(),
})
export type ToolNote = z.infer<typeof ToolNote>

export const PlanEntry = z.object({
  title: z.string().max(400),
  status: z.enum(['pending', 'inProgress', 'done']),
})

/** What of an agent's output is recorded and shown: normalised, bounded, redacted. */
export const OutputItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), delta: z.string() }),
  /** The authoritative text of the turn so far, where it differs from the deltas. */
  z.object({ type: z.literal('textReplaced'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), delta: z.string() }),
  z.object({ type: z.literal('tool'), tool: ToolNote }),
  z.object({ type: z.literal('plan'), entries: z.array(PlanEntry).max(50) }),
  z.object({ type: z.literal('usage'), usage: Usage }),
  z.object({
    type: z.literal('retrying'),
    attempt: z.number().int(),
    max: z.number().int().nullable(),
    delayMs: z.number().nullable(),
    failure: Failure,
  }),
  z.object({ type: z.literal('warning'), text: z.string().max(2_000) }),
  /** A line too long to keep, or an event this version does not know. */
  z.object({
    type: z.literal('omitted'),
    what: z.string().max(200),
    bytes: z.number().int(),
    sha256: z.string().nullable(),
  }),
])
export type OutputItem = z.infer<typeof OutputItem>

/** A question that an agent asks before it goes on. `requestId` is ours, unique within the session. */
export const PermissionRequest = z.object({
  requestId: z.string().max(200),
  toolId: z.string().max(200).nullable(),
  kind: ToolKind,
  /** `run a command`, `edit a file`: completes "asks to …". */
  title: z.string().max(400),
  /** The command or path as the asker gave it, redacted. */
  detail: z.string().max(4_000),
  reason: z.string().max(1_000).nullable(),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>

/** Everything a live session may say. `session` and `asked` stay in main. */
export type AgentEvent =
  | OutputItem
  | { type: 'session'; nativeId: string; resumed: boolean }
  | { type: 'asked'; request: PermissionRequest }
  /** The agent itself took its question back. */
  | { type: 'askedNoMore'; requestId: string }
