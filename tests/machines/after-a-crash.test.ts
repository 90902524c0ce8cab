import { createActor, type AnyActorRef } from 'xstate'
import { expect, test } from 'vitest'
import type { RunInput } from '../../machines/blanks.ts'
import { decision, now, vote } from './events.ts'
import { Stage } from './stage.ts'
import { leafOf, persist } from './walk.ts'

const seats = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic'] as const
const input = (blindFirst: boolean): RunInput => ({
  runId: 'run:1', conversationId: 'talk:1', messageId: 'message:1', topic: 'Tabs or spaces?', followUpOf: null, at: now,
  policy: { rounds: 2, consensus: true, blindFirst, allowWrite: false, silenceMs: 10_000, capMs: 60_000 },
  seats: seats.map((seat) => ({ seat, agent: seat, standing: 'seated' })),
  mayContinue: Object.fromEntries(seats.map((seat) => [seat, true])),
})
const idOf = (seat: string, round = 1) => `run:1/${round}/${seat}/1`

/** A run in its first round, with everybody who has the floor streaming. */
const streaming = (blindFirst: boolean) => {
  const stage = new Stage('first')
  const run = createActor(stage.run(), { input: input(blindFirst) }).start()
  stage.one('preflight')?.say({ type: 'preflight.passed' })
  stage.one('acceptTask')?.say({ type: 'task.accepted' })
  launch(stage)
  return { stage, run }
}

const launch = (stage: Stage) => {
  for (const lease of stage.playing.filter(({ actor }) => actor === 'holdLease')) lease.say({ type: 'lease.granted' })
  for (const agent of stage.playing.filter(({ actor }) => actor === 'runAgent')) {
    agent.say({ type: 'agent.started', pid: 7, startedAt: now })
  }
}

const ask = (stage: Stage, seat: string) =>
  stage.one('runAgent', idOf(seat))?.say({ type: 'agent.asked', gateId: `gate:${seat}` })

const answer = (stage: Stage, seat: string, effect: 'grant' | 'deny') => stage.playing
  .find(({ actor, input: given }) => actor === 'followGate' && given['gateId'] === `gate:${seat}`)
  ?.say({ type: 'gate.answered', gateId: `gate:${seat}`, decision: decision(effect) })

const restart = (run: AnyActorRef, onBegin: Stage['onBegin'] = () => undefined) => {
  const snapshot = JSON.parse(persist(run))
  run.stop()
  const stage = new Stage('second')
  stage.onBegin = onBegin
  return { stage, run: createActor(stage.run(), { snapshot } as never).start() }
}

const complete = (stage: Stage, attemptId: string) => {
  const agent = stage.one('runAgent', attemptId)
  agent?.say({ type: 'agent.finished', stop: 'completed' })
  agent?.say({ type: 'agent.gone', began: true })
  const kept = { vote: vote('agree'), noVote: null, textLength: 9, denials: 0 }
  stage.one('keepReply', attemptId)?.say({ type: 'reply.kept', ...kept })
}

/** Where every turn of the round is, by seat. */
const turns = (run: AnyActorRef): Record<string, string> => {
  const round: AnyActorRef = run.getSnapshot().children.round
  const { results } = round.getSnapshot().context
  return {
    ...Object.fromEntries(Object.entries<{ status: string }>(results).map(([seat, { status }]) => [seat, status])),
    ...Object.fromEntries(Object.values<AnyActorRef>(round.getSnapshot().children)
      .map((attempt) => [attempt.getSnapshot().context.seat, leafOf(attempt.getSnapshot().value)])),
  }
}

test('three streaming turns are interrupted, and so is their run', () => {
  const { stage, run } = restart(streaming(true).run)
  stage.one('writeMinutes')?.say({ type: 'minutes.written' })
  expect(run.getSnapshot()).toMatchObject({ value: 'interrupted', context: { reason: { code: 'app.restarted' } } })
})

test('a turn at its gate is parked while the others are interrupted, and its approval goes on with the round', () => {
  const before = streaming(true)
  ask(before.stage, 'rehearsal:careful')
  const { stage, run } = restart(before.run)
  expect(turns(run)).toEqual({
    'rehearsal:bold': 'interrupted', 'rehearsal:careful': 'parked', 'rehearsal:sceptic': 'interrupted',
  })
  answer(stage, 'rehearsal:careful', 'grant')
  launch(stage)
  complete(stage, idOf('rehearsal:careful'))
  expect(run.getSnapshot().context).toMatchObject({ round: 2, stop: null })
})

test('an approval given before the crash lets its turn go on at the restart, and the next seats after it', () => {
  const before = streaming(false)
  ask(before.stage, 'rehearsal:bold')
  answer(before.stage, 'rehearsal:bold', 'grant')
  // the gate tells the same decision to whoever follows it now
  const { stage, run } = restart(before.run, ({ actor, input: given, say }) => {
    if (actor === 'followGate') say({ type: 'gate.answered', gateId: given['gateId'], decision: decision('grant') })
  })
  expect(turns(run)).toEqual({ 'rehearsal:bold': 'queued' })
  launch(stage)
  expect(stage.one('runAgent')?.input).toMatchObject({ continues: { gateId: 'gate:rehearsal:bold' } })
  complete(stage, idOf('rehearsal:bold'))
  expect(turns(run)).toEqual({ 'rehearsal:bold': 'completed', 'rehearsal:careful': 'queued' })
})

test('a parked turn whose gate is denied ends the round as interrupted, and nobody else is called', () => {
  const before = streaming(false)
  ask(before.stage, 'rehearsal:bold')
  const { stage, run } = restart(before.run)
  answer(stage, 'rehearsal:bold', 'deny')
  stage.one('writeMinutes')?.say({ type: 'minutes.written' })
  expect(run.getSnapshot().value).toBe('interrupted')
  expect(stage.begun.filter((actor) => actor === 'holdLease')).toEqual([])
})

test('a stop that a crash cut short is still a stop', () => {
  const before = streaming(true)
  before.run.send({ type: 'run.stop', runId: 'run:1', at: now })
  const { stage, run } = restart(before.run)
  stage.one('writeMinutes')?.say({ type: 'minutes.written' })
  expect(run.getSnapshot()).toMatchObject({ value: 'stopped', context: { stop: { kind: 'person' } } })
})
