import type { AgentRun } from '../../machines/blanks.ts'
import { nameOfAgent } from '../../shared/agent.ts'
import type { ToolNote } from '../../shared/agent-event.ts'
import { makeCapsule } from '../../shared/capsule.ts'
import { outputPageMax } from '../../shared/limits.ts'
import type { VoteReading } from '../../shared/vote.ts'
import type { Stores } from '../stores/stores.ts'

/** Keeps a finished turn: its text without the vote, the vote, and the capsule that later speakers receive. */
export const keepTurn = (
  stores: Stores,
  run: AgentRun,
  { text, reading }: { text: string; reading: VoteReading },
  consensus: boolean,
): void => {
  const capsule = makeCapsule({
    attemptId: run.attemptId,
    runId: run.runId,
    round: run.round,
    seat: run.seat,
    name: nameOfAgent(run.agent).name,
    vote: reading.vote,
    text,
    tools: toolsOf(stores, run.attemptId),
  })
  stores.attempts.keepReply({
    attemptId: run.attemptId,
    text,
    vote: reading.vote,
    noVote: consensus ? reading.noVote : null,
    capsule: JSON.stringify(capsule),
  })
}

/** How many of the attempt's tools were refused, by the person or by its mode. */
export const countDenials = (stores: Stores, attemptId: string): number =>
  new Set(
    toolsOf(stores, attemptId)
      .filter(({ status }) => status === 'denied')
      .map(({ toolId }) => toolId),
  ).size

/** The newest page of what the attempt did is enough: a capsule names a bounded number of tools. */
const toolsOf = (stores: Stores, attemptId: string): ToolNote[] => {
  if (!stores.outputs.hasTools(attemptId)) return []
  const after = Math.max(0, stores.outputs.lastSeq(attemptId) - outputPageMax)
  return stores.outputs
    .notes(attemptId, after, outputPageMax)
    .rows.flatMap(({ item }) => (item.type === 'tool' ? [item.tool] : []))
}
