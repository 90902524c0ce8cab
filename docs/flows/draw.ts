import elkModule, { type ElkExtendedEdge, type ElkNode } from 'elkjs'
import { actorKinds } from '../../machines/blanks.ts'
import type { Chart, ChartEdge, ChartNode } from '../../machines/chart/reading.ts'

/** A chart as a picture, laid out from top to bottom, with every arrow's words. The same chart gives the same text. */
export const drawChart = async (chart: Chart): Promise<string> => {
  const arrows = joined(chart.edges)
  const placed = await newElk().layout(graphOf(chart, arrows))
  const [width, height] = [Math.ceil(placed.width ?? 0), Math.ceil(placed.height ?? 0)]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${sized(width, height)} role="img">`,
    `<title>${chart.machine}</title>`,
    `<style>${style}</style>`,
    `<rect class="sheet" ${sized(width, height)}/>`,
    ...groupsIn(chart, placed),
    ...linesIn(arrows, placed),
    ...statesIn(chart, placed),
    ...wordsIn(arrows, placed),
    '</svg>',
    '',
  ].join('\n')
}

/** Arrows between the same two states, as one line; `by` is their common cause, or that of a fact. */
interface Joined { id: string; from: string; to: string; by: ChartEdge['by']; words: Words[] }
interface Words { by: ChartEdge['by']; words: string }
interface Placed { x: number; y: number; width: number; height: number }

const beginning = 'beginning'
const fontWidth = 6.1
const lineHeight = 14
const colours: Record<ChartEdge['by'], string> = {
  person: '#1f5bd1', clock: '#a4560a', restart: '#8a2fc4', fact: '#55606e',
}
const style = [
  'text{font:11px system-ui,sans-serif;fill:#1c2430}',
  '.sheet{fill:#ffffff}.group{fill:#f5f7fa;stroke:#b6c0cc}.state{fill:#eef2f8;stroke:#6d7c90}',
  '.needsYou{fill:#e3edff;stroke:#1f5bd1}.choice{stroke-dasharray:2 2}',
  '.final{fill:#ffffff;stroke:#1c2430}.inner{fill:none;stroke:#1c2430}',
  '.name{font-weight:600}.work{font-style:italic;fill:#55606e}',
  'path{fill:none}',
  ...Object.entries(colours).flatMap(([by, colour]) => [
    `.${by}{stroke:${colour}}.tip.${by}{fill:${colour};stroke:none}`,
    `text.${by}{fill:${colour};stroke:#ffffff;stroke-width:3px;paint-order:stroke}`,
  ]),
  'path.restart{stroke-dasharray:5 3}.tip{stroke-dasharray:none}',
].join('')

const joined = (edges: ChartEdge[]): Joined[] => {
  const ways = Map.groupBy(edges, ({ from, to }) => `${from}/${to}`)
  return [...ways].flatMap(([id, same]) => {
    const [first] = same
    if (!first) return []
    const by = same.every((edge) => edge.by === first.by) ? first.by : 'fact'
    return [{ id, from: first.from, to: first.to, by, words: same.flatMap(wordsOf) }]
  })
}

/** The event on one line, its condition on the next. */
const wordsOf = ({ label, by }: ChartEdge): Words[] =>
  label.split(/ (?=if )/).map((words) => ({ by, words }))

const graphOf = (chart: Chart, arrows: Joined[]): ElkNode => {
  const first = chart.nodes.find(({ initial, parent }) => initial && parent === null)?.id ?? beginning
  return {
    id: 'chart',
    layoutOptions,
    children: [{ id: beginning, width: 12, height: 12 }, ...nodesIn(chart, null)],
    edges: [
      { id: beginning, sources: [beginning], targets: [first] },
      ...arrows.map(({ id, from, to, words }) => ({ id, sources: [from], targets: [to], labels: [roomFor(words)] })),
    ],
  }
}

const layoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeLabel': '3',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
}
const groupOptions = { 'elk.padding': '[top=30,left=14,bottom=14,right=14]' }

const nodesIn = (chart: Chart, parent: string | null): ElkNode[] =>
  chart.nodes.filter((node) => node.parent === parent).map((node) =>
    node.kind === 'group'
      ? { id: node.id, layoutOptions: groupOptions, children: nodesIn(chart, node.id) }
      : { id: node.id, ...sizeOf(node) })

const sizeOf = (node: ChartNode) => {
  const work = workOf(node)
  const longest = Math.max(node.label.length * 1.08, work.length)
  return { width: Math.ceil(longest * fontWidth) + 26, height: work === '' ? 28 : 40 }
}

const roomFor = (lines: Words[]) => ({
  text: lines.map(({ words }) => words).join('\n'),
  width: Math.ceil(Math.max(...lines.map(({ words }) => words.length)) * fontWidth) + 4,
  height: lines.length * lineHeight + 2,
})

/** What works as long as a state lasts, clocks apart. */
const workOf = ({ actors }: ChartNode) =>
  actors.filter((actor) => actorKinds[actor] !== 'clock' && actor !== 'watchBoot').join(', ')

