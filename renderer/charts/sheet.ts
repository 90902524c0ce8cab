import type { Chart, ChartEdge } from '../../machines/chart.ts'
import { arrowWord, edgesOf, exitWord, stateWord } from './chart-words.ts'
import { endsId, type Box } from './drawing.ts'

/** A box before it has a place. */
export interface SheetBox extends Pick<Box, 'id' | 'kind' | 'parent' | 'initial' | 'choice'> {
  width: number
  height: number
}

export interface SheetArrow {
  id: string
  from: string
  to: string
  edges: string[]
  label: { width: number; height: number } | null
}

/** What of a chart is drawn, with sizes, before it is laid out. */
export interface Sheet {
  boxes: SheetBox[]
  arrows: SheetArrow[]
}

/** Gathers the ends in one frame and joins arrows that run side by side. */
export function sheetOf(chart: Chart): Sheet {
  const finals = chart.nodes.filter(({ kind }) => kind === 'final')
  const states = chart.nodes.filter(({ kind }) => kind !== 'final')
  const boxes = states.map(
    ({ id, kind, parent, initial, tags }): SheetBox => ({
      id, parent, initial, choice: tags.includes('choice'), ...sizeOf(id), kind: kind === 'group' ? 'group' : 'state',
    }),
  )
  const ends: SheetBox = { id: endsId, kind: 'ends', parent: null, initial: false, choice: false, ...endsSize(finals.length) }
  const final = new Set(finals.map(({ id }) => id))
  return { boxes: [...boxes, ends], arrows: arrowsOf(chart, (id) => (final.has(id) ? endsId : id)) }
}

/** Where the ends stand inside their frame. */
export const endPlaces = (chart: Chart, frame: { x: number; y: number }): Box[] =>
  chart.nodes
    .filter(({ kind }) => kind === 'final')
    .map(({ id }, index) => ({
      id,
      kind: 'final',
      parent: endsId,
      initial: false,
      choice: false,
      x: frame.x + endPad + (index % endColumns) * (endWidth + endGap),
      y: frame.y + endHead + Math.floor(index / endColumns) * (boxHeight + endGap),
      width: endWidth,
      height: boxHeight,
    }))

/** About how wide a word is at twelve pixels, with room for the widest of the named faces. */
export const widthOf = (word: string) => Math.ceil(word.length * 7.1)

const boxHeight = 26
const endColumns = 3
const endWidth = 126
const endGap = 6
const endPad = 10
const endHead = 28
const labelHeight = 16
const buttonHeight = 24

const sizeOf = (id: string) => ({ width: widthOf(stateWord(id)) + 24, height: boxHeight })

const endsSize = (count: number) => ({
  width: 2 * endPad + Math.min(endColumns, count) * (endWidth + endGap) - endGap,
  height: endHead + Math.ceil(count / endColumns) * (boxHeight + endGap) - endGap + endPad,
})

function arrowsOf(chart: Chart, drawnAt: (id: string) => string): SheetArrow[] {
  const grouped = Map.groupBy(chart.edges, ({ from, to }) => `${from} → ${drawnAt(to)}`)
  return [...grouped].flatMap(([id, edges]) => {
    const first = edges[0]
    // an arrow to where it came from says nothing in a picture; the outline has it
    if (!first || first.from === first.to) return []
    return [{ id, from: first.from, to: drawnAt(first.to), edges: edges.map((edge) => edge.id), label: labelOf(chart, edges) }]
  })
}

/** Only where a state has more than one way out does an arrow need words. */
function labelOf(chart: Chart, edges: readonly ChartEdge[]) {
  const ids = edges.map(({ id }) => id)
  const ways = new Set(chart.edges.filter(({ from }) => from === edges[0]?.from).map(({ to }) => to))
  const button = edgesOf(chart, ids).map((edge) => (edge.by === 'person' ? exitWord(edge, 0) : null)).find((word) => word !== null)
  if (button) return { width: widthOf(button) + 36, height: buttonHeight }
  return ways.size > 1 ? { width: widthOf(arrowWord(chart, ids)) + 6, height: labelHeight } : null
}
