import { describe, expect, test } from 'vitest'
import { emptyModel, type Model } from '../../renderer/state/model.ts'
import { withPushes } from '../../renderer/state/push.ts'
import { withConversation, withEvents, withRun, withSnapshot } from '../../renderer/state/read.ts'
import type { Failure } from '../../shared/errors.ts'
import type { Envelope, Push } from '../../shared/ipc.ts'
import { now } from '../window/fixtures/parts.ts'
import { running } from '../window/fixtures/scenes.ts'

const runId = 'r-thumbs'
const streamingId = `a-${runId}-3-sceptic`
const view = running.conversations['c-thumbs']!
const read = (): Model => withConversation(withSnapshot(emptyModel, running.snapshot), view, 'newest')
const runOf = (model: Model) => model.world!.runs[runId]!
const streaming = (model: Model) => runOf(model).turns.find(({ attemptId }) => attemptId === streamingId)!

const output = (seq: number, outputSeq: number, delta: string): Envelope => ({
  topic: 'output.added',
  seq,
  at: now,
  body: { runId, rows: [{ attemptId: streamingId, seq: outputSeq, at: now, try: 1, item: { type: 'text', delta } }] },
})
const changed = (seq: number, patch: Partial<Push<'run.changed'>>): Envelope => ({
  topic: 'run.changed',
  seq,
  at: now,
  body: { run: view.runs[0]!.run, actors: [], turns: [], events: [], seq: view.runs[0]!.seq, ...patch },
})

describe('output', () => {
  test('is appended in order to the turn it belongs to', () => {
    const before = streaming(read()).text
    const after = streaming(withPushes(read(), [output(1, 7, ' to'), output(2, 8, ' the reader.')]))
    expect(after).toMatchObject({ text: `${before} to the reader.`, outputSeq: 8, lastOutputAt: now })
  })

  test('starts the clock of silence anew, the first piece too', () => {
    const model = read()
    const turn = streaming(model)
    const quiet = { ...turn, lastOutputAt: null, silenceAt: now - 60_000 + 300_000 }
    const run = runOf(model)
    const before: Model = {
      ...model,
      world: {
        ...model.world!,
        runs: { [runId]: { ...run, turns: run.turns.map((one) => (one === turn ? quiet : one)) } },
      },
    }
    expect(streaming(withPushes(before, [output(1, 7, ' to')])).silenceAt).toBe(now + run.run.policy.silenceMs)
  })

  test('that was already in the text is not appended again', () => {
    const once = withPushes(read(), [output(1, 7, ' once')])
    expect(streaming(withPushes(once, [output(2, 7, ' once'), output(3, 6, ' older')])).text).toBe(streaming(once).text)
  })

  test('that replaces the text replaces it', () => {
    const replaced: Envelope = {
      topic: 'output.added',
      seq: 1,
      at: now,
      body: {
        runId,
        rows: [{ attemptId: streamingId, seq: 9, at: now, try: 1, item: { type: 'textReplaced', text: 'Only this.' } }],
      },
    }
    expect(streaming(withPushes(read(), [replaced]))).toMatchObject({ text: 'Only this.', textLength: 10 })
  })

  test('of an attempt that is not known yet asks for the run to be read', () => {
    const foreign: Envelope = {
      topic: 'output.added',
      seq: 1,
      at: now,
      body: { runId, rows: [{ attemptId: 'a-new', seq: 1, at: now, try: 1, item: { type: 'text', delta: 'x' } }] },
    }
    expect(withPushes(read(), [foreign]).staleRuns).toEqual([runId])
  })
})

describe('sequence', () => {
  test('a repeated envelope changes nothing', () => {
    const once = withPushes(read(), [output(4, 7, ' a')])
    expect(withPushes(once, [output(4, 8, ' b'), output(3, 9, ' c')])).toBe(once)
  })

  test('a hole in a topic marks everything to be read again', () => {
    const model = withPushes(read(), [output(1, 7, ' a'), output(3, 9, ' c')])
    expect(model.missed).toBe(true)
    expect(withSnapshot(model, running.snapshot).missed).toBe(false)
  })

  test('main\'s word that pushes were let go marks everything to be read again', () => {
    expect(withPushes(read(), [{ topic: 'pushes.missed', seq: 1, at: now, body: {} }]).missed).toBe(true)
  })

  test('each topic counts for itself', () => {
    expect(withPushes(read(), [output(8, 7, ' a'), changed(1, {})]).missed).toBe(false)
  })
})

