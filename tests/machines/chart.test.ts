import { describe, expect, test } from 'vitest'
import { chartOf } from '../../machines/chart.ts'
import { activeIds, personExits, wordsOf } from '../../machines/chart/reading.ts'
import { MachineName } from '../../shared/ledger.ts'

describe.each(MachineName.options)('the chart of the %s', (machine) => {
  const chart = chartOf(machine)

  test('is data: the same after it went through JSON', () => {
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart)
  })

  test('names every arrow once, and leads from and to states that are drawn', () => {
    const ids = [...chart.edges, ...chart.internal].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const nodes = new Set(chart.nodes.map(({ id }) => id))
    expect(chart.edges.filter(({ from, to }) => !nodes.has(from) || !nodes.has(to))).toEqual([])
  })

  test('has a name for every guard and every action', () => {
    const names = [...chart.edges, ...chart.internal].flatMap(({ guards, actions }) => [...guards, ...actions])
    expect(names.filter((name) => name === 'unnamed' || name.startsWith('xstate.'))).toEqual([])
  })

  test('has a way out of every state that is not an end', () => {
    const leaves = chart.nodes.filter(({ kind }) => kind === 'state').map(({ id }) => id)
    const waysOut = (id: string) => chart.edges.filter(({ from }) => from === id || id.startsWith(`${from}.`))
    expect(leaves.filter((id) => waysOut(id).length === 0)).toEqual([])
  })
})

test('a state value names every state it is in, groups first', () => {
  expect(activeIds({ onFloor: { working: { speaking: 'streaming' } } }))
    .toEqual(['onFloor', 'onFloor.working', 'onFloor.working.speaking', 'onFloor.working.speaking.streaming'])
  expect(activeIds('judging')).toEqual(['judging'])
})

test('the exits of a person are those of the active states and of the groups around them', () => {
  const exits = personExits(chartOf('attempt'), activeIds({ onFloor: { working: { speaking: 'awaitingGate' } } }))
  expect(exits.map(({ event, to }) => [event, to])).toEqual([
    ['attempt.stop', 'onFloor.working.ending'],
    ['attempt.retry', 'onFloor.working.ending'],
    ['gate.answered', 'onFloor.working.speaking.resuming'],
  ])
})

test('the words that a discussion takes without moving are there too', () => {
  const words = personExits(chartOf('run'), activeIds({ conferring: 'discussing' })).filter(({ to }) => to === null)
  expect(words.map(({ event }) => event))
    .toEqual(['seat.kill', 'run.pause', 'run.resume', 'seat.retry', 'seat.replace', 'seat.cancel'])
})

test('an arrow is of a person, a clock, a restart, or a fact', () => {
  const { edges } = chartOf('attempt')
  const by = (event: string) => edges.find((edge) => edge.event === event)?.by
  expect([by('attempt.stop'), by('cap.expired'), by('attempt.lost'), by('agent.gone')])
    .toEqual(['person', 'clock', 'restart', 'fact'])
})

test('names become words', () => {
  expect([wordsOf('backingOff'), wordsOf('run.stop'), wordsOf('itAcceptsAPosition')])
    .toEqual(['backing off', 'run stop', 'it accepts a position'])
})
