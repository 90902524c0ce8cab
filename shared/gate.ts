import * as z from 'zod'
import { AgentId } from './agent.ts'
import { ToolKind } from './agent-event.ts'
import { At, Id } from './ids.ts'
import { gateNoteMaxCharacters, gateSummaryMaxCharacters } from './limits.ts'

export const GateKind = z.enum(['permission', 'budget', 'decision', 'retry', 'input'])
export type GateKind = z.infer<typeof GateKind>

export const GateStatus = z.enum(['waiting', 'answered', 'applying', 'applied', 'expired', 'withdrawn'])
export type GateStatus = z.infer<typeof GateStatus>

/** `grant` lets the asker go on, `deny` does not. Derived by main from the stored option, never from the window. */
export const GateOption = z.object({
  optionId: z.string().min(1).max(60),
  effect: z.enum(['grant', 'deny']),
  /** `allowOnce`, `deny`, `denyWithNote`, `tryAgain`, `giveUp`, `goOn`, `stop`, `accept`: words in renderer/text. */
  name: z.string().min(1).max(60),
  /** Whether a sentence of the person goes with it. */
  takesNote: z.boolean(),
  /** A position to accept, for decision gates. */
  position: z.string().nullable(),
})
export type GateOption = z.infer<typeof GateOption>

export const Asker = z.object({
  kind: z.enum(['attempt', 'run']),
  id: Id,
  runId: Id,
  conversationId: Id,
  seat: z.string().nullable(),
  agent: AgentId.nullable(),
})
export type Asker = z.infer<typeof Asker>

/** What is asked, before it is a gate. Its id is a hash, or names asker and turn: asking twice is asking once. */
export const GateAsk = z.object({
  gateId: Id,
  kind: GateKind,
  asker: Asker,
  toolKind: ToolKind.nullable(),
  title: z.string().max(400),
  detail: z.string().max(gateSummaryMaxCharacters),
  reason: z.string().max(1_000).nullable(),
  options: z.array(GateOption).max(12),
  askedAt: At,
  expiresAt: At.nullable(),
})
export type GateAsk = z.infer<typeof GateAsk>

export const GateDecision = z.object({
  optionId: z.string(),
  effect: z.enum(['grant', 'deny']),
  name: z.string(),
  note: z.string().max(gateNoteMaxCharacters).nullable(),
  position: z.string().nullable(),
  at: At,
})
export type GateDecision = z.infer<typeof GateDecision>

export const GateEndReason = z.enum(['expired', 'askerGone', 'askerLost', 'withdrawn', 'undeliverable'])
export type GateEndReason = z.infer<typeof GateEndReason>

export const GateRecord = GateAsk.extend({
  status: GateStatus,
  decision: GateDecision.nullable(),
  endReason: GateEndReason.nullable(),
  settledAt: At.nullable(),
})
export type GateRecord = z.infer<typeof GateRecord>
