import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import elkModule, { type ElkExtendedEdge, type ElkNode } from 'elkjs'
import { chartOf, type Chart } from '../../machines/chart.ts'
import type { MachineName } from '../../shared/ledger.ts'
import { endsId, type Arrow, type Box, type Drawing } from './drawing.ts'
import { placeLabels } from './labels.ts'
import { endPlaces, sheetOf, type Sheet, type SheetBox } from './sheet.ts'

/** The machines that the window draws. */
export const drawnMachines = ['run', 'round', 'attempt', 'gate'] as const satisfies readonly MachineName[]

/** What a laid-out chart depends on, as a hash: the chart, its words, and how it is laid out. */
export const hashOf = (chart: Chart): string =>
  createHash('sha256')
    .update(JSON.stringify([sheetOf(chart), options, groupOptions]))
    .digest('hex')
    .slice(0, 16)

/** Lays a chart out. */
async function layOut(chart: Chart): Promise<Drawing> {
  const sheet = sheetOf(chart)
  const placed = await newElk().layout(graphOf(sheet))
  const boxes = boxesOf(placed, new Map(sheet.boxes.map((box) => [box.id, box])))
  const { boxes: drawn, lines } = tightened({ boxes, lines: linesOf(placed, sheet) })
  const ends = drawn.find(({ id }) => id === endsId) ?? { x: 0, y: 0 }
  const all = [...drawn, ...endPlaces(chart, ends)]
  const size = sizeOf(all, lines)
  const wanted = new Map(sheet.arrows.flatMap(({ id, label }) => (label ? [[id, label] as const] : [])))
  return { hash: hashOf(chart), ...size, boxes: all, arrows: placeLabels(all, lines, wanted, size) }
}

type Line = Omit<Arrow, 'label'>

interface Elk {
  layout: (graph: ElkNode) => Promise<ElkNode>
}

// the package is CommonJS with an `exports.default`, which Node hands over as it is
const newElk = (): Elk => {
  const found: unknown = elkModule
  const Made = isElkClass(found) ? found : (found as { default: new () => Elk }).default
  return new Made()
}

const isElkClass = (found: unknown): found is new () => Elk => typeof found === 'function'

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.padding': '[top=8,left=8,bottom=8,right=8]',
  'elk.layered.spacing.nodeNodeBetweenLayers': '32',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.spacing.nodeNode': '12',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
}

const groupOptions = {
  'elk.padding': '[top=32,left=10,bottom=10,right=10]',
  'elk.layered.spacing.nodeNodeBetweenLayers': '34',
}

function graphOf({ boxes, arrows }: Sheet): ElkNode {
  const within = (parent: string | null): ElkNode[] =>
    boxes.filter((box) => box.parent === parent).map((box) => nodeOf(box, within(box.id)))
  return {
    id: 'chart',
    layoutOptions: options,
    children: within(null),
    edges: [...downwards(boxes, arrows), ...weights(boxes, arrows)],
  }
}

/** Arrows that lead back are laid out the other way round, so that the chart reads from its first state down. */
const downwards = (boxes: readonly SheetBox[], arrows: Sheet['arrows']) =>
  arrows.map(({ id, from, to }) =>
    leadsBack(boxes, { from, to }) ? { id, sources: [to], targets: [from] } : { id, sources: [from], targets: [to] },
  )

/** Lines that are never drawn: they keep states that only lead back above the ends. */
const weights = (boxes: readonly SheetBox[], arrows: Sheet['arrows']) =>
  boxes
    .filter(
      ({ id, kind, parent }) =>
        kind === 'state' && parent === null && downwards(boxes, arrows).every(({ sources }) => sources[0] !== id),
    )
    .map(({ id }) => ({ id: `weight ${id}`, sources: [id], targets: [endsId] }))

const leadsBack = (boxes: readonly SheetBox[], { from, to }: { from: string; to: string }) =>
  boxes.findIndex(({ id }) => id === to) < boxes.findIndex(({ id }) => id === from)

