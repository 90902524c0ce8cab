import type { InstallTask } from '../../machines/blanks.ts'
import { installMachine } from '../../machines/install.ts'
import { toFailure } from '../../shared/errors.ts'
import type { AwakeClock } from '../supervisors/awake-clock.ts'
import { clocks } from './clocks.ts'
import type { Fence } from './fence.ts'

type Step = (task: InstallTask, signal: AbortSignal) => Promise<void>

/** What each step of an installation does. It rejects with the reason, and heeds its signal. */
export interface InstallSteps {
  check: Step
  verify: Step
  fetch: Step
  install: Step
  confirm: Step
  clear: Step
}

/** The install machine with its effects: a step that is left is aborted. */
export const wiredInstall = (fence: Fence, awake: AwakeClock, steps: InstallSteps) => {
  const effect = (step: Step, done: string, failed = 'install.failed') =>
    fence.outside<{ type: 'none' }, InstallTask>('install.lost', ({ input, say }) => {
      const abort = new AbortController()
      step(input, abort.signal).then(
        () => say({ type: done }),
        (error: unknown) => say({ type: failed, failure: toFailure(error) }),
      )
      return () => abort.abort()
    })
  return installMachine.provide({
    actors: {
      checkInstall: effect(steps.check, 'install.checked'),
      verifyPackage: effect(steps.verify, 'package.verified'),
      fetchPackage: effect(steps.fetch, 'package.fetched'),
      installPackage: effect(steps.install, 'package.installed'),
      confirmInstall: effect(steps.confirm, 'install.confirmed'),
      clearInstall: effect(steps.clear, 'install.cleared', 'install.uncleared'),
      deadline: clocks(fence, awake, () => null).deadline,
    },
  })
}
