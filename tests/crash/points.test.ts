import { expect, test } from 'vitest'
import { killAt } from './kills.ts'

/** The first step of each kind. `npm run test:crash` goes through all of them. */
const steps = [
  ['before file: new database named', 'orderly'],
  ['after commit: insert into conversations', 'killed'],
  ['before message: accepted', 'orderly'],
  ['after spawn: agent', 'killed'],
  ['before sync: log', 'orderly'],
  ['after gate: answered', 'killed'],
] as const

test('a kill -9 at any kind of step: what was told is there, once, and nothing is without an owner', async () => {
  const verdicts = await Promise.all(steps.map(([point, then]) => killAt(point, then)))
  expect(verdicts).toEqual(verdicts.map(() => ({ point: expect.any(String), wrong: [] })))
}, 60_000)
