import { createActor } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { AttemptContext, AttemptInput } from '../../machines/attempt/memory.ts'
import { attemptEvents, decision, event, failures, now, vote } from './events.ts'
import { changedByJson, missedBy, restarted, unguarded, unnamedChildren, type Restarted } from './law.ts'
import { Stage } from './stage.ts'
import { leafOf, walk } from './walk.ts'

const input = (more: Partial<AttemptInput> = {}): AttemptInput => ({
  attemptId: 'run:1/1/rehearsal:bold/1', runId: 'run:1', conversationId: 'talk:1', round: 1, seat: 'rehearsal:bold',
  agent: 'rehearsal:bold', allowWrite: false, mayContinue: true, maxTries: 2, launchesLeft: 2, capMs: 60_000,
  silenceMs: 10_000, at: now, ...more,
})

const lease = event('lease.granted')
const started = event('agent.started', { pid: 7, startedAt: now })
const streaming = [lease, started]
const asked = event('agent.asked', { gateId: 'gate:one' })
const answered = (effect: 'grant' | 'deny') =>
  event('gate.answered', { gateId: 'gate:one', decision: decision(effect) })
const finished = event('agent.finished', { stop: 'completed' })
const failed = (how: keyof typeof failures) => event('agent.failed', { failure: failures[how] })
const stop = event('attempt.stop', { reason: 'person' })
const shutdown = event('attempt.stop', { reason: 'shutdown' })
const gone = event('agent.gone', { began: true })
const kept = event('reply.kept', { vote: vote('agree'), noVote: null, textLength: 12, denials: 0 })

const kindsOfAttempt = [
  input({ allowWrite: true }),
  input({ mayContinue: false, maxTries: 1 }),
  input({ allowWrite: true, mayContinue: false, launchesLeft: 1 }),
]

describe('everywhere an attempt can be', () => {
  const walks = kindsOfAttempt.map((given) => walk({
    machine: new Stage('first').attempt({ alone: true }),
    input: given,
    events: (actor) => attemptEvents([actor.getSnapshot().context.gate?.gateId ?? 'gate:none', 'gate:another']),
    limit: 20_000,
  }))

  test('every state and every arrow is reached, and the walk ends by itself', () => {
    expect(missedBy('attempt', walks)).toEqual([])
    expect(walks.every(({ closed }) => closed)).toBe(true)
  })

  test('nothing changes on its way through JSON, and every child has a name', () => {
    expect(changedByJson(new Stage('first').attempt({ alone: true }), walks)).toEqual([])
    expect(unnamedChildren(walks)).toEqual([])
  })

  const back = restarted(walks, () => new Stage('second'), (stage) => stage.attempt({ alone: true }))

  test('a restart begins nothing and leads where its table says', () => {
    const wrong = back.filter((each) => each.leaf !== afterRestart(each) || each.outside.length > 0)
    expect(wrong.map(({ from, leaf, outside }) => ({ from: from.leaf, leaf, outside }))).toEqual([])
  })

  test('what was settling at a restart settles, and is not tried again', () => {
    const settling = back.filter(({ from }) => from.leaf === 'settling')
    const ends = new Set(settling.map(({ snapshot }) => {
      const machine = new Stage('second').attempt({ alone: true })
      const actor = createActor(machine, { snapshot: JSON.parse(snapshot) } as never).start()
      actor.send(event('reply.kept', { vote: null, noVote: 'missing', textLength: 3, denials: 0 }) as never)
      return leafOf(actor.getSnapshot().value)
    }))
    expect([...ends].toSorted()).toEqual(['completed', 'interrupted', 'partial', 'stopped'])
  })

  test('no state is left without a rest, a fence, or a reason', () => {
    expect(unguarded('attempt', {})).toEqual([])
  })

  test('launches never exceed what was set aside', () => {
    const contexts = walks.flatMap(({ reached }) => [...reached.values()].map(({ snapshot }) => contextIn(snapshot)))
    expect(contexts.filter(({ tries, launchesLeft }) => tries > launchesLeft)).toEqual([])
  })
})

