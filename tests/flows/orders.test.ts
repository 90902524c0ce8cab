import { expect, test } from 'vitest'
import type { AgentId } from '../../shared/agent.ts'
import type { TestOffice } from '../fakes/office.ts'
import { failing, type Script } from '../fakes/fake-adapter.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const pair: { members: AgentId[] } = { members: ['rehearsal:bold', 'rehearsal:careful'] }
const bold = 'rehearsal:bold'
const careful = 'rehearsal:careful'
const sceptic = 'rehearsal:sceptic'
const twoRounds = { settings: { rounds: 2, blindFirst: false } }

type Order = 'attempt.cancel' | 'attempt.retry' | 'attempt.kill' | 'attempt.replace'

/** What an order for an attempt comes to: `ok`, or the code of its refusal. */
const orderTo = async (office: TestOffice, order: Order, attempt: { runId: string; attemptId: string }) => {
  const input = { runId: attempt.runId, attemptId: attempt.attemptId }
  try {
    if (order === 'attempt.replace') await office.handlers[order]({ ...input, agent: sceptic })
    else await office.handlers[order](input)
    return 'ok'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

const agreeing: Script = ({ say, vote }) => {
  say('Fine.')
  vote('agree', 'Go')
}

/** Bold speaks and is done, careful hangs. */
const carefulHangs: Script = async (stage) => {
  if (stage.request.agent === careful) await stage.hang()
  return agreeing(stage)
}

test.each<Order>(['attempt.cancel', 'attempt.retry', 'attempt.kill', 'attempt.replace'])(
  '%s of an attempt that completed in the live run is refused and changes nothing',
  async (order) => {
    const { office } = await offices.open(carefulHangs)
    const runId = await office.send(await office.group(pair), 'Go?', twoRounds)
    const done = await office.turn(runId, bold, 'completed')
    await office.turn(runId, careful, 'streaming')
    const { run } = await office.handlers['run.open']({ runId })
    expect(await orderTo(office, order, done)).toBe('attempt.cannot')
    expect((await office.handlers['run.open']({ runId })).run).toEqual(run)
  },
)

test('a kill is refused while the agent has not been asked to stop', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  const runId = await office.send(await office.group(pair), 'Go?')
  expect(await orderTo(office, 'attempt.kill', await office.turn(runId, bold, 'streaming'))).toBe('attempt.cannot')
})

test('a parked attempt refuses a retry and a kill: its gate is the way on', async () => {
  const { office } = await offices.open(({ say }) => {
    say('I edit.')
    return { status: 'failed', failure: { code: 'agent.rate-limited', message: 'Slow down.', retryAfterMs: 10 } }
  })
  const runId = await office.send(await office.group({ ...pair, allowWrite: true }), 'Go?')
  const parked = await office.turn(runId, bold, 'parked')
  expect(await orderTo(office, 'attempt.retry', parked)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.kill', parked)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.replace', parked)).toBe('ok')
  expect((await office.turn(runId, sceptic, 'parked')).seat).toBe(bold)
  const { gates } = await office.handlers['gate.list']({})
  expect(gates.map(({ asker }) => asker.agent)).toEqual([sceptic])
})

test('an attempt that waits for a place can be cancelled and replaced, not retried or killed', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  office.settings = { ...office.settings, slots: 1 }
  const runId = await office.send(await office.group(), 'Go?', { settings: { rounds: 2, blindFirst: true } })
  await office.turn(runId, bold, 'streaming')
  const queued = await office.turn(runId, careful, 'queued')
  expect(await orderTo(office, 'attempt.retry', queued)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.kill', queued)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.cancel', queued)).toBe('ok')
  expect((await office.turn(runId, careful, 'skipped')).tries).toBe(0)
  await office.handlers['run.stop']({ runId })
  expect(await office.runEnds(runId)).toBe('stopped')
})

