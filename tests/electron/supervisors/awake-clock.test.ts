import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AwakeClock } from '../../../electron/supervisors/awake-clock.ts'
import { clocks } from '../../../electron/wiring/clocks.ts'
import { fenceOf } from '../../../electron/wiring/fence.ts'
import { groupCommitMs } from '../../../shared/limits.ts'
import { createActor, setup } from 'xstate'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const said = (actor: 'deadline' | 'watchSilence', input: object, lastOutputAt: () => number | null = () => null) => {
  const awake = new AwakeClock(Date.now)
  const logic = clocks(fenceOf('boot', Date.now), awake, lastOutputAt)[actor]
  const heard: string[] = []
  const machine = setup({
    actors: { clock: logic },
    actions: {
      hear: ({ event }) => {
        heard.push(event.type)
      },
    },
  }).createMachine({
    invoke: { src: 'clock', input: () => input as never },
    on: { '*': { actions: 'hear' } },
  })
  const started = createActor(machine).start()
  return { awake, heard, actor: started }
}

test('a deadline speaks once at its absolute time, also one that lies in the past', () => {
  const { heard } = said('deadline', { at: 1_060_000, event: 'cap.expired' })
  vi.advanceTimersByTime(59_000)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(heard).toEqual(['cap.expired'])
  const late = said('deadline', { at: 5, event: 'cap.expired' })
  vi.advanceTimersByTime(1)
  expect(late.heard).toEqual(['cap.expired'])
})

test('a deadline further away than a timer can count still speaks only at its time', () => {
  const month = 25 * 24 * 3_600_000
  const { awake, heard } = said('deadline', { at: 1_000_000 + month, event: 'gate.expired' })
  // nobody sleeps here: a month of its looks at the time would only cost seconds
  awake.stop()
  vi.advanceTimersByTime(month - 1_000)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(heard).toEqual(['gate.expired'])
})

test('silence is counted from the last output', () => {
  let last = 1_000_000
  const { heard } = said('watchSilence', { attemptId: 'a', silenceMs: 60_000 }, () => last)
  vi.advanceTimersByTime(50_000)
  last = Date.now()
  vi.advanceTimersByTime(50_000)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(10_000 + groupCommitMs)
  expect(heard).toEqual(['agent.silent'])
})

test('what was said at the last moment, and is stored a little later, is no silence', () => {
  let last = 1_000_000
  const { heard } = said('watchSilence', { attemptId: 'a', silenceMs: 60_000 }, () => last)
  vi.advanceTimersByTime(60_000)
  last += 59_990
  vi.advanceTimersByTime(59_000)
  expect(heard).toEqual([])
})

test('a clock that is disposed of while it looks at the time is silent for good, and asks nobody again', () => {
  let asked = 0
  const { heard, awake, actor } = said('watchSilence', { attemptId: 'a', silenceMs: 60_000 }, () => {
    asked += 1
    return null
  })
  awake.onWake(() => actor.stop())
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  vi.advanceTimersByTime(groupCommitMs)
  const before = asked
  vi.advanceTimersByTime(10 * 60_000)
  expect([heard, asked]).toEqual([[], before])
})

test('a night asleep is no silence: the watch begins anew when the computer wakes', () => {
  const { heard, awake } = said('watchSilence', { attemptId: 'a', silenceMs: 60_000 })
  const slept: number[] = []
  awake.onWake((sleptMs) => slept.push(sleptMs))
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  vi.advanceTimersByTime(59_000)
  expect(heard).toEqual([])
  expect(slept).toHaveLength(1)
  expect(slept[0]).toBeGreaterThan(7.9 * 3_600_000)
  vi.advanceTimersByTime(2_000 + groupCommitMs)
  expect(heard).toEqual(['agent.silent'])
})

/** A system whose timers go on while it sleeps, so that all of them are due when it wakes. */
const sleepsAtOnce = (event: string) => {
  const due: (() => void)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void) => due.push(wake)) as never)
  const { heard, awake: clock } = said('deadline', { at: 1_030_000, event })
  for (const at of [1_004_000, 1_008_000, 1_010_000]) {
    vi.setSystemTime(at)
    clock.check()
  }
  const wakeUp = () => {
    for (const wake of due.splice(0)) wake()
  }
  vi.setSystemTime(1_010_000 + 8 * 3_600_000)
  wakeUp()
  const atOnce = [...heard]
  for (let awake = 0; awake < 24_000; awake += 4_000) {
    vi.setSystemTime(Date.now() + 4_000)
    wakeUp()
  }
  vi.mocked(setTimeout).mockRestore()
  return { atOnce, later: heard }
}

test.each([
  'wait.expired', 'delivery.expired', 'settling.expired', 'kill.expired', 'preflight.expired',
])('a night asleep makes nothing late that is being done: %s', (event) => {
  expect(sleepsAtOnce(event)).toEqual({ atOnce: [], later: [event] })
})

test.each(['gate.expired', 'backoff.passed', 'minutes.due'])('the calendar goes on in a night asleep: %s', (event) => {
  expect(sleepsAtOnce(event)).toMatchObject({ atOnce: [event] })
})
