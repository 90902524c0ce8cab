import * as z from 'zod'
import type { ToolNote } from './agent-event.ts'
import { excerpt, oneLine } from './excerpt.ts'
import { Id } from './ids.ts'
import {
  capsuleEvidenceMax,
  capsuleEvidenceTitleMaxCharacters,
  capsuleMaxCharacters,
  nameMaxCharacters,
  positionMaxCharacters,
} from './limits.ts'
import { Vote } from './vote.ts'

/** What later speakers receive of an attempt instead of its tool logs. `attemptId` leads back to the source. */
export const Capsule = z.object({
  attemptId: Id,
  runId: Id.optional(),
  round: z.number().int().positive(),
  seat: z.string().min(1).max(60),
  name: z.string().max(nameMaxCharacters),
  choice: Vote.shape.choice.nullable(),
  position: z.string().max(positionMaxCharacters).nullable(),
  changed: z.boolean(),
  conclusion: z.string().max(capsuleMaxCharacters),
  /** Titles of the tools it used, each with how that ended; never what they returned. */
  evidence: z.array(z.string().max(capsuleEvidenceTitleMaxCharacters)).max(capsuleEvidenceMax),
})
export type Capsule = z.infer<typeof Capsule>

interface CapsuleSource {
  attemptId: string
  runId?: string
  round: number
  seat: string
  name: string
  vote: Vote | null
  /** The turn's text, without its vote. */
  text: string
  /** Every note in the order it came; the last one of a tool counts. */
  tools: readonly ToolNote[]
}

/** Sums up one attempt within `capsuleMaxCharacters`, so that a long conclusion and the evidence both have room. */
export const makeCapsule = ({ attemptId, runId, round, seat, name, vote, text, tools }: CapsuleSource): Capsule => {
  const evidence = listEvidence(tools)
  const position = vote ? oneLine(vote.position, positionMaxCharacters) : null
  const shortName = oneLine(name, nameMaxCharacters)
  const taken = evidence.join('').length + (position?.length ?? 0) + shortName.length + seat.length + attemptId.length
  return {
    attemptId,
    ...(runId === undefined ? {} : { runId }),
    round,
    seat,
    name: shortName,
    choice: vote?.choice ?? null,
    position,
    changed: vote?.changed ?? false,
    conclusion: excerpt(text.trim(), capsuleMaxCharacters - taken),
    evidence,
  }
}

const listEvidence = (tools: readonly ToolNote[]): string[] => {
  const latest = new Map<string, ToolNote>()
  for (const tool of tools) latest.set(tool.toolId, tool)
  return [...latest.values()].slice(-capsuleEvidenceMax).map(describe)
}

const describe = ({ title, status }: ToolNote): string => {
  const ending = ` (${status})`
  return oneLine(title, capsuleEvidenceTitleMaxCharacters - ending.length) + ending
}
