import { array, assert, constantFrom, integer, property, record, string, type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { coalesced, type Unsent } from '../../electron/coalesce.ts'
import { emptyModel, type Model } from '../../renderer/state/model.ts'
import { withPushes } from '../../renderer/state/push.ts'
import { withConversation, withEvents, withSnapshot } from '../../renderer/state/read.ts'
import type { Envelope, Push, PushName } from '../../shared/ipc.ts'
import { now } from '../window/fixtures/parts.ts'
import { running } from '../window/fixtures/scenes.ts'
import { event } from './stores/records.ts'

const view = running.conversations['c-thumbs']!
const { run, turns } = view.runs[0]!
const speakers = turns.slice(-2)
const row = running.snapshot.conversations[0]!

/** What the window had read before anything is pushed, the run's transitions included. */
const read = (): Model =>
  withEvents(withConversation(withSnapshot(emptyModel, running.snapshot), view, 'newest'), run.runId, [], true)

/** What main may push, one after another, as true as it is at each moment. */
const steps = array(
  record({
    what: constantFrom('output', 'replaced', 'tool', 'moved', 'moved without text', 'row', 'removed', 'settings'),
    who: integer({ min: 0, max: 1 }),
    words: string({ maxLength: 6 }),
  }),
  { maxLength: 60 },
)
type Step = typeof steps extends Arbitrary<(infer One)[]> ? One : never

const pushesOf = (taken: readonly Step[]): Unsent[] => {
  const said = speakers.map(({ text, outputSeq }) => ({ text, outputSeq }))
  let seq = 0
  return taken.map(({ what, who, words }, index): Unsent => {
    const push = <N extends PushName>(topic: N, body: Push<N>) => ({ topic, body, at: now, weight: 10 }) as Unsent
    const [turn, own] = [speakers[who]!, said[who]!]
    const { attemptId } = turn
    const output = (item: Push<'output.added'>['rows'][number]['item']) => {
      own.outputSeq += 1
      return push('output.added', {
        runId: run.runId, rows: [{ attemptId, seq: own.outputSeq, at: now + index, try: 1, item }],
      })
    }
    if (what === 'output') {
      own.text += words
      return output({ type: 'text', delta: words })
    }
    if (what === 'replaced') {
      own.text = words
      return output({ type: 'textReplaced', text: words })
    }
    if (what === 'tool') {
      const tool = { toolId: words, kind: 'read', title: words, status: 'done', detail: null } as const
      return output({ type: 'tool', tool })
    }
    if (what === 'row') return push('conversations.changed', { rows: [{ ...row, name: words }], removed: [] })
    if (what === 'removed') return push('conversations.changed', { rows: [], removed: [`c-${words}`] })
    if (what === 'settings') {
      return push('settings.changed', { settings: { ...running.snapshot.settings, panelOpen: who === 0 } })
    }
    seq += 1
    const text = what === 'moved' ? own.text : null
    return push('run.changed', {
      run: { ...run, round: index + 1 },
      actors: [],
      turns: [{
        ...turn, text, outputSeq: own.outputSeq, denials: index, lastOutputAt: now + index, textLength: own.text.length,
      }],
      events: [event(run.runId, seq)],
      seq: 1_000 + seq,
    })
  })
}

const numbered = (waiting: readonly Unsent[]): Envelope[] =>
  waiting.map(({ topic, at, body }, index) => ({ topic, at, body, seq: index + 1 }) as Envelope)

/** Each topic counts for itself; here one count serves them all, so holes are of no interest. */
const worldAfter = (waiting: readonly Unsent[]) => {
  const { world } = withPushes(read(), numbered(waiting))
  const open = world?.runs[run.runId]
  return {
    round: open?.run.round,
    events: open?.events,
    turns: open?.turns.map(({ attemptId, text, outputSeq, denials }) => ({ attemptId, text, outputSeq, denials })),
    work: open?.work,
    rows: world?.rows,
    settings: world?.settings,
  }
}

test('fewer pushes leave the window as all of them would', () => {
  assert(
    property(steps, (taken) => {
      const waiting = pushesOf(taken)
      expect(worldAfter(coalesced(waiting))).toEqual(worldAfter(waiting))
    }),
  )
})

test('put together twice they say the same as put together once', () => {
  assert(
    property(steps, steps, (first, second) => {
      const waiting = pushesOf([...first, ...second])
      const twice = coalesced([...coalesced(waiting.slice(0, first.length)), ...waiting.slice(first.length)])
      expect(worldAfter(twice)).toEqual(worldAfter(waiting))
    }),
  )
})

test('however many there are, one is left of each thing that changed', () => {
  const many = Array.from({ length: 300 }, (_, index): Step => ({
    what: (['output', 'moved', 'row', 'settings'] as const)[index % 4]!, who: index % 2, words: 'more ',
  }))
  expect(coalesced(pushesOf(many)).map(({ topic }) => topic).toSorted()).toEqual([
    'conversations.changed', 'output.added', 'run.changed', 'settings.changed',
  ])
})
