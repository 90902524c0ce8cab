import type { Chart, ChartEdge } from '../../machines/chart.ts'
import { arrowLines, edgesOf, exitWord, stateWord } from './chart-words.ts'
import { endsId, type Box } from './drawing.ts'
import type { Wanted } from './labels.ts'
import { roundsMax } from '../../shared/limits.ts'

/** A box before it has a place. */
export interface SheetBox extends Pick<Box, 'id' | 'kind' | 'parent' | 'initial' | 'choice'> {
  width: number
  height: number
}

interface SheetArrow {
  id: string
  from: string
  to: string
  edges: string[]
  label: Wanted | null
}

/** What of a chart is drawn, with sizes, before it is laid out. */
export interface Sheet {
  boxes: SheetBox[]
  arrows: SheetArrow[]
}

/** Gathers the ends in one frame and joins arrows that run side by side. */
export function sheetOf(chart: Chart): Sheet {
  const framed = new Set(framedEnds(chart))
  const boxes = chart.nodes
    .filter(({ id }) => !framed.has(id))
    .map(({ id, kind, parent, initial, tags }): SheetBox => ({
      id,
      parent,
      initial,
      choice: tags.includes('choice'),
      ...sizeOf(id, kind),
      kind,
    }))
  const ends: SheetBox = {
    id: endsId,
    kind: 'ends',
    parent: null,
    initial: false,
    choice: false,
    ...endsSize(framed.size),
  }
  return { boxes: [...boxes, ends], arrows: arrowsOf(chart, (id) => (framed.has(id) ? endsId : id)) }
}

/** Where the ends stand inside their frame. */
export const endPlaces = (chart: Chart, frame: { x: number; y: number }): Box[] =>
  framedEnds(chart).map((id, index) => ({
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

const boxHeight = 26
const endColumns = 3
const endWidth = 126
const endGap = 6
const endPad = 10
const endHead = 28
export const lineHeight = 15
const buttonHeight = 24

const sizeOf = (id: string, kind: Box['kind']) => ({
  width: widthOf(stateWord(id)) + (kind === 'final' ? 44 : 24),
  height: boxHeight,
})

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
    return [
      {
        id,
        from: first.from,
        to: drawnAt(first.to),
        edges: edges.map((edge) => edge.id),
        label: labelOf(chart, edges),
      },
    ]
  })
}

/** Only where a state has more than one way out does an arrow need words. */
function labelOf(chart: Chart, edges: readonly ChartEdge[]) {
  const ids = edges.map(({ id }) => id)
  const ways = new Set(chart.edges.filter(({ from }) => from === edges[0]?.from).map(({ to }) => to))
  const button = buttonOn(edgesOf(chart, ids))
  if (!button && ways.size < 2) return null
  const lines = arrowLines(chart, ids)
  return {
    width: Math.max(...lines.map(widthOf), button ? widthOf(button) + 30 : 0) + 6,
    height: Math.max(lines.length * lineHeight, button ? buttonHeight : 0),
    button: button !== null,
  }
}

/** The longest button that may stand on these arrows. */
const buttonOn = (edges: readonly ChartEdge[]) => {
  const own = edges.map((edge) => (edge.by === 'person' ? exitWord(edge, 0) : null)).find((word) => word !== null)
  const wished = Object.entries(wishes).find(([, guard]) => edges.some(({ guards }) => guards.includes(guard)))
  return own ?? (wished ? exitWord({ event: wished[0] }, roundsMax) : null)
}

/** A word that is taken on the spot stands on the arrow that it opens later. */
export const wishes: Readonly<Record<string, string>> = { 'run.pause': 'aPauseIsWanted' }