test('an attempt that waits to try again can be tried at once, and cancelled', async () => {
  let times = 0
  const { office } = await offices.open((stage) => {
    times += 1
    if (stage.request.agent !== bold || times > 2) return agreeing(stage)
    return { status: 'failed', failure: { code: 'agent.rate-limited', message: 'Slow.', retryAfterMs: 600_000 } }
  })
  const runId = await office.send(await office.group(pair), 'Go?', twoRounds)
  const waiting = await office.turn(runId, bold, 'backingOff')
  expect(await orderTo(office, 'attempt.kill', waiting)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.retry', waiting)).toBe('ok')
  const again = await office.until(async () => {
    const turn = await office.turn(runId, bold, 'backingOff')
    return turn.tries === 2 && turn
  })
  expect(await orderTo(office, 'attempt.cancel', again)).toBe('ok')
  expect((await office.turn(runId, bold, 'stopped')).failure).toBeNull()
})

test('a failed attempt of the live round can be retried and replaced, not cancelled or killed', async () => {
  let works = false
  const { office } = await offices.open(async (stage) => {
    if (stage.request.agent === careful && !works) await stage.hang()
    if (stage.request.agent === bold && !works) return failing('agent.crashed')
    return agreeing(stage)
  })
  const runId = await office.send(await office.group(pair), 'Go?', twoRounds)
  const failed = await office.turn(runId, bold, 'failed')
  const speaking = await office.turn(runId, careful, 'streaming')
  expect(await orderTo(office, 'attempt.cancel', failed)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.kill', failed)).toBe('attempt.cannot')
  expect(await orderTo(office, 'attempt.retry', failed)).toBe('ok')
  works = true
  expect(await orderTo(office, 'attempt.retry', speaking)).toBe('ok')
  expect(await office.runEnds(runId)).toBe('agreed')
  const { turns } = await office.handlers['run.open']({ runId })
  expect(turns.map(({ agent, status }) => `${agent} ${status}`)).toEqual([
    `${bold} failed`, `${careful} completed`, `${bold} completed`,
  ])
})

test.each<Order>(['attempt.cancel', 'attempt.retry', 'attempt.kill', 'attempt.replace'])(
  '%s of an attempt whose run has ended says that the run has ended',
  async (order) => {
    const { office } = await offices.open(agreeing)
    const runId = await office.send(await office.group(pair), 'Go?')
    await office.runEnds(runId)
    const done = await office.turn(runId, bold, 'completed')
    expect(['run.settled', 'attempt.cannot']).toContain(await orderTo(office, order, done))
  },
)

test('two replacements at the same instant cannot seat one agent twice', async () => {
  const { office } = await offices.open(({ hang }) => hang())
  const runId = await office.send(await office.group(pair), 'Go?', { settings: { rounds: 2, blindFirst: true } })
  const turns = [await office.turn(runId, bold, 'streaming'), await office.turn(runId, careful, 'streaming')]
  const told = await Promise.all(turns.map((turn) => orderTo(office, 'attempt.replace', turn)))
  expect(new Set(told)).toEqual(new Set(['attempt.cannot', 'ok']))
})

test('a follow-up cannot seat one agent twice', async () => {
  const { office } = await offices.open(() => failing('agent.crashed'))
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.runEnds(runId)
  await expect(
    office.handlers['run.followUp']({ runId, seats: null, replace: { [bold]: careful } }),
  ).rejects.toMatchObject({ code: 'run.cannot' })
})

test('stopping twice is stopping once, and a run that stops or has been stopped takes no other order', async () => {
  const { office } = await offices.open(({ hang }) => hang(), { ending: 'stubborn' })
  const runId = await office.send(await office.group(pair), 'Go?')
  const turn = await office.turn(runId, bold, 'streaming')
  await expect(office.handlers['run.resume']({ runId })).rejects.toMatchObject({ code: 'run.cannot' })
  await Promise.all([office.handlers['run.stop']({ runId }), office.handlers['run.stop']({ runId })])
  await office.turn(runId, bold, 'ending')
  expect((await office.handlers['run.open']({ runId })).run.status).toBe('stopping')
  await expect(office.handlers['run.pause']({ runId })).rejects.toMatchObject({ code: 'run.cannot' })
  await expect(office.handlers['run.resume']({ runId })).rejects.toMatchObject({ code: 'run.cannot' })
  for (const order of ['attempt.cancel', 'attempt.retry', 'attempt.replace'] as const) {
    expect(await orderTo(office, order, turn)).toBe('attempt.cannot')
  }
  await office.handlers['run.stop']({ runId })
  expect(await orderTo(office, 'attempt.kill', turn)).toBe('ok')
  expect(await office.runEnds(runId)).toBe('stopped')
  await expect(office.handlers['run.stop']({ runId })).rejects.toMatchObject({ code: 'run.settled' })
})

test('a stop while the agent is still being started waits for that and leaves no process', async () => {
  const opening = Promise.withResolvers<void>()
  const { office, adapter } = await offices.open(agreeing, { opening: () => opening.promise })
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.turn(runId, bold, 'launching')
  await office.handlers['run.stop']({ runId })
  await office.turn(runId, bold, 'ending')
  opening.resolve()
  expect(await office.runEnds(runId)).toBe('stopped')
  expect(adapter.alive).toBe(0)
  expect(adapter.opened.flatMap(({ prompts }) => prompts)).toEqual([])
})

test('a run that holds refuses what makes no sense in it', async () => {
  const { office } = await offices.open(({ round, say, vote }) => {
    say('Hm.')
    vote('continue', `position ${round}`, true)
  })
  const runId = await office.send(await office.group(pair), 'Go?')
  await office.handlers['run.pause']({ runId })
  await office.until(async () => (await office.handlers['run.open']({ runId })).run.status === 'holding')
  await expect(office.handlers['run.pause']({ runId })).rejects.toMatchObject({ code: 'run.cannot' })
  const turn = await office.turn(runId, bold, 'completed')
  for (const order of ['attempt.retry', 'attempt.kill'] as const) {
    expect(await orderTo(office, order, turn)).toBe('attempt.cannot')
  }
  expect(await orderTo(office, 'attempt.replace', turn)).toBe('ok')
  await office.handlers['run.resume']({ runId })
  await office.turn(runId, sceptic, 'completed')
})
