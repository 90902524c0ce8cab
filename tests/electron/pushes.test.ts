import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../electron/log.ts'
import { openPushFeed } from '../../electron/pushes.ts'
import type { Envelope, Push } from '../../shared/ipc.ts'
import { pushBatchMax, pushHeldMaxCharacters, pushIntervalMs, pushWaitingMax } from '../../shared/limits.ts'
import { FakeComposition } from '../fakes/composition.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nextFrame = () => vi.advanceTimersByTimeAsync(pushIntervalMs)

const feedInto = (send: (envelopes: readonly Envelope[]) => void | Promise<void>) => {
  const composition = new FakeComposition()
  const feed = openPushFeed({ source: (hear) => composition.onPush(hear), send, log: silentLog(), now: () => 7 })
  return { composition, feed }
}

const collecting = () => {
  const batches: Envelope[][] = []
  return { batches, ...feedInto((envelopes) => void batches.push([...envelopes])) }
}

test('what is pushed within one frame arrives as one batch, numbered by topic', async () => {
  const { composition, batches } = collecting()
  composition.push('gates.changed', { gates: [] })
  composition.push('agents.changed', { agents: [] })
  composition.push('gates.changed', { gates: [] })
  expect(batches).toEqual([])
  await nextFrame()
  expect(batches).toEqual([[
    { topic: 'gates.changed', seq: 1, at: 7, body: { gates: [] } },
    { topic: 'agents.changed', seq: 1, at: 7, body: { agents: [] } },
    { topic: 'gates.changed', seq: 2, at: 7, body: { gates: [] } },
  ]])
})

test('a full batch does not wait for the frame', async () => {
  const { composition, batches } = collecting()
  for (let count = 0; count < pushBatchMax + 1; count += 1) composition.push('gates.changed', { gates: [] })
  expect(batches.map((batch) => batch.length)).toEqual([pushBatchMax])
  await nextFrame()
  expect(batches.map((batch) => batch.length)).toEqual([pushBatchMax, 1])
})

test('while the window takes a batch the next ones wait, and arrive in order', async () => {
  const taken: number[] = []
  const gate = Promise.withResolvers<void>()
  const { composition } = feedInto(async (envelopes) => {
    await gate.promise
    taken.push(...envelopes.map(({ seq }) => seq))
  })
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  composition.push('gates.changed', { gates: [] })
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  expect(taken).toEqual([])
  gate.resolve()
  await nextFrame()
  expect(taken).toEqual([1, 2, 3])
})

/** A window that takes nothing until it is let. */
const stuck = () => {
  const taken: Envelope[] = []
  const gate = Promise.withResolvers<void>()
  const { composition } = feedInto(async (envelopes) => {
    await gate.promise
    taken.push(...envelopes)
  })
  const wakes = async () => {
    gate.resolve()
    await nextFrame()
    return taken
  }
  return { composition, wakes }
}

const said = (seq: number, delta: string): Push<'output.added'> =>
  ({ runId: 'run-one', rows: [{ attemptId: 'attempt-one', seq, at: 7, try: 1, item: { type: 'text', delta } }] })

test('a window that falls behind gets all that was said in few pushes, and no number is missing', async () => {
  const { composition, wakes } = stuck()
  const pieces = 20 * pushWaitingMax
  for (let seq = 1; seq <= pieces; seq += 1) {
    composition.push('output.added', said(seq, 'x'))
    composition.push('gates.changed', { gates: [] })
  }
  const taken = await wakes()
  expect(taken.length).toBeLessThanOrEqual(pushBatchMax + pushWaitingMax)
  const output = taken.filter((envelope) => envelope.topic === 'output.added')
  expect(output.flatMap(({ body }) => body.rows.map(({ seq }) => seq))).toEqual(
    Array.from({ length: pieces }, (_, index) => index + 1),
  )
  expect(output.map(({ seq }) => seq)).toEqual(output.map((_, index) => index + 1))
})

test('a window that falls far behind is told to read again, and nothing is held for it', async () => {
  const { composition, wakes } = stuck()
  const long = 'x'.repeat(pushHeldMaxCharacters / 10)
  for (let seq = 1; seq <= 25; seq += 1) composition.push('output.added', said(seq, long))
  composition.push('gates.changed', { gates: [] })
  const taken = await wakes()
  expect(JSON.stringify(taken).length).toBeLessThanOrEqual(pushHeldMaxCharacters * 1.1)
  expect(taken.map(({ topic }) => topic)).toContain('pushes.missed')
  expect(taken.at(-1)?.topic).toBe('gates.changed')
})

test('after a rest a push does not wait for the frame', async () => {
  const { composition, batches } = collecting()
  composition.push('gates.changed', { gates: [] })
  await vi.advanceTimersByTimeAsync(1)
  expect(batches.length).toBe(1)
  composition.push('gates.changed', { gates: [] })
  await vi.advanceTimersByTimeAsync(1)
  expect(batches.length).toBe(1)
  await nextFrame()
  expect(batches.length).toBe(2)
})

test('a batch that the window did not take does not hold up the next', async () => {
  const sent: number[] = []
  const { composition } = feedInto((envelopes) => {
    sent.push(...envelopes.map(({ seq }) => seq))
    if (sent.length === 1) throw new Error('the page is being reloaded')
  })
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  expect(sent).toEqual([1, 2])
})

test('keys that the contract does not name are stripped, and a body that breaks it is dropped', async () => {
  const { composition, batches } = collecting()
  composition.push('conversations.changed', { rows: [], removed: ['c1'], folder: '/home' } as never)
  composition.push('gates.changed', { gates: 'many' } as never)
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  expect(batches.flat().map(({ topic, seq, body }) => [topic, seq, body])).toEqual([
    ['conversations.changed', 1, { rows: [], removed: ['c1'] }],
    ['gates.changed', 1, { gates: [] }],
  ])
})

test('a closed feed sends nothing more', async () => {
  const { composition, batches, feed } = collecting()
  composition.push('gates.changed', { gates: [] })
  feed.close()
  composition.push('gates.changed', { gates: [] })
  await nextFrame()
  expect(batches).toEqual([])
})
