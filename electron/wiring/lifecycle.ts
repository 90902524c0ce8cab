import { lifecycleMachine } from '../../machines/lifecycle.ts'
import { toFailure } from '../../shared/errors.ts'
import type { AwakeClock } from '../supervisors/awake-clock.ts'
import { clocks } from './clocks.ts'
import type { Fence } from './fence.ts'

interface LifecycleWiring {
  fence: Fence
  awake: AwakeClock
  /** Rejects with the reason why the stores cannot be trusted. */
  openStores: () => Promise<void>
  restoreWork: () => Promise<void>
  /** Resolves once the disk takes writes again; the signal says that nobody waits any more. */
  awaitDisk: (signal: AbortSignal) => Promise<void>
  /** Takes the work up again from what is stored. */
  reopenWork: () => Promise<void>
  /** How many runs quitting now would interrupt. */
  countRunning: () => number
  /** Calls back once that number is zero, now or later; gives back the way to stop. */
  whenRested: (rested: () => void) => () => void
  endWork: () => Promise<void>
  /** Resolves once no process of ours lives, whatever it ignores. */
  killChildren: () => Promise<void>
  closeStores: () => Promise<void>
}

type Nothing = { type: 'none' }
type NoInput = Record<string, never>

/** The lifecycle machine with its effects. */
export const wiredLifecycle = (wiring: LifecycleWiring) => {
  const { fence } = wiring
  const step = (work: () => Promise<void>, done: string, failed: string) =>
    fence.outside<Nothing, NoInput>('lifecycle.lost', ({ say }) => {
      work().then(
        () => say({ type: done }),
        (error: unknown) => say({ type: failed, failure: toFailure(error) }),
      )
    })
  return lifecycleMachine.provide({
    actors: {
      openStores: step(wiring.openStores, 'stores.opened', 'stores.untrusted'),
      restoreWork: step(wiring.restoreWork, 'work.restored', 'stores.untrusted'),
      awaitDisk: fence.outside<Nothing, NoInput>('lifecycle.lost', ({ say }) => {
        const left = new AbortController()
        wiring.awaitDisk(left.signal).then(
          () => say({ type: 'disk.writable' }),
          () => undefined,
        )
        return () => left.abort()
      }),
      reopenWork: step(wiring.reopenWork, 'work.restored', 'stores.untrusted'),
      surveyWork: fence.outside<Nothing, NoInput>('lifecycle.lost', ({ say }) => {
        say({ type: 'quit.surveyed', running: wiring.countRunning() })
      }),
      watchWork: fence.outside<Nothing, NoInput>('lifecycle.lost', ({ say }) =>
        wiring.whenRested(() => say({ type: 'work.rested' })),
      ),
      endWork: step(wiring.endWork, 'work.ended', 'work.ended'),
      killChildren: step(wiring.killChildren, 'children.gone', 'children.gone'),
      closeStores: step(wiring.closeStores, 'stores.closed', 'stores.closed'),
      deadline: clocks(fence, wiring.awake, () => null).deadline,
    },
  })
}
