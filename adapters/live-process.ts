import type { Around } from '../shared/steps.ts'
import type { Failure } from '../shared/errors.ts'
import type { ProcessEnd } from './ports.ts'
import type { Leftover } from './process-sweep.ts'

export interface LiveProcess {
  readonly pid: number
  readonly startedAt: number
  /** Why it ended or must end, where that is known better than by its exit code; the first cause stays. */
  readonly cause: Failure | null
  /** Whether we have told it to end. */
  readonly isEnding: boolean
  /** Writes one line to its stdin; `false` once that is closed. */
  write(line: string): boolean
  /** Writes the last that goes to its stdin, exactly as it is, and closes that; one that reads none of it is let be. */
  writeLast(text: string): void
  /** Lets it print another `outputMaxBytes`: called at the start of a turn. */
  renewAllowance(): void
  /** The process itself has ended and everything it printed has been heard. */
  readonly drained: Promise<{ code: number | null; signal: string | null; stderr: string }>
  /** Closes stdin, then SIGTERM to the group, then SIGKILL to every process of the launch. Resolves as `gone` does. */
  end(cause?: Failure): Promise<ProcessEnd>
  /** SIGKILL to every process of the launch, now. */
  kill(cause?: Failure): void
  /** Nothing of the launch is alive any more. */
  readonly gone: Promise<ProcessEnd>
}

/** Told of every launch and of its end, so that what a crash leaves behind can be found; it must not throw. */
export interface LaunchRecorder {
  /** Stands around the start itself. */
  around?: Around
  launched(launch: Leftover): void
  gone(launch: Leftover): void
}

/** A short program that is asked something. */
export interface Probe {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd?: string
  atMostMs: number
  signal?: AbortSignal
}

/** What a short-lived program printed. Never throws: a program that cannot be started or is late ended `failed`. */
export type ProbeEnd =
  | { status: 'ended'; code: number | null; stdout: string; stderr: string }
  | { status: 'failed'; reason: 'missing' | 'late' | 'aborted' }
