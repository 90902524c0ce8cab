import type { AttemptRecord } from '../../../shared/attempt.ts'
import type { RunRecord, RunStatus } from '../../../shared/run.ts'
import { nameOfAgent, voteInWords } from './words.ts'

/** A run with its turns in the order they were called. */
export interface RunSoFar {
  run: RunRecord
  turns: readonly AttemptRecord[]
}

/** The outcome of one discussion, as `--json` prints it. */
export const outcomeOf = ({ run, turns }: RunSoFar) => ({
  runId: run.runId,
  status: run.status,
  rounds: [...Map.groupBy(turns, ({ round }) => round)].map(([round, inRound]) => ({
    round,
    attempts: inRound.map(({ agent, status, vote }) => ({
      agent, status, vote: vote?.choice ?? null, position: vote?.position ?? null,
    })),
  })),
})

/** Where everybody stands at the end, one line each. */
export const standingLines = ({ turns }: RunSoFar): string[] => {
  const last = new Map(turns.map((turn): [string, AttemptRecord] => [turn.seat, turn]))
  return [...last.values()].map((turn) => `${nameOfAgent(turn.agent)}: ${voteInWords(turn) || turn.status}`)
}

export const exitCodes = { settled: 0, failed: 1, badUsage: 2, interrupted: 3 } as const

/** The exit code of a run that ended by itself. */
export const exitCodeOf = (status: RunStatus): number => {
  if (status === 'failed') return exitCodes.failed
  return status === 'interrupted' ? exitCodes.interrupted : exitCodes.settled
}
