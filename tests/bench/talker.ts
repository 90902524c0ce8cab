import type { LineHearer } from '../../adapters/lines.ts'
import type { ProcessEnd, TurnEnd } from '../../adapters/ports.ts'
import type { LiveProcess } from '../../adapters/live-process.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'

/** An agent that prints a great deal in one turn, in one protocol. */
export interface Talker {
  name: string
  /** A session without a process, in which a turn has begun. */
  open(hear: (event: AgentEvent) => void): Promise<{ lines: LineHearer; turn: Promise<TurnEnd> }>
  /** What it prints; the last is what ends the turn. */
  message(index: number): object
  last(): object
}

export const benchHidden = { secrets: ['sk-bench-0123456789abcdef'], home: '/home/someone' }

/** A process that only takes what is written to it. */
export const idleProcess = (written: (line: string) => void): LiveProcess => {
  const never = new Promise<ProcessEnd>(() => {})
  return {
    pid: 1,
    startedAt: 0,
    cause: null,
    isEnding: false,
    drained: never,
    gone: never,
    renewAllowance: () => undefined,
    writeLast: () => undefined,
    end: () => never,
    kill: () => undefined,
    write(line) {
      written(line)
      return true
    },
  }
}
