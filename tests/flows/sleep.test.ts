import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Script } from '../fakes/fake-adapter.ts'
import type { TestOffice } from '../fakes/office.ts'
import { openOffices } from '../fakes/open-offices.ts'

const offices = openOffices()
const bold = 'rehearsal:bold'
const hour = 3_600_000

// the wall clock stands still unless the computer sleeps; timers are the real ones
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** The computer sleeps: the wall clock jumps, and nothing has happened meanwhile. */
const sleep = (milliseconds: number) => {
  vi.setSystemTime(Date.now() + milliseconds)
}

const woke = (office: TestOffice, runId: string) =>
  office.until(async () => {
    const { events } = await office.handlers['run.events']({ runId, after: 0, limit: 500 })
    return events.some(({ machine, type }) => machine === 'attempt' && type === 'computer.woke')
  })

test('a sleep while an agent speaks costs it nothing: its limits count awake time', async () => {
  const goOn = Promise.withResolvers<void>()
  const { office } = await offices.open(async ({ say }) => {
    say('Let me think. ')
    await goOn.promise
    say('Done.')
  })
  const runId = await office.send(await office.chat(), 'Go?')
  const before = await office.until(async () => {
    const turn = await office.turn(runId, bold, 'streaming')
    return turn.text !== '' && turn
  })
  sleep(8 * hour)
  await woke(office, runId)
  const turn = await office.turn(runId, bold, 'streaming')
  expect((turn.capAt ?? 0) - (before.capAt ?? 0)).toBeGreaterThan(8 * hour - 10_000)
  expect(turn.silenceAt).toBeGreaterThan(Date.now())
  goOn.resolve()
  expect(await office.runEnds(runId)).toBe('completed')
})

test('a sleep while an agent is being started does not make it late', async () => {
  const opening = Promise.withResolvers<void>()
  const { office } = await offices.open(({ say }) => say('Here.'), { opening: () => opening.promise })
  const runId = await office.send(await office.chat(), 'Go?')
  await office.turn(runId, bold, 'launching')
  sleep(8 * hour)
  await woke(office, runId)
  const turn = await office.turn(runId, bold, 'launching')
  expect(turn.dueAt).toBeGreaterThan(Date.now())
  opening.resolve()
  expect(await office.runEnds(runId)).toBe('completed')
})

test('while one waits at a gate longer than it may be silent, its silence is counted from the answer', async () => {
  const goOn = Promise.withResolvers<void>()
  const script: Script = async ({ ask, say }) => {
    say('May I? ')
    await ask('run a command', 'npm test')
    await goOn.promise
    say('Done.')
  }
  const { office } = await offices.open(script)
  const runId = await office.send(await office.chat(), 'Go?')
  const { gateId } = await office.gate()
  sleep(hour)
  await office.handlers['gate.answer']({ gateId, optionId: 'allow', note: null })
  expect((await office.turn(runId, bold, 'streaming')).silenceAt).toBeGreaterThan(Date.now())
  goOn.resolve()
  expect(await office.runEnds(runId)).toBe('completed')
})
