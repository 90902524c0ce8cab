import type { Chart, ChartEdge } from '../../machines/chart/reading.ts'
import { roundsMax } from '../../shared/limits.ts'
import { edgesOf, edgeWord, exitWord, stateWord, wrapped } from './chart-words.ts'
import { endsId, type Arrow, type Box } from './drawing.ts'
import type { Wanted } from './labels.ts'
import { endColumns, places, type DrawnMachine } from './places.ts'
import { wishes } from './walk.ts'

/** All edges from one box to another, and how much room their words want; `null` where none are needed. */
interface SheetArrow extends Pick<Arrow, 'id' | 'from' | 'to' | 'edges'> {
  wanted: Wanted | null
  /** Where its button stands, if that was chosen; the arrow leads through it. */
  spot: { x: number; y: number; width: number; height: number } | null
}

/** What of a chart is drawn, each state at its chosen place, before the arrows have found their ways. */
export interface Sheet {
  boxes: Box[]
  arrows: SheetArrow[]
}

/** Gathers the ends in one frame and joins arrows that run side by side. */
export function sheetOf(machine: DrawnMachine, chart: Chart): Sheet {
  const framed = framedEnds(chart)
  const place = placeOf(machine, endsId, endsSize(machine, framed.length))
  const frame: Box = { ...plainBox, id: endsId, kind: 'ends', ...place }
  const boxes = chart.nodes
    .filter(({ id }) => !framed.includes(id))
    .map(({ id, kind, parent, initial, tags }): Box => ({
      id,
      kind,
      parent,
      initial,
      choice: tags.includes('choice'),
      ...placeOf(machine, id, sizeOf(id, kind)),
    }))
  return {
    boxes: [...boxes, frame, ...endsIn(frame, machine, framed)],
    arrows: arrowsOf(machine, chart, (id) => (framed.includes(id) ? endsId : id)),
  }
}

const plainBox = { parent: null, initial: false, choice: false }

function placeOf(machine: DrawnMachine, id: string, size: { width: number; height: number }) {
  const place = places[machine][id]
  if (!place) throw new Error(`${id} of ${machine} has no place yet: give it one in renderer/charts/places.ts`)
  const [x, y, width = size.width, height = size.height] = place
  return { x, y, width, height }
}

/** The ends inside their frame, in rows. */
function endsIn(frame: Box, machine: DrawnMachine, ids: readonly string[]): Box[] {
  const { columns, width } = endColumns[machine]
  return ids.map((id, index) => ({
    ...plainBox,
    id,
    kind: 'final',
    parent: endsId,
    x: frame.x + endPad + (index % columns) * (width + endGap),
    y: frame.y + endHead + Math.floor(index / columns) * (boxHeight + endGap),
    width,
    height: boxHeight,
  }))
}

/** The ends that share a frame: those of the state that reaches most; where there are few, all of them. */
function framedEnds(chart: Chart): string[] {
  const finals = chart.nodes.filter(({ kind }) => kind === 'final').map(({ id }) => id)
  if (finals.length <= fewEnds) return finals
  const reached = [
    ...Map.groupBy(
      chart.edges.filter(({ to }) => finals.includes(to)),
      ({ from }) => from,
    ).values(),
  ]
  const most = new Set(reached.toSorted((a, b) => b.length - a.length)[0]?.map(({ to }) => to))
  return finals.filter((id) => most.has(id))
}
const fewEnds = 4

/** About how wide a word is at twelve pixels, with room for the widest of the named faces. */
export const widthOf = (word: string) => Math.ceil(word.length * 7.1)

const boxHeight = 24
const endGap = 8
const endPad = 8
const endHead = 28
export const lineHeight = 15
const buttonHeight = 24

/** In steps of eight pixels, so that the middle of a box lies on the grid of the arrows. */
const sizeOf = (id: string, kind: Box['kind']) => ({
  width: Math.ceil((widthOf(stateWord(id)) + (kind === 'final' ? 36 : 20)) / 8) * 8,
  height: boxHeight,
})

function endsSize(machine: DrawnMachine, count: number) {
  const { columns, width } = endColumns[machine]
  return {
    width: 2 * endPad + Math.min(columns, count) * (width + endGap) - endGap,
    height: endHead + Math.ceil(count / columns) * (boxHeight + endGap) - endGap + endPad,
  }
}

function arrowsOf(machine: DrawnMachine, chart: Chart, drawnAt: (id: string) => string): SheetArrow[] {
  const grouped = Map.groupBy(chart.edges, ({ from, to }) => `${from} → ${drawnAt(to)}`)
  return [...grouped].flatMap(([id, edges]) => {
    const first = edges[0]
    // an arrow to where it came from says nothing in a picture; the outline has it
    if (!first || first.from === first.to) return []
    const ids = edges.map((edge) => edge.id)
    const [x, y, width = 0, height = 0] = places[machine][id] ?? []
    const spot = x === undefined || y === undefined ? null : { x, y, width, height }
    return [{ id, from: first.from, to: drawnAt(first.to), edges: ids, wanted: wantedBy(chart, ids), spot }]
  })
}

/** Only where a state has more than one way out does an arrow need words; any of its reasons has to fit. */
function wantedBy(chart: Chart, edgeIds: readonly string[]): Wanted | null {
  const edges = edgesOf(chart, edgeIds)
  const ways = new Set(chart.edges.filter(({ from }) => from === edges[0]?.from).map(({ to }) => to))
  const button = buttonOn(edges)
  if (!button && ways.size < 2) return null
  const reasons = edges.map((edge) => wrapped(edgeWord(edge)))
  return {
    width: Math.max(...reasons.flat().map(widthOf), button ? widthOf(button) + 30 : 0) + 4,
    height: Math.max(...reasons.map(({ length }) => length * lineHeight), button ? buttonHeight : 0),
    button: button !== null,
  }
}

/** The longest button that may stand on these arrows. */
const buttonOn = (edges: readonly ChartEdge[]) => {
  const own = edges.map((edge) => (edge.by === 'person' ? exitWord(edge, 0) : null)).find((word) => word !== null)
  const wished = Object.entries(wishes).find(([, guard]) => edges.some(({ guards }) => guards.includes(guard)))
  return own ?? (wished ? exitWord({ event: wished[0] }, roundsMax) : null)
}
