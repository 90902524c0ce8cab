import * as z from 'zod'
import { AgentId } from './agent.ts'
import { Failure } from './errors.ts'
import { At, Id } from './ids.ts'
import { installLogLineMaxCharacters, installLogLinesMax } from './limits.ts'

export const InstallState = z.enum([
  'checking', 'verifying', 'fetching', 'installing', 'confirming', 'clearing', 'installed', 'failed', 'cancelled',
  'interrupted',
])
export type InstallState = z.infer<typeof InstallState>

/** The installation that is going on, or the last one of this start. Holds no path outside home and no command. */
export const InstallView = z.object({
  agent: AgentId,
  taskId: Id,
  state: InstallState,
  package: z.string(),
  version: z.string(),
  /** How many packages have come so far; nobody knows beforehand how many there will be. */
  fetched: z.number().int().nonnegative(),
  /** The newest lines that npm printed, without secrets. */
  log: z.array(z.string().max(installLogLineMaxCharacters)).max(installLogLinesMax),
  failure: Failure.nullable(),
  startedAt: At,
  endedAt: At.nullable(),
})
export type InstallView = z.infer<typeof InstallView>

/** An installation that was begun and has not ended, as it is kept for the next start. */
export const BegunInstall = z.object({ agent: AgentId, taskId: Id, startedAt: At })
export type BegunInstall = z.infer<typeof BegunInstall>

/** What would be installed for an agent, for the person to confirm. */
export const InstallOffer = z.object({
  agent: AgentId,
  package: z.string(),
  version: z.string(),
  /** Whether the package brings a script of its own that has to run. */
  scripts: z.boolean(),
  /** Where it goes; home is `~`. */
  folder: z.string(),
})
export type InstallOffer = z.infer<typeof InstallOffer>

/** Whether nothing of it goes on any more. */
export const isInstallOver = (state: InstallState): boolean =>
  ['installed', 'failed', 'cancelled', 'interrupted'].includes(state)
