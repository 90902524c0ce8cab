import { expect, test } from 'vitest'
import { failing } from '../fakes/fake-adapter.ts'
import { openOffices } from '../fakes/open-offices.ts'

const { open: openOffice } = openOffices()

test('three agents confer in rounds, in turn, until they agree in the same round', async () => {
  const { office, adapter } = await openOffice(({ round, say, vote, request }) => {
    say(`Round ${round} of ${request.agent}. `)
    vote(round >= 2 ? 'agree' : 'continue', 'Use Postgres')
  })
  const runId = await office.send(await office.group(), 'Redis or Postgres?')
  expect(await office.runEnds(runId)).toBe('agreed')
  const view = await office.handlers['run.open']({ runId })
  expect(
    view.turns.map(({ round, agent, status, vote, text }) => [round, agent, status, vote?.choice, text.trim()]),
  ).toEqual([
    [1, 'rehearsal:bold', 'completed', 'continue', 'Round 1 of rehearsal:bold.'],
    [1, 'rehearsal:careful', 'completed', 'continue', 'Round 1 of rehearsal:careful.'],
    [1, 'rehearsal:sceptic', 'completed', 'continue', 'Round 1 of rehearsal:sceptic.'],
    [2, 'rehearsal:bold', 'completed', 'agree', 'Round 2 of rehearsal:bold.'],
    [2, 'rehearsal:careful', 'completed', 'agree', 'Round 2 of rehearsal:careful.'],
    [2, 'rehearsal:sceptic', 'completed', 'agree', 'Round 2 of rehearsal:sceptic.'],
  ])
  expect(adapter.alive).toBe(0)
})

test('an agent that fails for good is skipped, and the others go on', async () => {
  const { office } = await openOffice(({ say, vote, request }) => {
    if (request.agent === 'rehearsal:sceptic') return failing('agent.unauthorized')
    say('Yes.')
    vote('agree', 'Do it')
    return undefined
  })
  const runId = await office.send(await office.group(), 'Shall we?', { settings: { rounds: 2, blindFirst: false } })
  expect(await office.runEnds(runId)).toBe('agreed')
})
