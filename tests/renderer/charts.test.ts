import { describe, expect, test } from 'vitest'
import { chartOf } from '../../machines/chart.ts'
import { activeIds, wordsOf } from '../../machines/chart/reading.ts'
import { arrowWord, edgeWord, stateWord } from '../../renderer/charts/chart-words.ts'
import { drawn } from '../../renderer/charts/drawings.ts'
import { drawnMachines, hashOf } from '../../renderer/charts/lay-out.ts'
import { exitsOf } from '../../renderer/charts/exits.ts'
import { endsId } from '../../renderer/charts/drawing.ts'
import { widthOf } from '../../renderer/charts/sheet.ts'
import { stepsOf, walkOf, type Walk } from '../../renderer/charts/walk.ts'
import { events as eventWords, guards as guardWords, states as stateWords } from '../../renderer/text/en/machines.ts'
import { MachineName, type LedgerEvent } from '../../shared/ledger.ts'
import { running, timedOutAttemptId } from '../window/fixtures/scenes.ts'

describe.each(drawnMachines)('the drawing of %s', (machine) => {
  const { chart, drawing } = drawn(machine)

  test('is current: lay it out anew with npm run charts', () => {
    expect(chart).toEqual(chartOf(machine))
    expect(drawing.hash).toBe(hashOf(machine, chartOf(machine)))
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

  test('runs no line through a state, through words or through the name of a group', () => {
    const states = drawing.boxes.filter(({ kind }) => kind === 'state')
    const names = drawing.boxes.flatMap((box) =>
      box.kind === 'group' ? [{ ...box, width: 12 + widthOf(stateWord(box.id)), height: 24 }] : [],
    )
    const crossings = drawing.arrows.flatMap((arrow) => {
      // a button stands on its own line; words stand beside every line
      const labels = drawing.arrows.flatMap(({ id, label }) => (label && id !== arrow.id ? [{ id, ...label }] : []))
      return [...states, ...names, ...labels]
        .filter((area) => piecesOf(arrow.points).some((piece) => overlap(inside(area), piece)))
        .map(({ id }) => `${arrow.id} through ${id}`)
    })
    expect(crossings).toEqual([])
  })

  test('lets no two lines run along each other', () => {
    const pieces = drawing.arrows.flatMap(({ id, points }) => piecesOf(points).map((piece) => ({ id, ...piece })))
    const along = pieces.flatMap((a, index) =>
      pieces
        .slice(index + 1)
        .filter((b) => b.id !== a.id && isUpright(a) === isUpright(b) && overlap(widened(a), widened(b)))
        .map((b) => `${a.id} along ${b.id}`),
    )
    expect(along).toEqual([])
  })

  test('has a place for every button that a person may press', () => {
    const onArrows = drawing.arrows.filter(({ edges }) =>
      chart.edges.some((edge) => edges.includes(edge.id) && pressable.includes(edge.event ?? '')),
    )
    expect(onArrows.filter(({ label }) => label === null).map(({ id }) => id)).toEqual([])
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

/** What has a button on its own arrow; an answer is given at its card, another stop beside the chart. */
const pressable = ['run.pause', 'run.resume', 'attempt.retry', 'attempt.kill']

const piecesOf = (points: readonly (readonly [number, number])[]): Area[] =>
  points.slice(1).map(([x, y], index) => {
    const [x0, y0] = points[index] ?? [x, y]
    return { x: Math.min(x, x0), y: Math.min(y, y0), width: Math.abs(x - x0), height: Math.abs(y - y0) }
  })
const isUpright = ({ width }: Area) => width === 0
const inside = ({ x, y, width, height }: Area) => ({ x: x + 1, y: y + 1, width: width - 2, height: height - 2 })
const widened = ({ x, y, width, height }: Area) => ({ x: x - 2, y: y - 2, width: width + 4, height: height + 4 })

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
  expect(edgeWord({ event: null, guards: [], to: 'conferring' })).toBe('a round opens')
  expect(edgeWord({ event: 'attempt.ended', guards: ['theRoundWasLost'], by: 'restart' })).toBe('lost in a restart')
  expect(wordsOf('someNewThing')).toBe('some new thing')
})

describe('the reason of an arrow', () => {
  const chart = chartOf('run')
  const at = (type: string, value: LedgerEvent['value'], seq: number): LedgerEvent => ({
    rootId: 'r',
    seq,
    at: seq,
    machine: 'run',
    actor: 'r',
    type,
    cause: {},
    value,
    from: null,
  })
  const going = [at('run.began', 'preparing', 1), at('preflight.passed', 'accepting', 2)]
  const discussing = { conferring: 'discussing' }
  const wordTo = (from: string, to: string, events: LedgerEvent[]) =>
    arrowWord(
      chart,
      { edges: chart.edges.filter((edge) => edge.from === from && edge.to === to).map(({ id }) => id) },
      walkOf(chart, events),
      [],
    )

  test('is not said where the record does not say which of several it was', () => {
    const events = [...going, at('task.accepted', discussing, 3), at('round.ended', { concluding: 'writing' }, 4)]
    expect(wordTo('weighing', 'concluding', events)).toBeNull()
    expect(walkOf(chart, events).entered.get('concluding')).toBe(1)
  })

  test('is the wish of a person where one was recorded, and was not taken back', () => {
    const held = { holding: 'paused' }
    const wished = [...going, at('task.accepted', discussing, 3), at('run.pause', discussing, 4)]
    expect(wordTo('weighing', 'holding.paused', [...wished, at('round.ended', held, 5)])).toBe('a pause is wanted')
    const takenBack = [...wished, at('run.resume', discussing, 5), at('round.ended', held, 6)]
    expect(wordTo('weighing', 'holding.paused', takenBack)).toBeNull()
  })
})

test('an arrow shows its one reason: the last, else the only one it was taken for, else the only possible one', () => {
  const chart = chartOf('round')
  const arrow = (from: string, to: string) => ({
    edges: chart.edges.filter((edge) => edge.from === from && edge.to === to).map(({ id }) => id),
  })
  const [settled = '', broke = ''] = arrow('listening', 'calling').edges
  const walk = (taken: string[], last: string[]): Walk => ({
    entered: new Map(),
    taken: new Set(taken),
    last,
    lastEvent: null,
    onward: { before: null, wished: [] },
  })
  const word = (taken: string[], last: string[], active: string[] = []) =>
    arrowWord(chart, arrow('listening', 'calling'), walk(taken, last), active)
  expect(word([settled, broke], [broke])).toBe('an attempt broke')
  expect(word([settled], [])).toBe('an attempt settled')
  expect(word([settled, broke], [])).toBeNull()
  expect(word([], [], ['listening'])).toBeNull()
  expect(arrowWord(chart, arrow('listening', 'stopping'), walk([], []), ['listening'])).toBe('stop the round')
  expect(arrowWord(chart, arrow('listening', 'stopping'), walk([], []), ['calling'])).toBeNull()
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
