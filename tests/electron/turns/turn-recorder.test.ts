import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TurnRecorder } from '../../../electron/turns/turn-recorder.ts'
import { groupCommitMs } from '../../../shared/limits.ts'
import type { OutputRow } from '../../../shared/view.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const recorderOf = (more: { keep?: (rows: OutputRow[]) => void; try?: number } = {}) => {
  const kept: OutputRow[] = []
  const shown: OutputRow[] = []
  const failures: unknown[] = []
  const recorder = new TurnRecorder({
    attemptId: 'run_1/1/codex/1',
    try: more.try ?? 1,
    nonce: 'word',
    lastSeq: 4,
    now: Date.now,
    keep:
      more.keep
      ?? ((rows) => {
        kept.push(...rows)
      }),
    show: (rows) => {
      shown.push(...rows)
    },
    failed: (error) => {
      failures.push(error)
    },
  })
  return { recorder, kept, shown, failures }
}

test('pieces of text within one group become one row, kept before it is shown', () => {
  const { recorder, kept, shown } = recorderOf()
  recorder.hear({ type: 'text', delta: 'Hello, ' })
  recorder.hear({ type: 'text', delta: 'world.' })
  expect(shown).toEqual([])
  vi.advanceTimersByTime(groupCommitMs)
  expect(kept).toMatchObject([{ seq: 5, item: { type: 'text', delta: 'Hello, world.' } }])
  expect(shown).toEqual(kept)
})

test('a vote is read from the whole turn and never among the rows, however it was cut', () => {
  const { recorder, kept } = recorderOf()
  const turn =
    'Yes.\n[[parley-vote word]] {"choice":"agree","position":"Do it","changed":false,"why":""} [[/parley-vote]]'
  for (const character of turn) recorder.hear({ type: 'text', delta: character })
  const { text, reading } = recorder.finish()
  expect(text.trim()).toBe('Yes.')
  expect(reading.vote).toMatchObject({ choice: 'agree', position: 'Do it' })
  expect(JSON.stringify(kept)).not.toContain('parley-vote')
})

test('what cannot be kept is not shown, and is said once', () => {
  const { recorder, shown, failures } = recorderOf({
    keep: () => {
      throw new Error('disk full')
    },
  })
  recorder.hear({ type: 'text', delta: 'one' })
  recorder.flush()
  recorder.hear({ type: 'text', delta: 'two' })
  recorder.flush()
  expect(shown).toEqual([])
  expect(failures).toHaveLength(1)
})

test('a further try begins the answer anew', () => {
  const { recorder, kept } = recorderOf({ try: 2 })
  recorder.hear({ type: 'text', delta: 'Again.' })
  recorder.flush()
  expect(kept.map(({ item }) => item)).toEqual([
    { type: 'textReplaced', text: '' },
    { type: 'text', delta: 'Again.' },
  ])
})
