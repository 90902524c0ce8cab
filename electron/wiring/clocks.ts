import type { DeadlineInput, Silence } from '../../machines/blanks.ts'
import { groupCommitMs, timerMaxMs } from '../../shared/limits.ts'
import type { AwakeClock } from '../supervisors/awake-clock.ts'
import type { Fence } from './fence.ts'

/** When an attempt last said anything, in milliseconds since 1970; `null` before it did. */
export type LastOutputAt = (attemptId: string) => number | null

/** Goes on while the computer sleeps: a person's week, the pause that a provider asked for, a time to try again. */
const calendar = new Set(['gate.expired', 'backoff.passed', 'minutes.due'])

/**
 * Fills the clocks: deadlines, and the watch over silence. Both count awake time, so that nothing that is being done
 * is late after a sleep; only the calendar goes on.
 */
export const clocks = (fence: Fence, awake: AwakeClock, lastOutputAt: LastOutputAt) => ({
  deadline: fence.again<{ type: 'none' }, DeadlineInput>(({ input, say }) => {
    const { at, event } = input
    if (at === null) return undefined
    let slept = 0
    const stopHearing = awake.onWake((ms) => {
      if (!calendar.has(event)) slept += ms
    })
    const stop = wakeAt(awake, () => at + slept, () => say({ type: event }))
    return () => {
      stopHearing()
      stop()
    }
  }),

  watchSilence: fence.again<{ type: 'none' }, Silence>(({ input, say }) => {
    let since = awake.now()
    const stopHearing = awake.onWake((_slept, at) => {
      since = at
    })
    // output is stored in groups: what came at the last moment is known a little later
    const due = () => Math.max(since, lastOutputAt(input.attemptId) ?? 0) + input.silenceMs + groupCommitMs
    const stop = wakeAt(awake, due, () => say({ type: 'agent.silent' }))
    return () => {
      stopHearing()
      stop()
    }
  }),
})

/** Calls `speak` once `due()` has come, looking again when it has moved on meanwhile. */
const wakeAt = (awake: AwakeClock, due: () => number, speak: () => void): (() => void) => {
  let timer: NodeJS.Timeout
  let stopped = false
  const wait = () => {
    const left = due() - awake.now()
    timer = setTimeout(look, Math.min(Math.max(0, left), timerMaxMs))
  }
  const look = () => {
    awake.check()
    // who hears that the computer slept may have no use for this clock any more
    if (stopped) return
    if (due() > awake.now()) return wait()
    speak()
  }
  wait()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