describe('the first cause wins', () => {
  test('an agent that finished before the stop has completed', () => {
    expect(endOf(...streaming, finished, stop, gone, kept)).toBe('completed')
  })

  test('an agent that finished after the stop was stopped', () => {
    expect(endOf(...streaming, stop, finished, gone, kept)).toBe('stopped')
  })

  test('the first of two reasons to stop is the one that is told', () => {
    expect(endOf(...streaming, shutdown, stop, gone, kept)).toBe('interrupted')
    expect(endOf(...streaming, stop, shutdown, gone, kept)).toBe('stopped')
  })

  test('a failure that could be mended is not tried again once a person has stopped the turn', () => {
    expect(endOf(...streaming, failed('mends'), stop, gone, kept)).toBe('stopped')
  })
})

describe('one turn', () => {
  test('a stop while it is queued ends it at once, as passed over when the person took its floor only', () => {
    expect(endOf(stop)).toBe('stopped')
    expect(endOf(event('attempt.stop', { reason: 'passedOver' }))).toBe('skipped')
  })

  test('it is not over before the process is gone', () => {
    expect(endOf(...streaming, finished)).toBe('ending')
    expect(endOf(...streaming, stop, event('kill.expired'))).toBe('overdue')
    expect(endOf(...streaming, stop, event('kill.expired'), event('attempt.kill'), gone, kept)).toBe('stopped')
  })

  test('a rate limit is waited out, for as long as the server asks', () => {
    const failure = { ...failures.mends, retryAfterMs: 9_000 }
    const patient = play(...streaming, event('agent.failed', { failure }), gone, kept)
    expect(patient.value).toBe('backingOff')
    expect(patient.context.dueAt).toBe(now + 9_000)
  })

  test('a wait longer than the whole turn may take is not begun', () => {
    const failure = { ...failures.mends, retryAfterMs: 3_600_000 }
    expect(endOf(...streaming, event('agent.failed', { failure }), gone, kept)).toBe('failed')
  })

  test('a lost session is rebuilt once', () => {
    const again = [...streaming, failed('session'), gone, kept]
    expect(endOf(...again)).toBe('queued')
    expect(endOf(...again, ...again)).toBe('failed')
  })

  test('a refused login is never tried again', () => {
    expect(endOf(...streaming, failed('fatal'), gone, kept)).toBe('failed')
  })

  test('a writing turn whose outcome is unknown asks before it tries again', () => {
    const parked = play(input({ allowWrite: true }), ...streaming, failed('mends'), gone, kept)
    expect(parked.value).toBe('parked')
    expect(parked.context.gate?.ask).toMatchObject({ kind: 'retry', gateId: 'retry:run:1/1/rehearsal:bold/1:1' })
  })

  test('an answer for another gate, or a second answer, changes nothing', () => {
    const actor = createActor(new Stage('first').attempt({ alone: true }), { input: input() }).start()
    for (const each of [...streaming, asked]) actor.send(each as never)
    const waiting = actor.getSnapshot()
    actor.send(event('gate.answered', { gateId: 'gate:two', decision: decision('grant') }) as never)
    expect(actor.getSnapshot()).toBe(waiting)
    actor.send(answered('grant') as never)
    const resuming = actor.getSnapshot()
    actor.send(answered('deny') as never)
    expect(actor.getSnapshot()).toBe(resuming)
  })

  test('its clock stands still at a gate and goes on with what was left', () => {
    const waiting = play(...streaming, { ...asked, at: now + 20_000 })
    expect([waiting.context.capAt, waiting.context.capLeftMs]).toEqual([null, 40_000])
    const on = play(...streaming, { ...asked, at: now + 20_000 }, answered('grant'), { ...lease, at: now + 90_000 })
    expect(on.context.capAt).toBe(now + 130_000)
  })

  test('after sleep the cap is later by as long as the computer slept', () => {
    expect(play(...streaming, event('computer.woke', { sleptMs: 5_000 })).context.capAt).toBe(now + 65_000)
  })

  test('a gate whose asker leaves is told why, and one that will be asked about again is told nothing', () => {
    expect(farewell(stop)).toEqual([{ type: 'gate.withdraw', at: now }])
    expect(farewell(gone)).toEqual([{ type: 'asker.gone', reason: 'askerGone', at: now }])
    expect(farewell(event('attempt.lost'))).toEqual([])
    expect(farewell(event('attempt.lost'), { mayContinue: false }))
      .toEqual([{ type: 'asker.gone', reason: 'askerLost', at: now }])
    expect(farewell(answered('deny'))).toEqual([])
  })
})

