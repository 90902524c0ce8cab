import type { ProcessEnd, TurnEnd } from '../../ports.ts'
import type { LiveProcess } from '../../process.ts'
import { failureOf, failureOfExit } from '../failures.ts'
import type { Said } from './decoder.ts'

/**
 * How a turn ended, by signals that are kept apart: our own wish, then what broke it, then what the program says of it,
 * then its exit code. A text that came with any of them is no answer.
 */
export const endOfTurn = (
  process: Pick<LiveProcess, 'cause' | 'isEnding'>,
  exit: Pick<ProcessEnd, 'code' | 'signal' | 'stderr'>,
  said: Said,
): TurnEnd => {
  if (process.cause) return { status: 'failed', failure: process.cause }
  if (process.isEnding) return { status: 'cancelled' }
  if (said.status === 'failed') return { status: 'failed', failure: said.failure }
  if (exit.code !== 0) return { status: 'failed', failure: failureOfExit(exit, null, 'protocol') }
  if (said.status === 'answered') return { status: 'completed' }
  const { noise } = said
  // an exit in good order is no answer
  return noise.trim() === ''
    ? { status: 'failed', failure: failureOfExit(exit, null, 'nothing') }
    : { status: 'failed', failure: failureOf('agent.garbled', noise.trim()) }
}