const nodeOf = ({ id, kind, width, height }: SheetBox, children: ElkNode[]): ElkNode =>
  kind === 'group'
    ? {
        id,
        children,
        layoutOptions: {
          ...groupOptions,
          'elk.nodeSize.constraints': 'MINIMUM_SIZE',
          'elk.nodeSize.minimum': `(${width + 24},0)`,
        },
      }
    : { id, width, height }

const boxesOf = (node: ElkNode, known: ReadonlyMap<string, SheetBox>): Box[] =>
  (node.children ?? []).flatMap((child) => {
    const box = known.get(child.id)
    const place = { x: round(child.x), y: round(child.y), width: round(child.width), height: round(child.height) }
    return [...(box ? [{ ...box, ...place }] : []), ...boxesOf(child, known)]
  })

function linesOf(placed: ElkNode, { arrows, boxes }: Sheet): Line[] {
  const edges = new Map(edgesIn(placed).map((edge) => [edge.id, edge]))
  return arrows.map(({ id, from, to, edges: ids }) => ({
    id,
    from,
    to,
    edges: ids,
    points: pointsOf(edges.get(id), leadsBack(boxes, { from, to })),
  }))
}

const edgesIn = (node: ElkNode): ElkExtendedEdge[] => [...(node.edges ?? []), ...(node.children ?? []).flatMap(edgesIn)]

function pointsOf(edge: ElkExtendedEdge | undefined, back: boolean): [number, number][] {
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) =>
    [startPoint, ...(bendPoints ?? []), endPoint].map(({ x, y }): [number, number] => [round(x), round(y)]),
  )
  return back ? points.toReversed() : points
}

const round = (n: number | undefined) => Math.round((n ?? 0) * 2) / 2

const margin = 8
const endsMargin = 12

/** Moves the frame of the ends under the rest, as far as the arrows into it allow, and cuts empty space off. */
function tightened({ boxes, lines }: { boxes: Box[]; lines: Line[] }): { boxes: Box[]; lines: Line[] } {
  const others = boxes.filter(({ id }) => id !== endsId)
  const left = Math.min(...others.map(({ x }) => x))
  const right = Math.max(...others.map(({ x, width }) => x + width))
  const arriving = lines.filter(({ to }) => to === endsId).flatMap(({ points }) => points.at(-1)?.[0] ?? [])
  const moved = boxes.map((box) => {
    if (box.id !== endsId) return box
    const most = Math.min(...arriving) - endsMargin
    const least = Math.max(...arriving) + endsMargin - box.width
    return { ...box, x: round(Math.min(most, Math.max(least, (left + right - box.width) / 2))) }
  })
  const start = Math.min(...moved.map(({ x }) => x), ...lines.flatMap(({ points }) => points.map(([x]) => x))) - margin
  return {
    boxes: moved.map((box) => ({ ...box, x: box.x - start })),
    lines: lines.map((line) => ({ ...line, points: line.points.map(([x, y]): [number, number] => [x - start, y]) })),
  }
}

const sizeOf = (boxes: readonly Box[], lines: readonly Line[]) => ({
  width: Math.ceil(
    Math.max(...boxes.map(({ x, width }) => x + width), ...lines.flatMap(({ points }) => points.map(([x]) => x))) +
      margin,
  ),
  height: Math.ceil(Math.max(...boxes.map(({ y, height }) => y + height)) + margin),
})

async function layOutAll() {
  for (const machine of drawnMachines) {
    const drawing = await layOut(chartOf(machine))
    await writeFile(join(import.meta.dirname, 'laid-out', `${machine}.json`), `${JSON.stringify(drawing, null, 1)}\n`)
    process.stdout.write(`${machine}: ${drawing.width} × ${drawing.height}\n`)
  }
}

if (import.meta.main) await layOutAll()
