import type { AttemptRecord } from '../../../shared/attempt.ts'
import type { GateRecord } from '../../../shared/gate.ts'
import type { RunRecord, RunStatus } from '../../../shared/run.ts'
import { endInWords, inWords, nameOfAgent, voteInWords } from './words.ts'

/** A run with its turns in the order they were called, and what was asked of the person. */
export interface RunSoFar {
  run: RunRecord
  turns: readonly AttemptRecord[]
  gates: readonly GateRecord[]
}

/** The outcome of one discussion, as `--json` prints it. */
export const outcomeOf = ({ run, turns, gates }: RunSoFar) => ({
  runId: run.runId,
  status: run.status,
  rounds: [...Map.groupBy(turns, ({ round }) => round)].map(([round, inRound]) => ({
    round,
    attempts: inRound.map(({ agent, status, vote }) => ({
      agent, status, vote: vote?.choice ?? null, position: vote?.position ?? null,
    })),
  })),
  gates: gates.map(gateInShort),
})

/** A gate as JSON tells it: how it ended and why, and what was answered. */
export const gateInShort = ({ gateId, asker, kind, status, endReason, decision }: GateRecord) =>
  ({ gateId, asker: asker.id, kind, status, reason: endReason, answer: decision?.name ?? null })

/** The outcome for people: how it ended, and where everybody stands. */
export const outcomeLines = ({ run, turns }: Pick<RunSoFar, 'run' | 'turns'>): string[] => {
  const last = new Map(turns.map((turn) => [turn.seat, turn]))
  return [
    '',
    endInWords(run.status),
    ...[...last.values()].map((turn) => `  ${nameOfAgent(turn.agent)}: ${voteInWords(turn) || inWords(turn.status)}`),
  ]
}

export const exitCodes = { settled: 0, failed: 1, badUsage: 2, interrupted: 3 } as const

/** The exit code of a run that ended by itself. */
export const exitCodeOf = (status: RunStatus): number => {
  if (status === 'failed') return exitCodes.failed
  return status === 'interrupted' ? exitCodes.interrupted : exitCodes.settled
}
