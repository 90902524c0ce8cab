import { expect, test } from 'vitest'
import { ask, Disk, Start } from './one-asker.ts'

test('an answer reaches the agent that asked', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  await start.gates.answer(ask.gateId, 'yes', null)
  await start.calm()
  expect(start.now).toEqual({ attempt: 'resuming', gate: 'applied' })
  start.say('lease.granted')
  expect(start.stage.one('runAgent')?.orders).toMatchObject([{ type: 'gate.deliver', decision: { effect: 'grant' } }])
})

test('a gate that waits at a crash is still there, and its answer lets the parked turn go on once', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait()
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'parked', gate: 'waiting' })
  expect(second.stage.begun.filter((actor) => actor === 'runAgent')).toEqual([])
  await second.gates.answer(ask.gateId, 'yes', null)
  await second.calm()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
  second.say('lease.granted')
  expect(second.stage.one('runAgent')?.input)
    .toMatchObject({ try: 2, continues: { gateId: ask.gateId, decision: { effect: 'grant' } } })
})

test('an answer that a crash caught before its delivery is delivered by the next start', async () => {
  const disk = new Disk()
  const first = new Start('first', disk)
  await first.wait()
  first.holdDelivery = true
  await first.gates.answer(ask.gateId, 'yes', null)
  await first.calm()
  expect(first.now).toEqual({ attempt: 'awaitingGate', gate: 'applying' })
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
})

test('an answer that was taken before the crash lets the turn go on, though the agent never heard it', async () => {
  const disk = new Disk()
  const first = new Start('first', disk)
  await first.wait()
  await first.gates.answer(ask.gateId, 'yes', null)
  await first.calm()
  expect(first.now).toEqual({ attempt: 'resuming', gate: 'applied' })
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'queued', gate: 'applied' })
})

test('a turn that went on and was caught by a second crash is interrupted, not asked again', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait()
  const second = new Start('second', disk)
  await second.restore()
  await second.gates.answer(ask.gateId, 'yes', null)
  await second.calm()
  const third = new Start('third', disk)
  await third.restore()
  expect(third.now).toEqual({ attempt: 'interrupted', gate: 'applied' })
})

test('a gate whose asker cannot be continued after a crash expires with that reason', async () => {
  const disk = new Disk()
  await new Start('first', disk).wait(false)
  const second = new Start('second', disk)
  await second.restore()
  expect(second.now).toEqual({ attempt: 'interrupted', gate: 'expired' })
  expect(disk.gate(ask.gateId)?.endReason).toBe('askerLost')
})

test('a gate whose agent dies expires at once, and refuses a late answer', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  start.say('agent.gone', { began: true })
  await start.calm()
  expect(start.now).toEqual({ attempt: 'settling', gate: 'expired' })
  await expect(start.gates.answer(ask.gateId, 'yes', null)).rejects.toMatchObject({ code: 'gate.closed' })
})

test('a gate whose asker is stopped by a person is withdrawn', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  start.say('attempt.stop', { reason: 'person' })
  await start.calm()
  expect(start.now).toEqual({ attempt: 'ending', gate: 'withdrawn' })
})

test('a second, different answer is refused and the first one stands', async () => {
  const start = new Start('first', new Disk())
  await start.wait()
  await start.gates.answer(ask.gateId, 'no', null)
  await expect(start.gates.answer(ask.gateId, 'yes', null)).rejects.toMatchObject({ code: 'gate.already-answered' })
  await expect(start.gates.answer(ask.gateId, 'no', null)).resolves.toMatchObject({ decision: { effect: 'deny' } })
})
