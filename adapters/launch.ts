import type { LineHearer } from './lines.ts'
import type { Program } from './ports.ts'

/** What one start of a program needs. */
export interface Launch {
  program: Pick<Program, 'file' | 'before'>
  args: readonly string[]
  cwd: string
  /** The whole environment of the child; the launch marker is added here. */
  env: Readonly<Record<string, string>>
  token: string
  /** Removes secrets from what is kept of stderr. */
  redact(text: string): string
  hear: LineHearer
  /** Hears what it prints to stderr as it comes; the end of it is kept anyway. */
  overhear?: (bytes: Buffer) => void
  /** How much a line may hold before it is only counted; `lineMaxBytes` unless said. */
  lineMaxBytes?: number
}