describe('a changed run', () => {
  test('takes the newer status of its turns and keeps the longer text', () => {
    const { text: _text, ...turn } = streaming(read())
    const patch = { ...turn, status: 'settling' as const, text: '', outputSeq: 2 }
    const longer = withPushes(read(), [output(1, 7, ' and on')])
    const after = streaming(withPushes(longer, [changed(1, { turns: [patch], seq: 99 })]))
    expect(after).toMatchObject({ status: 'settling', text: streaming(longer).text, outputSeq: 7 })
  })

  test('leaves the text as it is where the patch has none', () => {
    const turn = streaming(read())
    const after = streaming(
      withPushes(read(), [changed(1, { turns: [{ ...turn, text: null, outputSeq: 20 }], seq: 99 })]),
    )
    expect(after.text).toBe(turn.text)
  })

  test('that was said before what was read is left out', () => {
    const old = changed(1, { run: { ...view.runs[0]!.run, status: 'stopping' }, seq: 1 })
    expect(runOf(withPushes(read(), [old])).run.status).toBe('running')
  })

  test('moves only the actors it names', () => {
    const actor = { machine: 'round' as const, actor: `${runId}/3`, value: 'stopping', last: null }
    const after = runOf(withPushes(read(), [changed(1, { actors: [actor], seq: 99 })]))
    expect(after.actors).toHaveLength(runOf(read()).actors.length)
    expect(after.actors).toContainEqual(actor)
  })

  test('appends its transitions where none is missing, and asks for them where one is', () => {
    const events = running.events[runId]!
    const known = withEvents(read(), runId, events, true)
    const next = { ...events.at(-1)!, seq: events.length + 1 }
    const later = { ...next, seq: events.length + 3 }
    expect(runOf(withPushes(known, [changed(1, { events: [next], seq: next.seq })])).events).toHaveLength(
      events.length + 1,
    )
    expect(runOf(withPushes(known, [changed(1, { events: [later], seq: later.seq })]))).toMatchObject({
      eventsRead: false,
      events,
    })
  })

  test('that is new is shown in its open conversation and read once', () => {
    const run = { ...view.runs[0]!.run, runId: 'r-next' }
    const model = withPushes(read(), [changed(1, { run, seq: 1 })])
    expect(model.world!.conversations['c-thumbs']!.runIds).toEqual([runId, 'r-next'])
    expect(model.staleRuns).toEqual(['r-next'])
    expect(withRun(model, { run, images: [], actors: [], turns: [], seq: 1, detail: 'whole' }).staleRuns).toEqual([])
  })

  test('of a conversation that is not open is not kept', () => {
    const run = { ...view.runs[0]!.run, runId: 'r-far', conversationId: 'c-far' }
    expect(withPushes(read(), [changed(1, { run })]).world!.runs['r-far']).toBeUndefined()
  })
})

test('a deleted conversation leaves the list and what was open of it', () => {
  const gone: Envelope = { topic: 'conversations.changed', seq: 1, at: now, body: { rows: [], removed: ['c-thumbs'] } }
  const { world } = withPushes(read(), [gone])
  expect(world!.rows.map(({ conversationId }) => conversationId)).not.toContain('c-thumbs')
  expect(world!.conversations).toEqual({})
})

test('older runs are put before those that are shown, and the place is kept', () => {
  const older = { ...view.runs[0]!, run: { ...view.runs[0]!.run, runId: 'r-older' } }
  const model = withConversation(read(), { ...view, runs: [older], older: 'even older' }, 'older')
  expect(model.world!.conversations['c-thumbs']).toMatchObject({ runIds: ['r-older', runId], older: 'even older' })
})

test('a record that takes writes again is read anew, and the banner is gone with the push that says so', () => {
  const told = (seq: number, failure: Failure | null): Envelope => ({
    topic: 'app.changed', seq, at: now, body: { app: { ...running.snapshot.app, readOnly: failure } },
  })
  const full = { code: 'ledger.unwritable', message: 'The disk is full.' } as const
  const refused = withPushes(read(), [told(1, full)])
  expect([refused.world?.app.readOnly, refused.missed]).toEqual([full, false])
  const back = withPushes(refused, [told(2, null)])
  expect([back.world?.app.readOnly, back.missed]).toEqual([null, true])
})
