import type { ProcessEnd, TurnEnd } from '../../ports.ts'
import type { LiveProcess } from '../../live-process.ts'
import { failureOf } from '../failures.ts'
import { failureOfExit } from '../outcome.ts'
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
  const noise = said.status === 'nothing' ? said.noise.trim() : ''
  // an exit in good order is no answer
  if (exit.code === 0 && noise !== '') return { status: 'failed', failure: failureOf('agent.garbled', noise) }
  if (exit.code === 0 && said.status === 'answered') return { status: 'completed' }
  const heard = said.status === 'answered' ? 'protocol' : 'nothing'
  return { status: 'failed', failure: failureOfExit({ ...exit, cause: null, heard, noise }, Date.now()) }
}
