import { assign } from 'xstate'
import type { AgentId } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import {
  installCheckMs, installClearMs, installConfirmMs, installFetchMs, installPackageMs, installVerifyMs,
} from '../../shared/limits.ts'
import type { DeadlineInput, InstallFact, InstallTask, Stamped } from '../blanks.ts'
import { timeOf } from '../time.ts'

export type InstallContext = {
  /** What is being installed, or was last; `null` before the first. */
  task: InstallTask | null
  /** The first reason why it did not succeed. */
  failure: Failure | null
  startedAt: number
  endedAt: number | null
  dueAt: number | null
  lastAt: number
}

export type InstallInput = { at: number }

export type InstallEvent =
  | InstallFact
  | Stamped<
      | { type: 'wait.expired' }
      | { type: 'install.start'; taskId: string; agent: AgentId }
      | { type: 'install.cancel'; taskId: string }
      /** An earlier start began this and did not finish it. */
      | { type: 'install.left'; taskId: string; agent: AgentId; startedAt: number }
    >

type InstallMoment = { context: InstallContext; event: InstallEvent }

export const freshInstall = ({ input }: { input: InstallInput }): InstallContext =>
  ({ task: null, failure: null, startedAt: input.at, endedAt: null, dueAt: null, lastAt: input.at })

export const installGuards = {
  itIsThisInstall: ({ context, event }: InstallMoment) =>
    event.type === 'install.cancel' && event.taskId === context.task?.taskId,
  itHasFailed: ({ context }: InstallMoment) => context.failure !== null,
}

const keep = (change: (moment: InstallMoment) => Partial<InstallContext>) =>
  assign<InstallContext, InstallEvent, undefined, InstallEvent, never>((moment) =>
    ({ lastAt: now(moment), ...change(moment) }))

/** Gives the next step its time. */
const arm = (milliseconds: number) => keep((moment) => ({ dueAt: now(moment) + milliseconds }))

export const installActions = {
  begin: keep((moment) => ({
    task: moment.event.type === 'install.start' ? { taskId: moment.event.taskId, agent: moment.event.agent } : null,
    failure: null,
    startedAt: now(moment),
    endedAt: null,
    dueAt: now(moment) + installCheckMs,
  })),
  recall: keep(({ event }) =>
    event.type === 'install.left'
      ? { task: { taskId: event.taskId, agent: event.agent }, startedAt: event.startedAt }
      : {}),
  armVerifying: arm(installVerifyMs),
  armFetching: arm(installFetchMs),
  armInstalling: arm(installPackageMs),
  armConfirming: arm(installConfirmMs),
  armClearing: arm(installClearMs),
  keepFailure: keep(({ context, event }) =>
    ({ failure: context.failure ?? ('failure' in event ? event.failure : null) })),
  keepLateness: keep(({ context }) => ({ failure: context.failure ?? tooSlow })),
  keepLeftovers: keep(({ context }) => ({ failure: context.failure ?? leftovers })),
  noteEnd: keep((moment) => ({ endedAt: now(moment), dueAt: null })),
}

const now = ({ context, event }: InstallMoment) => timeOf(event, context.lastAt)

export const wait = ({ context }: { context: InstallContext }): DeadlineInput =>
  ({ at: context.dueAt, event: 'wait.expired' })

export const task = ({ context }: { context: InstallContext }): InstallTask =>
  context.task ?? { taskId: '', agent: 'codex' }

const tooSlow: Failure = { code: 'install.late', message: 'A step of the installation took too long.' }
const leftovers: Failure = {
  code: 'install.uncleared',
  message: 'What was left of the installation could not be removed in time.',
}