describe('a turn that was parked by a restart', () => {
  const parked = [...streaming, asked, event('attempt.lost')]

  test('goes on with the decision when its gate is granted', () => {
    const on = play(...parked, answered('grant'), lease)
    expect(leafOf(on.value)).toBe('launching')
    expect(on.context.continues).toEqual({ gateId: 'gate:one', decision: decision('grant') })
  })

  test('goes on once: a second crash before the new process starts interrupts it', () => {
    expect(endOf(...parked, answered('grant'), event('attempt.lost'))).toBe('interrupted')
    expect(endOf(...parked, answered('grant'), lease, event('attempt.lost'))).toBe('interrupted')
  })

  test('is interrupted when its gate is denied or closed', () => {
    expect(endOf(...parked, answered('deny'))).toBe('interrupted')
    expect(endOf(...parked, event('gate.closed', { gateId: 'gate:one', reason: 'expired' }))).toBe('interrupted')
  })

  test('asks again when it may write and the approval is old, and then goes on with that approval', () => {
    const old = decision('grant', now - 8 * 24 * 3_600_000)
    const late = event('gate.answered', { gateId: 'gate:one', decision: old })
    const again = play(input({ allowWrite: true }), ...parked, late)
    expect(again.context.gate?.ask?.kind).toBe('retry')
    const yes = event('gate.answered', { gateId: again.context.gate?.gateId, decision: decision('grant') })
    expect(play(input({ allowWrite: true }), ...parked, late, yes).context.continues?.decision).toEqual(old)
    expect(leafOf(play(...parked, late).value)).toBe('queued')
  })
})

const afterRestart = ({ from: { leaf, snapshot } }: Restarted): string => {
  const { stopReason, mayContinue } = contextIn(snapshot)
  const stoppedByPerson = stopReason === 'person' || stopReason === 'passedOver'
  switch (leaf) {
    case 'ending':
    case 'overdue': return stoppedByPerson ? 'stopped' : 'interrupted'
    case 'awaitingGate':
    case 'resuming': return mayContinue ? 'parked' : 'interrupted'
    case 'settling':
    case 'parked': return leaf
    default: return 'interrupted'
  }
}

const contextIn = (snapshot: string): AttemptContext => (JSON.parse(snapshot) as { context: AttemptContext }).context

type Given = AttemptInput | ReturnType<typeof event>

const play = (...given: Given[]) => {
  const [first, ...rest] = given
  const alone = first && 'attemptId' in first ? first : input()
  const events = first && 'attemptId' in first ? rest : given
  const actor = createActor(new Stage('first').attempt({ alone: true }), { input: alone as AttemptInput }).start()
  for (const each of events) actor.send(each as never)
  return actor.getSnapshot()
}

const endOf = (...given: Given[]) => leafOf(play(...given).value)

const farewell = (last: Given, more: Partial<AttemptInput> = {}) => {
  const stage = new Stage('first')
  const actor = createActor(stage.attempt({ alone: true }), { input: input(more) }).start()
  for (const each of [...streaming, asked]) actor.send(each as never)
  const gate = stage.one('followGate')
  actor.send(last as never)
  return gate?.orders
}
