import type { Arrow } from './drawing.ts'
import type { Obstacle } from './ways.ts'

interface Size {
  width: number
  height: number
}

/** How much room an arrow's words want; a button covers what is under it and may stand on the line itself. */
export interface Wanted extends Size {
  button: boolean
}

interface Place extends Size {
  x: number
  y: number
}
type Label = NonNullable<Arrow['label']>
type Point = readonly [number, number]

/** Finds each arrow's words a free place beside its line; `null` where only the outline has room for them. */
export function placeLabels(
  boxes: readonly Obstacle[],
  arrows: readonly Omit<Arrow, 'label'>[],
  wanted: ReadonlyMap<string, Wanted>,
  sheet: Size,
): Arrow[] {
  const taken: Place[] = boxes.flatMap(occupied)
  const inOrder = arrows.toSorted((a, b) => area(wanted.get(b.id)) - area(wanted.get(a.id)))
  const placed = new Map<string, Label | null>()
  for (const arrow of inOrder) {
    const size = wanted.get(arrow.id)
    const place = size ? bestPlace(arrow, size, arrows, boxes, taken, sheet) : null
    if (place) taken.push(place)
    placed.set(arrow.id, place)
  }
  return arrows.map((arrow) => ({ ...arrow, label: placed.get(arrow.id) ?? null }))
}

const area = (size: Size | undefined) => (size ? size.width * size.height : 0)

/** States and the heads of groups take their place; the inside of a group is free. */
const occupied = ({ kind, x, y, width, height }: Obstacle): Place[] =>
  kind === 'group' ? [{ x, y, width, height: 26 }] : [{ x, y, width, height }]

function bestPlace(
  arrow: Omit<Arrow, 'label'>,
  size: Wanted,
  arrows: readonly Omit<Arrow, 'label'>[],
  boxes: readonly Obstacle[],
  taken: readonly Place[],
  sheet: Size,
): Label | null {
  const free = candidates(arrow.points, size).filter(
    (place) => inside(place, sheet) && !taken.some((other) => overlap(place, grown(other, 2))),
  )
  const costs = free.map((place) => ({ place, cost: costOf(place, arrow.id, size.button, arrows, boxes) }))
  const best = costs.reduce<(typeof costs)[number] | null>(
    (least, one) => (least === null || one.cost < least.cost ? one : least),
    null,
  )
  return best && best.cost < (size.button ? tooCrowdedForButtons : tooCrowded) ? best.place : null
}

const tooCrowded = 1
const tooCrowdedForButtons = 1
const gap = 5
/** How far words keep from every line, in pixels. */
const clearance = 2

/** Places beside each piece of the line, the best reading ones first. */
function candidates(points: readonly Point[], { width, height, button }: Wanted): Label[] {
  return pieces(points).flatMap(([[x1, y1], [x2, y2]]) =>
    fractions.flatMap((part): Label[] => {
      const x = x1 + (x2 - x1) * part
      const y = y1 + (y2 - y1) * part
      const upright = x1 === x2
      const on: Label[] = button ? [{ x: x - width / 2, y: y - height / 2, width, height, align: 'middle' }] : []
      return upright
        ? [
            ...on,
            { x: x + gap, y: y - height / 2, width, height, align: 'start' },
            { x: x - gap - width, y: y - height / 2, width, height, align: 'end' },
          ]
        : [
            ...on,
            { x: x - width / 2, y: y - height - 3, width, height, align: 'middle' },
            { x: x - width / 2, y: y + 3, width, height, align: 'middle' },
          ]
    }),
  )
}

const fractions = [0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95]

const pieces = (points: readonly Point[]) =>
  points.slice(1).map((to, index): [Point, Point] => [points[index] ?? to, to])

/** How many lines the words would lie on; edges of groups count too. A button may stand on its own line. */
function costOf(
  place: Place,
  own: string,
  onLine: boolean,
  arrows: readonly Omit<Arrow, 'label'>[],
  boxes: readonly Obstacle[],
) {
  const crossed = arrows
    .filter(({ id }) => id !== own || !onLine)
    .flatMap(({ points }) => pieces(points))
    .filter((piece) => crosses(onLine ? place : grown(place, clearance), piece)).length
  const edges = boxes
    .filter(({ kind }) => kind === 'group' || kind === 'ends')
    .filter((box) => overlap(place, box) && !within(place, box)).length
  return crossed + 2 * edges
}

const crosses = (place: Place, [[x1, y1], [x2, y2]]: [Point, Point]) =>
  overlap(place, { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x1 - x2), height: Math.abs(y1 - y2) })

const overlap = (a: Place, b: Place) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const within = (a: Place, b: Place) =>
  a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height
const inside = (a: Place, { width, height }: Size) => within(a, { x: 2, y: 2, width: width - 4, height: height - 4 })
const grown = ({ x, y, width, height }: Place, by: number): Place => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})
