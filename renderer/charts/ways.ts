import type { Box } from './drawing.ts'

export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** What stands in the way: a box, or a spot on a wire that is kept free for what stands there. */
export interface Obstacle extends Area {
  id: string
  kind: Box['kind'] | 'spot'
  parent: string | null
}

/** Pixels between two lines of the grid that wires run on. */
export const grid = 4
/** How much of a box's upper right corner is kept free for its count. */
export const countWidth = 24
/** What a port costs for each pixel that it is away from the middle of its side. */
const offCentreCost = 0.5

/** The four ways a wire may run. */
export interface Way {
  index: number
  dx: number
  dy: number
  upright: boolean
}
const right: Way = { index: 0, dx: 1, dy: 0, upright: false }
const down: Way = { index: 1, dx: 0, dy: 1, upright: true }
const left: Way = { index: 2, dx: -1, dy: 0, upright: false }
const up: Way = { index: 3, dx: 0, dy: -1, upright: true }
export const ways = [right, down, left, up]
export const wayAt = (index: number): Way => ways[index % 4] ?? right
export const opposite = ({ index }: Way) => wayAt(index + 2)

/**
 * The points along one side of a box, the middle ones cheapest; without the corner of the count. A spot has one in the
 * middle of each side.
 */
export function alongside({ x, y, width, height, kind }: Obstacle, side: Way) {
  const length = side.upright ? width : height
  const last = length - (side === up && kind === 'state' ? countWidth + grid : 2 * grid)
  const points: { x: number; y: number; cost: number }[] = []
  if (kind === 'spot') {
    const [middleX, middleY] = [x + width / 2, y + height / 2]
    return [{ x: middleX + (side.dx * width) / 2, y: middleY + (side.dy * height) / 2, cost: 0 }]
  }
  for (let along = 2 * grid; along <= last; along += grid) {
    const place = {
      x: side === right ? x + width : side === left ? x : x + along,
      y: side === down ? y + height : side === up ? y : y + along,
    }
    if (place.x % grid === 0 && place.y % grid === 0)
      points.push({ ...place, cost: Math.abs(along - length / 2) * offCentreCost })
  }
  return points
}

/** An area with some room around it. */
export const grown = ({ x, y, width, height }: Area, by: number): Area => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})
