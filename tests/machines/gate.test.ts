import { createActor } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { GateContext } from '../../machines/gate/memory.ts'
import type { GateAsk } from '../../shared/gate.ts'
import { gateDeliveriesMax } from '../../shared/limits.ts'
import { event, now } from './events.ts'
import { changedByJson, missedBy, restarted, unguarded, unnamedChildren, type Restarted } from './law.ts'
import { Stage } from './stage.ts'
import { walk, type AnyEvent } from './walk.ts'

const ask: GateAsk = {
  gateId: 'gate:one', kind: 'permission',
  asker: { kind: 'attempt', id: 'run:1/1/a/1', runId: 'run:1', conversationId: 'talk:1', seat: 'a', agent: 'codex' },
  toolKind: 'execute', title: 'run a command', detail: 'make', reason: null, askedAt: now, expiresAt: now + 60_000,
  options: [
    { optionId: 'yes', effect: 'grant', name: 'allowOnce', takesNote: false, position: null },
    { optionId: 'no', effect: 'deny', name: 'deny', takesNote: true, position: null },
  ],
}

const yes = event('gate.answer', { optionId: 'yes', note: null })
const no = event('gate.answer', { optionId: 'no', note: 'not now' })
const events: AnyEvent[] = [
  yes, no,
  event('gate.answer', { optionId: 'perhaps', note: null }),
  event('gate.expired'), event('gate.withdraw'), event('gate.lost'),
  event('asker.ready'), event('asker.gone', { reason: 'askerLost' }),
  event('decision.applied'), event('decision.failed'), event('delivery.expired'),
]

describe('everywhere a gate can be', () => {
  const machine = new Stage('first').gate()
  const walks = [
    walk({ machine, input: ask, events: () => events, limit: 2_000 }),
    walk({ machine, input: { ...ask, expiresAt: null }, events: () => events, limit: 2_000 }),
  ]

  test('every state and every arrow is reached, and the walk ends by itself', () => {
    expect(missedBy('gate', walks)).toEqual([])
    expect(walks.every(({ closed }) => closed)).toBe(true)
  })

  test('nothing changes on its way through JSON, and every child has a name', () => {
    expect(changedByJson(machine, walks)).toEqual([])
    expect(unnamedChildren(walks)).toEqual([])
  })

  test('a restart hands nothing over by itself: an undelivered answer waits for its asker anew', () => {
    const wrong = restarted(walks, () => new Stage('second'), (stage) => stage.gate())
      .filter((each) => each.outside.length > 0 || each.leaf !== afterRestart(each))
    expect(wrong.map(({ from, leaf, outside }) => ({ from: from.leaf, leaf, outside }))).toEqual([])
  })

  test('no state is left without a rest, a fence, or a reason', () => {
    expect(unguarded('gate', {})).toEqual([])
  })

  test('the first answer is the decision for ever', () => {
    const changed = [...(walks[0]?.reached.values() ?? [])].filter(({ snapshot }) => {
      const { decision } = contextIn(snapshot)
      return decision !== null && !['yes', 'no'].includes(decision.optionId)
    })
    expect(changed).toEqual([])
  })
})

test.each([
  [no, 'answered', null],
  [event('gate.expired'), 'expired', 'expired'],
  [event('asker.gone', { reason: 'askerLost' }), 'expired', 'askerLost'],
  [event('asker.gone'), 'expired', 'askerGone'],
  [event('gate.withdraw'), 'withdrawn', 'withdrawn'],
  [event('gate.answer', { optionId: 'perhaps', note: null }), 'waiting', null],
])('%o leaves a waiting gate %s', (given, end, reason) => {
  const { value, context } = play(given)
  expect([value, context.endReason]).toEqual([end, reason])
})

test('a note goes with the decision, and a second answer changes nothing', () => {
  const once = play(no)
  expect(once.context.decision)
    .toEqual({ optionId: 'no', effect: 'deny', name: 'deny', note: 'not now', position: null, at: now })
  expect(play(no, yes).context).toEqual(once.context)
})

test('a decision is tried to be delivered a bounded number of times', () => {
  const tries = Array.from({ length: gateDeliveriesMax }, () => [event('asker.ready'), event('decision.failed')]).flat()
  expect(play(yes, ...tries.slice(0, -2)).value).toBe('answered')
  const { value, context } = play(yes, ...tries)
  expect([value, context.endReason]).toEqual(['expired', 'undeliverable'])
})

test('an answer that was on its way at a restart gets the whole time to be delivered again', () => {
  const later = now + 86_400_000
  expect(play(yes, { ...event('gate.lost'), at: later }).context.dueAt).toBe(later + 30_000)
})

const play = (...given: AnyEvent[]) => {
  const actor = createActor(new Stage('first').gate(), { input: ask }).start()
  for (const each of given) actor.send(each as never)
  return actor.getSnapshot()
}

const contextIn = (snapshot: string) => (JSON.parse(snapshot) as { context: GateContext }).context

const afterRestart = ({ from }: Restarted): string => {
  if (from.leaf !== 'applying') return from.leaf
  return contextIn(from.snapshot).deliveries < gateDeliveriesMax ? 'answered' : 'expired'
}
