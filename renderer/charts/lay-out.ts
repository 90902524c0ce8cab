import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chartOf } from '../../machines/chart.ts'
import type { Chart } from '../../machines/chart/reading.ts'
import type { Arrow, DrawnChart, Drawing } from './drawing.ts'
import { placeLabels } from './labels.ts'
import { places, type DrawnMachine } from './places.ts'
import { Board, straightened, type Wire } from './route.ts'
import { sheetOf, type Sheet } from './sheet.ts'

/** The machines that the window draws. */
export const drawnMachines = ['run', 'round', 'attempt', 'gate'] as const satisfies readonly DrawnMachine[]

/** What a laid-out chart depends on, as a hash: the chart, its words, and the places of its states. */
export const hashOf = (machine: DrawnMachine, chart: Chart): string =>
  createHash('sha256')
    .update(JSON.stringify([chart, sheetOf(machine, chart), places[machine]]))
    .digest('hex')
    .slice(0, 16)

/** Lays a chart out: tries the arrows in many orders, and keeps the drawing that reads best. */
function layOut(machine: DrawnMachine, chart: Chart): Drawing {
  const sheet = sheetOf(machine, chart)
  const size = sizeOf(sheet)
  const random = randomFrom(1)
  const board = new Board([...sheet.boxes, ...spotsOf(sheet)], size)
  let near = laidIn(sheet, size, board, byNearness(sheet))
  let best = near
  for (let time = 1; time < orders; time += 1) {
    // now and then a start from anywhere, so that the search is not caught beside something better
    const from = time % restartEvery === 0 ? byNearness(sheet) : (near?.order ?? byNearness(sheet))
    const tried = laidIn(sheet, size, board, shuffled(from, random, time % restartEvery === 0 ? 12 : 3))
    if (tried && (time % restartEvery === 0 || !near || tried.cost <= near.cost)) near = tried
    if (near && (!best || near.cost < best.cost)) best = near
  }
  if (!best) throw new Error(`no arrangement of the arrows of ${machine} was found`)
  process.stdout.write(`${machine}: ${size.width} × ${size.height}, without words: ${best.missing}\n`)
  return { hash: hashOf(machine, chart), ...size, boxes: sheet.boxes, arrows: best.arrows }
}

const orders = 1_500
const restartEvery = 250
const missingCost = 110
const missingButtonCost = 200

type Order = Sheet['arrows']

/** The whole drawing with its arrows routed in this order; `null` where one finds no way. */
function laidIn(sheet: Sheet, size: { width: number; height: number }, board: Board, order: Order) {
  const { boxes, arrows } = sheet
  const spots = spotsOf(sheet)
  const routed = board.route(order.flatMap(wiresOf))
  if (!routed) return null
  const lines = arrows.map(({ id, from, to, edges }) => ({
    id,
    from,
    to,
    edges,
    points: joined(
      routed.filter((wire) => wire.id === id).map(({ points }) => points),
      spots.find((spot) => spot.id === id),
    ),
  }))
  const wanted = new Map(arrows.flatMap((arrow) => (arrow.wanted ? [[arrow.id, arrow.wanted] as const] : [])))
  const placed = placeLabels([...boxes, ...spots], lines, wanted, size).map((arrow): Arrow => {
    const spot = spots.find(({ id }) => id === arrow.id)
    return spot ? { ...arrow, label: { ...areaOf(spot), align: 'middle' } } : arrow
  })
  const missing = placed.filter(({ id, label }) => label === null && wanted.has(id))
  const cost =
    routed.reduce((sum, one) => sum + one.cost, 0) +
    missing.reduce((sum, { id }) => sum + (wanted.get(id)?.button ? missingButtonCost : missingCost), 0)
  return { order, arrows: placed, cost, missing: missing.map(({ id }) => id).join(', ') }
}

/** Both halves of an arrow, through the middle of its spot. */
const joined = (halves: readonly Arrow['points'][], spot: Spot | undefined): Arrow['points'] =>
  spot
    ? straightened([
        ...(halves[0] ?? []),
        [spot.x + spot.width / 2, spot.y + spot.height / 2],
        ...(halves[1] ?? []),
      ])
    : halves.flat()

type Spot = NonNullable<Order[number]['spot']>

const spotsOf = ({ arrows }: Sheet) =>
  arrows.flatMap(({ id, from, to, spot }) =>
    spot ? [{ id, kind: 'spot' as const, parent: groupOfBoth(from, to), ...spot }] : [],
  )

/** The innermost group that holds both states; their ids are paths. */
function groupOfBoth(from: string, to: string): string | null {
  const groups = from.split('.').slice(0, -1)
  const paths = groups.map((_, index) => groups.slice(0, index + 1).join('.'))
  return paths.findLast((path) => to.startsWith(`${path}.`)) ?? null
}

/** An arrow with a spot for its button is two wires: one up to it, one on from there. */
const wiresOf = ({ id, from, to, spot }: Order[number]): Wire[] =>
  spot
    ? [
        { id, from, to: id },
        { id, from: id, to },
      ]
    : [{ id, from, to }]

const areaOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x,
  y,
  width,
  height,
})

const byNearness = ({ boxes, arrows }: Sheet): Order => {
  const middle = (id: string) => {
    const box = boxes.find((one) => one.id === id)
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0]
  }
  const far = ({ from, to }: Order[number]) => {
    const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [middle(from), middle(to)]
    return Math.abs(x1 - x2) + Math.abs(y1 - y2)
  }
  return arrows.toSorted((a, b) => far(a) - far(b))
}

/** Moves a few to another place. */
function shuffled(order: Order, random: () => number, most: number): Order {
  const next = [...order]
  for (let time = 0; time < 1 + random() * most; time += 1) {
    const [moved] = next.splice(Math.floor(random() * next.length), 1)
    if (moved) next.splice(Math.floor(random() * (next.length + 1)), 0, moved)
  }
  return next
}

/** The same numbers every time. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const margin = 8

const sizeOf = ({ boxes }: Sheet) => ({
  width: Math.max(...boxes.map(({ x, width }) => x + width)) + margin,
  height: Math.max(...boxes.map(({ y, height }) => y + height)) + margin,
})

async function layOutAll() {
  for (const machine of drawnMachines) {
    const chart = chartOf(machine)
    const file: DrawnChart = { chart, drawing: layOut(machine, chart) }
    await writeFile(join(import.meta.dirname, 'laid-out', `${machine}.json`), `${JSON.stringify(file, null, 1)}\n`)
  }
}

if (import.meta.main) await layOutAll()