const everyNode = (node: ElkNode): ElkNode[] => (node.children ?? []).flatMap((child) => [child, ...everyNode(child)])
const everyEdge = (node: ElkNode): ElkExtendedEdge[] =>
  [...(node.edges ?? []), ...(node.children ?? []).flatMap(everyEdge)]

const placeOf = (placed: ElkNode, id: string): Placed => {
  const node = everyNode(placed).find((each) => each.id === id)
  return { x: node?.x ?? 0, y: node?.y ?? 0, width: node?.width ?? 0, height: node?.height ?? 0 }
}

const groupsIn = (chart: Chart, placed: ElkNode): string[] =>
  chart.nodes.filter(({ kind }) => kind === 'group').map((node) => {
    const place = placeOf(placed, node.id)
    const work = workOf(node) === '' ? '' : `<tspan class="work"> · ${workOf(node)}</tspan>`
    const name = `<tspan class="name">${node.label}</tspan>`
    return rectOf(place, lookOf(node), 8)
      + dotOf(node, place)
      + `<text x="${place.x + 12}" y="${place.y + 18}">${name}${work}</text>`
  })

const statesIn = (chart: Chart, placed: ElkNode): string[] => {
  const start = placeOf(placed, beginning)
  const dot = `<circle cx="${start.x + 6}" cy="${start.y + 6}" r="6"/>`
  const states = chart.nodes.filter(({ kind }) => kind !== 'group')
  return [dot, ...states.map((node) => stateIn(node, placeOf(placed, node.id)))]
}

const stateIn = (node: ChartNode, place: Placed): string => {
  const work = workOf(node)
  const choice = node.tags.includes('choice')
  const middle = place.x + place.width / 2
  const inner = { x: place.x + 3, y: place.y + 3, width: place.width - 6, height: place.height - 6 }
  return rectOf(place, lookOf(node), choice ? place.height / 2 : 6)
    + dotOf(node, place)
    + (node.kind === 'final' ? rectOf(inner, 'inner', 4) : '')
    + `<text class="name" text-anchor="middle" x="${middle}" y="${place.y + 18}">${node.label}</text>`
    + (work === '' ? '' : `<text class="work" text-anchor="middle" x="${middle}" y="${place.y + 32}">${work}</text>`)
}

const lookOf = ({ kind, tags }: ChartNode) =>
  [kind, ...['choice', 'needsYou'].filter((tag) => tags.includes(tag))].join(' ')

/** The first state of a group carries a dot on its corner. */
const dotOf = ({ initial, parent }: ChartNode, { x, y }: Placed) =>
  initial && parent !== null ? `<circle cx="${x}" cy="${y}" r="4"/>` : ''

const sized = (width: number, height: number) => `width="${width}" height="${height}"`

const rectOf = ({ x, y, width, height }: Placed, look: string, round: number) =>
  `<rect class="${look}" x="${x}" y="${y}" ${sized(width, height)} rx="${round}"/>`

const linesIn = (arrows: Joined[], placed: ElkNode): string[] =>
  everyEdge(placed).flatMap((edge) => {
    const by = arrows.find(({ id }) => id === edge.id)?.by ?? 'fact'
    const points = (edge.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) =>
      [startPoint, ...(bendPoints ?? []), endPoint])
    return [`<path class="${by}" d="M${points.map(({ x, y }) => `${x} ${y}`).join('L')}"/>`, tipOf(points, by)]
  })

/** A small triangle at the end of a line, in the direction of its last piece. */
const tipOf = (points: { x: number; y: number }[], by: ChartEdge['by']): string => {
  const [before, end] = points.slice(-2)
  if (!before || !end) return ''
  const [right, down] = [Math.sign(end.x - before.x), Math.sign(end.y - before.y)]
  const corner = (side: number) => `${end.x - right * 7 + down * side} ${end.y - down * 7 + right * side}`
  return `<path class="tip ${by}" d="M${end.x} ${end.y}L${corner(3.5)}L${corner(-3.5)}Z"/>`
}

const wordsIn = (arrows: Joined[], placed: ElkNode): string[] =>
  everyEdge(placed).flatMap((edge) => (edge.labels ?? []).flatMap(({ x = 0, y = 0, width = 0 }) => {
    const lines = arrows.find(({ id }) => id === edge.id)?.words ?? []
    const at = (index: number) => `x="${x + width / 2}" y="${y + 11 + index * lineHeight}"`
    return lines.map(({ by, words }, index) => `<text class="${by}" text-anchor="middle" ${at(index)}>${words}</text>`)
  }))

interface Elk { layout: (graph: ElkNode) => Promise<ElkNode> }

// the package is CommonJS with an `exports.default`, which Node hands over as it is
const newElk = (): Elk => {
  const found: unknown = elkModule
  const Made = isElkClass(found) ? found : (found as { default: new () => Elk }).default
  return new Made()
}

const isElkClass = (found: unknown): found is new () => Elk => typeof found === 'function'
