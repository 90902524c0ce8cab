import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import elkModule, { type ElkExtendedEdge, type ElkNode } from 'elkjs'
import { chartOf, type Chart } from '../../machines/chart.ts'
import type { MachineName } from '../../shared/ledger.ts'
import { endsId, type Arrow, type Box, type Drawing } from './drawing.ts'
import { endPlaces, sheetOf, type Sheet, type SheetBox } from './sheet.ts'

/** The machines that the window draws. */
export const drawnMachines = ['run', 'round', 'attempt', 'gate'] as const satisfies readonly MachineName[]

/** What a laid-out chart depends on, as a hash: the chart, its words, and how it is laid out. */
export const hashOf = (chart: Chart): string =>
  createHash('sha256').update(JSON.stringify([sheetOf(chart), options, groupOptions])).digest('hex').slice(0, 16)

/** Lays a chart out. */
export async function layOut(chart: Chart): Promise<Drawing> {
  const sheet = sheetOf(chart)
  const placed = await newElk().layout(graphOf(sheet))
  const boxes = boxesOf(placed, new Map(sheet.boxes.map((box) => [box.id, box])))
  const ends = boxes.find(({ id }) => id === endsId) ?? { x: 0, y: 0 }
  return {
    hash: hashOf(chart),
    width: Math.ceil(placed.width ?? 0),
    height: Math.ceil(placed.height ?? 0),
    boxes: [...boxes, ...endPlaces(chart, ends)],
    arrows: arrowsOf(placed, sheet),
  }
}

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
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.spacing.nodeNodeBetweenLayers': '22',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.spacing.nodeNode': '16',
  'elk.spacing.edgeNode': '12',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.edgeLabels.sideSelection': 'SMART_DOWN',
}

const groupOptions = { 'elk.padding': '[top=34,left=12,bottom=12,right=12]' }

function graphOf({ boxes, arrows }: Sheet): ElkNode {
  const within = (parent: string | null): ElkNode[] =>
    boxes.filter((box) => box.parent === parent).map((box) => nodeOf(box, within(box.id)))
  return {
    id: 'chart',
    layoutOptions: options,
    children: within(null),
    edges: arrows.map(({ id, from, to, label }) => ({
      id, sources: [from], targets: [to], labels: label ? [{ text: id, ...label }] : [],
    })),
  }
}

const nodeOf = ({ id, kind, width, height }: SheetBox, children: ElkNode[]): ElkNode =>
  kind === 'group'
    ? { id, children, layoutOptions: { ...groupOptions, 'elk.nodeSize.constraints': 'MINIMUM_SIZE', 'elk.nodeSize.minimum': `(${width + 24},0)` } }
    : { id, width, height }

const boxesOf = (node: ElkNode, known: ReadonlyMap<string, SheetBox>): Box[] =>
  (node.children ?? []).flatMap((child) => {
    const box = known.get(child.id)
    const place = { x: round(child.x), y: round(child.y), width: round(child.width), height: round(child.height) }
    return [...(box ? [{ ...box, ...place }] : []), ...boxesOf(child, known)]
  })

function arrowsOf(placed: ElkNode, { arrows }: Sheet): Arrow[] {
  const edges = new Map(edgesIn(placed).map((edge) => [edge.id, edge]))
  return arrows.map(({ id, from, to, edges: ids }) => {
    const edge = edges.get(id)
    const label = edge?.labels?.[0]
    return {
      id, from, to, edges: ids, points: pointsOf(edge),
      label: label ? { x: round(label.x), y: round(label.y), width: round(label.width), height: round(label.height) } : null,
    }
  })
}

const edgesIn = (node: ElkNode): ElkExtendedEdge[] => [...(node.edges ?? []), ...(node.children ?? []).flatMap(edgesIn)]

const pointsOf = (edge: ElkExtendedEdge | undefined): [number, number][] =>
  (edge?.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) =>
    [startPoint, ...(bendPoints ?? []), endPoint].map(({ x, y }): [number, number] => [round(x), round(y)]),
  )

const round = (n: number | undefined) => Math.round((n ?? 0) * 2) / 2

async function layOutAll() {
  for (const machine of drawnMachines) {
    // oxlint-disable-next-line no-await-in-loop
    const drawing = await layOut(chartOf(machine))
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(new URL(`laid-out/${machine}.json`, import.meta.url), `${JSON.stringify(drawing, null, 1)}\n`)
    process.stdout.write(`${machine}: ${drawing.width} × ${drawing.height}\n`)
  }
}

if (import.meta.main) await layOutAll()
