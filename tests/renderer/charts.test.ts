import { describe, expect, test } from 'vitest'
import { activeIds, chartOf, wordsOf } from '../../machines/chart.ts'
import { edgeWord } from '../../renderer/charts/chart-words.ts'
import { drawn } from '../../renderer/charts/drawings.ts'
import { drawnMachines, hashOf } from '../../renderer/charts/lay-out.ts'
import { exitsOf } from '../../renderer/charts/exits.ts'
import { endsId } from '../../renderer/charts/drawing.ts'
import { stepsOf, walkOf } from '../../renderer/charts/walk.ts'
import { events as eventWords, guards as guardWords, states as stateWords } from '../../renderer/text/en/machines.ts'
import { MachineName } from '../../shared/ledger.ts'
import { running, timedOutAttemptId } from '../window/fixtures/scenes.ts'

describe.each(drawnMachines)('the drawing of %s', (machine) => {
  const { chart, drawing } = drawn(machine)

  test('is current: lay it out anew with npm run charts', () => {
    expect(drawing.hash).toBe(hashOf(chart))
  })

  test('shows every state, and every arrow that leads elsewhere', () => {
    const drawnIds = new Set(drawing.boxes.map(({ id }) => id))
    expect(chart.nodes.filter(({ id }) => !drawnIds.has(id))).toEqual([])
    const drawnEdges = new Set(drawing.arrows.flatMap(({ edges }) => edges))
    expect(chart.edges.filter(({ id, from, to }) => from !== to && !drawnEdges.has(id))).toEqual([])
  })

  test('lays no state, no words and no button over another', () => {
    const states = drawing.boxes.filter(({ kind }) => kind === 'state' || kind === 'final')
    const places = [...states, ...drawing.arrows.flatMap(({ id, label }) => (label ? [{ id, ...label }] : []))]
    const pairs = places.flatMap((a, index) =>
      places
        .slice(index + 1)
        .filter((b) => overlap(a, b))
        .map((b) => `${a.id} over ${b.id}`),
    )
    expect(pairs).toEqual([])
  })

  test('keeps what is inside a group inside its frame', () => {
    const frames = new Map(drawing.boxes.map((box) => [box.id, box]))
    const loose = drawing.boxes.filter((box) => {
      const frame = box.parent === null ? undefined : frames.get(box.parent)
      return (
        frame &&
        !(
          box.x >= frame.x &&
          box.y >= frame.y &&
          box.x + box.width <= frame.x + frame.width &&
          box.y + box.height <= frame.y + frame.height
        )
      )
    })
    expect(loose).toEqual([])
  })

  test('fits the panel without being made smaller', () => {
    expect(drawing.width).toBeLessThanOrEqual(426)
    expect(drawing.boxes.some(({ id }) => id === endsId)).toBe(true)
  })
})

interface Area {
  x: number
  y: number
  width: number
  height: number
}
const overlap = (a: Area, b: Area) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test.each(MachineName.options)('every state, event and guard of %s has words', (machine) => {
  const { nodes, edges, internal } = chartOf(machine)
  const all = [...edges, ...internal]
  const leaves = nodes.map(({ id }) => id.slice(id.lastIndexOf('.') + 1))
  expect(leaves.filter((leaf) => !(leaf in stateWords))).toEqual([])
  expect(all.flatMap(({ event }) => (event === null || event in eventWords ? [] : [event]))).toEqual([])
  expect(
    all
      .flatMap(({ guards }) => guards.map((guard) => guard.split(' ')[0] ?? ''))
      .filter((guard) => !(guard in guardWords)),
  ).toEqual([])
})

test('an arrow without an event is named by what lets it through', () => {
  expect(edgeWord({ event: null, guards: ['everyoneAgrees'] })).toBe('everyone agrees')
  expect(wordsOf('someNewThing')).toBe('some new thing')
})

describe('a walk', () => {
  const attempt = chartOf('attempt')

  test('counts each entry, through states that are left at once too', () => {
    const { entered, last } = walkOf(attempt, running.attempts[timedOutAttemptId]!.events)
    expect(Object.fromEntries(entered)).toMatchObject({
      'onFloor.queued': 2,
      'onFloor.working.speaking.streaming': 3,
      judging: 2,
      backingOff: 1,
      timedOut: 1,
    })
    expect(last.map((id) => attempt.edges.find((edge) => edge.id === id)?.to)).toEqual(['judging', 'timedOut'])
  })

  test('finds the arrows from one round to the next', () => {
    const steps = stepsOf(chartOf('run'), 'round.ended', { conferring: 'discussing' }, { conferring: 'discussing' })
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      ['conferring', 'weighing'],
      ['weighing', 'conferring'],
    ])
  })

  test('takes no arrow for an event that leads nowhere', () => {
    expect(stepsOf(attempt, 'agent.silent', 'settling', 'settling')).toEqual([])
  })
})

test('only what a person may cause, and the window has a command for, becomes a button', () => {
  const chart = chartOf('run')
  const nothing = () => undefined
  const offered = (value: Parameters<typeof activeIds>[0]) =>
    exitsOf(chart, activeIds(value), 3, { 'run.stop': nothing, 'run.pause': nothing }, false).map(({ word }) => word)
  expect(offered({ conferring: 'discussing' })).toEqual(['Stop run', 'Hold after round 3'])
  expect(offered('agreed')).toEqual([])
})
