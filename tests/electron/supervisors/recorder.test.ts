import { expect, onTestFinished, test, vi } from 'vitest'
import { assign, createActor, createMachine } from 'xstate'
import { Recorder, type Cut } from '../../../electron/supervisors/recorder.ts'
import { AppError, type Failure } from '../../../shared/errors.ts'
import { cutGroupMs } from '../../../shared/limits.ts'

/** A machine that counts, under the name of one that the ledger knows. */
const counting = createMachine({
  id: 'gate',
  context: { count: 0 },
  on: { step: { actions: assign({ count: ({ context }) => context.count + 1 }) } },
})

const recording = ({ sync = async () => undefined }: { sync?: () => Promise<void> } = {}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const cuts: Cut[] = []
  const shown: Cut[] = []
  const failed: Failure[] = []
  const disk = { isFull: false }
  const recorder = new Recorder({
    sync,
    commit: (cut) => {
      if (disk.isFull) throw new AppError('ledger.unwritable', 'The disk is full.')
      cuts.push(cut)
    },
    show: (cut) => shown.push(cut),
    failed: (failure) => failed.push(failure),
    idOf: () => 'gate:one',
    lastSeq: () => 0,
    now: () => 1,
  })
  const watched = recorder.watch('gate:one', 'gate', 1)
  const actor = createActor(counting, { inspect: watched.inspect })
  watched.attach(actor, false)
  actor.start()
  return { recorder, actor, cuts, shown, failed, disk }
}

test('what nobody waits for is written together, with every step of it', async () => {
  const { actor, cuts, shown } = recording()
  for (let step = 0; step < 3; step += 1) actor.send({ type: 'step' })
  await vi.advanceTimersByTimeAsync(cutGroupMs - 1)
  expect(cuts).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(cuts.map(({ events }) => events.map(({ seq }) => seq))).toEqual([[1, 2, 3, 4]])
  expect(JSON.parse(cuts[0]?.snapshots[0]?.snapshot ?? '')).toMatchObject({ context: { count: 3 } })
  expect(shown).toEqual(cuts)
})

test('what somebody waits for is written at once, and on the disk when they are told', async () => {
  const disk = Promise.withResolvers<void>()
  const { recorder, actor, cuts } = recording({ sync: () => disk.promise })
  actor.send({ type: 'step' })
  let told = false
  const durable = recorder.durable().then(() => (told = true))
  await recorder.written()
  expect([cuts.length, told]).toEqual([1, false])
  disk.resolve()
  await durable
  expect(told).toBe(true)
  await vi.advanceTimersByTimeAsync(cutGroupMs)
  expect(cuts).toHaveLength(1)
})

test('a machine that has settled leaves its last step and no snapshot to come back to', async () => {
  const { recorder, actor, cuts } = recording()
  await recorder.durable()
  actor.send({ type: 'step' })
  actor.stop()
  await recorder.durable()
  expect(cuts.at(-1)?.snapshots).toMatchObject([{ live: false, snapshot: 'null' }])
})

test('what is laid to rest leaves its last step as it was before it was stopped, and nothing after it', async () => {
  const { recorder, actor, cuts } = recording()
  actor.send({ type: 'step' })
  recorder.rest()
  actor.send({ type: 'step' })
  actor.stop()
  await recorder.durable()
  await vi.advanceTimersByTimeAsync(cutGroupMs)
  expect(cuts.flatMap(({ snapshots }) => snapshots)).toMatchObject([{ live: true }])
})

test.each(['commit', 'sync'] as const)('after a %s that failed, nothing is written or shown any more', async (what) => {
  const refusal = new AppError('ledger.unwritable', 'The disk is full.')
  let isBroken = false
  const { recorder, actor, shown, failed, disk } = recording({
    sync: async () => {
      if (isBroken && what === 'sync') throw refusal
    },
  })
  await recorder.durable()
  isBroken = true
  disk.isFull = what === 'commit'
  actor.send({ type: 'step' })
  await expect(recorder.durable()).rejects.toThrow('The disk is full.')
  const before = shown.length
  actor.send({ type: 'step' })
  await expect(recorder.durable()).rejects.toThrow('The disk is full.')
  expect(shown).toHaveLength(before)
  expect(failed).toMatchObject([{ code: 'ledger.unwritable' }])
})
