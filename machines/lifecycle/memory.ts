import { assign } from 'xstate'
import type { Failure } from '../../shared/errors.ts'
import { closingMs, drainMs, killingMs, openingMs, restoringMs, surveyingMs } from '../../shared/limits.ts'
import type { DeadlineInput, LifecycleFact, Stamped } from '../blanks.ts'
import { timeOf } from '../time.ts'

export type LifecycleContext = {
  /** Why writing is refused, while it is. */
  failure: Failure | null
  /** What quitting would interrupt. */
  running: number
  dueAt: number | null
  lastAt: number
}

export type LifecycleInput = { at: number }

export type LifecycleEvent =
  | LifecycleFact
  | Stamped<
      | { type: 'wait.expired' }
      | { type: 'app.quit' }
      /** The operating system's log-out, which cannot be asked. */
      | { type: 'app.mustQuit' }
      | { type: 'quit.wait' }
      | { type: 'quit.confirm' }
      | { type: 'quit.cancel' }
      | { type: 'ledger.failed'; failure: Failure }
    >

type LifecycleMoment = { context: LifecycleContext; event: LifecycleEvent }

export const freshLifecycle = ({ input }: { input: LifecycleInput }): LifecycleContext =>
  ({ failure: null, running: 0, dueAt: input.at + openingMs, lastAt: input.at })

export const lifecycleGuards = {
  /** A disk that refuses, or another program that keeps the file, may do so for a while only. */
  theDiskMayPass: ({ context, event }: LifecycleMoment) =>
    context.failure?.code === 'ledger.unwritable' || (event.type === 'ledger.failed' && isLocked(event.failure)),
  somethingRuns: ({ event }: LifecycleMoment) => event.type === 'quit.surveyed' && event.running > 0,
}

const keep = (change: (moment: LifecycleMoment) => Partial<LifecycleContext>) =>
  assign<LifecycleContext, LifecycleEvent, undefined, LifecycleEvent, never>((moment) =>
    ({ lastAt: now(moment), ...change(moment) }))

export const lifecycleActions = {
  keepFailure: keep(({ event }) => ({ failure: 'failure' in event ? event.failure : tooSlow, dueAt: null })),
  forgetFailure: keep(() => ({ failure: null, dueAt: null })),
  keepRunning: keep(({ event }) => ({ running: event.type === 'quit.surveyed' ? event.running : 0, dueAt: null })),
  armRestoring: keep((moment) => ({ dueAt: now(moment) + restoringMs })),
  armSurveying: keep((moment) => ({ dueAt: now(moment) + surveyingMs })),
  armDraining: keep((moment) => ({ dueAt: now(moment) + drainMs })),
  armKilling: keep((moment) => ({ dueAt: now(moment) + killingMs })),
  armClosing: keep((moment) => ({ dueAt: now(moment) + closingMs })),
  disarm: keep(() => ({ dueAt: null })),
}

const now = ({ context, event }: LifecycleMoment) => timeOf(event, context.lastAt)

const isLocked = ({ code }: Failure) => code === 'ledger.locked'

export const wait = ({ context }: { context: LifecycleContext }): DeadlineInput =>
  ({ at: context.dueAt, event: 'wait.expired' })

export const nothing = (): Record<string, never> => ({})

const tooSlow: Failure = { code: 'ledger.locked', message: 'The stored work could not be opened in time.' }
