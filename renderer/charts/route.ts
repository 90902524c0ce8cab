import { CheapestFirst } from './cheapest-first.ts'
import { alongside, countWidth, grid, grown, opposite, wayAt, ways } from './ways.ts'
import type { Area, Obstacle, Way } from './ways.ts'

/** From one box to another, by their ids. */
export interface Wire {
  id: string
  from: string
  to: string
}

/** A wire with its corners in pixels, and what its way cost. */
interface Routed extends Wire {
  points: [number, number][]
  cost: number
}

/** How far a wire keeps from a box it does not belong to, in pixels. */
const boxGap = 7
/** How near two wires may run side by side, in grid lines. */
const wireGap = 2
/** How long the straight piece at either end is, in grid lines: a head needs room. */
const stub = 3
/** How much of a group's upper left corner its name takes. */
const nameArea = { width: 84, height: 26 }

const bendCost = 18
const crossingCost = 60
const closeCost = 2

/** The cells that a wire between two boxes may not enter, and those where it may cross a frame but not follow it. */
interface Obstruction {
  blocked: Uint8Array<ArrayBuffer>
  alongFrames: Uint8Array<ArrayBuffer>
}

/** A place on the edge of a box where a wire may begin or end; `cell` is the outer end of its straight piece. */
interface Port {
  cell: number
  way: Way
  edge: number
  cost: number
}

/** The sheet as a grid of cells, with what stands on it and how wires run through it. */
export class Board {
  readonly #boxes: readonly Obstacle[]
  readonly #columns: number
  readonly #rows: number
  readonly #across: Uint8Array
  readonly #upright: Uint8Array
  /** What it costs to be in each state, and which state came before: for one search at a time. */
  readonly #costs: Float64Array
  readonly #before: Int32Array
  readonly #known = new Map<string, Obstruction>()
  #blocked = new Uint8Array(0)
  #alongFrames = new Uint8Array(0)

  constructor(boxes: readonly Obstacle[], { width, height }: { width: number; height: number }) {
    this.#boxes = boxes
    this.#columns = Math.floor(width / grid) + 1
    this.#rows = Math.floor(height / grid) + 1
    this.#across = this.#cells()
    this.#upright = this.#cells()
    this.#costs = new Float64Array(this.#columns * this.#rows * ways.length)
    this.#before = new Int32Array(this.#columns * this.#rows * ways.length)
  }

  /** Finds each wire its way round the boxes; the first ones have the free choice. `null` where one finds none. */
  route(wires: readonly Wire[]): Routed[] | null {
    this.#across.fill(0)
    this.#upright.fill(0)
    const routed: Routed[] = []
    for (const { id, from, to } of wires) {
      const way = this.#lay({ id, from, to })
      if (!way) return null
      routed.push({ id, from, to, ...way })
    }
    return routed
  }

  #lay(wire: Wire): { points: [number, number][]; cost: number } | null {
    const from = this.#boxes.find(({ id }) => id === wire.from)
    const to = this.#boxes.find(({ id }) => id === wire.to)
    if (!from || !to) throw new Error(`${wire.id} leads from or to something that is not drawn`)
    const known = this.#known.get(`${from.id} ${to.id}`) ?? this.#obstruct(from, to)
    this.#known.set(`${from.id} ${to.id}`, known)
    this.#blocked = known.blocked
    this.#alongFrames = known.alongFrames
    const found = this.#search(this.#ports(from, to), this.#ports(to, from))
    if (!found) return null
    this.#take(found.cells)
    return { points: straightened(found.cells.map((cell) => this.#pointOf(cell))), cost: found.cost }
  }

  #cells = () => new Uint8Array(this.#columns * this.#rows)
  #columnOf = (cell: number) => cell % this.#columns
  #rowOf = (cell: number) => Math.floor(cell / this.#columns)
  #pointOf = (cell: number): [number, number] => [this.#columnOf(cell) * grid, this.#rowOf(cell) * grid]
  #next = (cell: number, { dx, dy }: Way, steps = 1) => cell + (dx + dy * this.#columns) * steps

  #isInside(cell: number) {
    const [column, row] = [this.#columnOf(cell), this.#rowOf(cell)]
    return column >= 1 && row >= 1 && column < this.#columns - 1 && row < this.#rows - 1
  }

  /** Marks what a wire between these two may not enter, and the frames that it may cross but not follow. */
  #obstruct(from: Obstacle, to: Obstacle): Obstruction {
    this.#blocked = this.#cells()
    this.#alongFrames = this.#cells()
    const [aboveFrom, aboveTo] = [this.#above(from), this.#above(to)]
    const around = new Set([...aboveFrom, ...aboveTo])
    for (const box of this.#boxes) {
      if (box.kind === 'final' && box.parent !== null) continue
      // an arrow stays inside the groups that hold both its ends
      if (aboveFrom.includes(box.id) && aboveTo.includes(box.id)) this.#blockFrame(box)
      else if (around.has(box.id)) this.#markFrame(box)
      else this.#block(grown(box, boxGap))
      if (box.kind === 'group') this.#block({ ...box, ...nameArea })
      if (box.kind === 'state')
        this.#block({ x: box.x + box.width - countWidth, y: box.y - 9, width: countWidth + 8, height: 12 })
    }
    return { blocked: this.#blocked, alongFrames: this.#alongFrames }
  }

  #above(box: Obstacle): string[] {
    const parent = this.#boxes.find(({ id }) => id === box.parent)
    return parent ? [parent.id, ...this.#above(parent)] : []
  }

  #block(area: Area) {
    for (const cell of this.#cellsIn(area)) this.#blocked[cell] = 1
  }

  #markFrame({ x, y, width, height }: Area) {
    const beside = 2 * grid
    for (const edge of [x, x + width])
      for (const cell of this.#cellsIn({ x: edge - grid, y, width: beside, height })) this.#mark(cell, uprightBit)
    for (const edge of [y, y + height])
      for (const cell of this.#cellsIn({ x, y: edge - grid, width, height: beside })) this.#mark(cell, acrossBit)
  }

  #blockFrame({ x, y, width, height }: Area) {
    for (const edge of [x, x + width]) this.#block({ x: edge, y, width: 0, height })
    for (const edge of [y, y + height]) this.#block({ x, y: edge, width, height: 0 })
  }

  #mark(cell: number, bit: number) {
    this.#alongFrames[cell] = (this.#alongFrames[cell] ?? 0) | bit
  }

  *#cellsIn({ x, y, width, height }: Area): Generator<number> {
    for (let row = Math.ceil(y / grid); row <= Math.floor((y + height) / grid); row += 1) {
      for (let column = Math.ceil(x / grid); column <= Math.floor((x + width) / grid); column += 1) {
        const cell = row * this.#columns + column
        if (column >= 0 && column < this.#columns && this.#isInside(cell)) yield cell
      }
    }
  }

  /** Where a wire may leave this box for the other one, or reach it from there: inwards where the other is inside. */
  #ports(box: Obstacle, other: Obstacle): Port[] {
    const inwards = other.id.startsWith(`${box.id}.`)
    return ways.flatMap((side) =>
      alongside(box, side).flatMap(({ x, y, cost }): Port[] => {
        const edge = (y / grid) * this.#columns + x / grid
        const way = inwards ? opposite(side) : side
        return this.#stubIsFree(edge, way) ? [{ cell: this.#next(edge, way, stub), way, edge, cost }] : []
      }),
    )
  }

  #stubIsFree(edge: number, way: Way) {
    for (let step = 0; step <= stub; step += 1) {
      const cell = this.#next(edge, way, step)
      if (!this.#isInside(cell) || this.#runsBeside(cell, way, wireGap) || this.#crosses(cell, way)) return false
    }
    return this.#blocked[this.#next(edge, way, stub)] !== 1
  }

  /** Whether a wire runs the same way here, or this near beside. */
  #runsBeside(cell: number, { upright }: Way, gap: number) {
    const cells = upright ? this.#upright : this.#across
    const step = upright ? 1 : this.#columns
    for (let off = -gap; off <= gap; off += 1) if (cells[cell + off * step] === 1) return true
    return false
  }

  #crosses = (cell: number, { upright }: Way) => (upright ? this.#across : this.#upright)[cell] === 1

  /** The cheapest way from one of these ports to one of those, over states that are a cell and a way each. */
  #search(starts: readonly Port[], goals: readonly Port[]): { cells: number[]; cost: number } | null {
    if (starts.length === 0 || goals.length === 0) return null
    const ends = new Map(goals.map((port) => [stateOf(port.cell, opposite(port.way)), port]))
    const wayLeft = this.#wayLeftTo(goals)
    const costs = this.#costs.fill(Infinity)
    const before = this.#before.fill(none)
    const queue = new CheapestFirst()
    for (const { cell, way, cost } of starts) {
      costs[stateOf(cell, way)] = cost
      queue.put(stateOf(cell, way), cost + wayLeft(cell))
    }
    let best: { state: number; cost: number; edge: number } | null = null
    for (let entry = queue.take(); entry; entry = queue.take()) {
      if (best && entry.cost >= best.cost) break
      const state = entry.item
      const cost = costs[state] ?? Infinity
      if (entry.cost > cost + wayLeft(state >> 2)) continue
      const end = ends.get(state)
      if (end && (!best || cost + end.cost < best.cost)) best = { state, cost: cost + end.cost, edge: end.edge }
      for (const step of this.#stepsFrom(state)) {
        const sum = cost + step.cost
        if (sum >= (costs[step.state] ?? Infinity)) continue
        costs[step.state] = sum
        before[step.state] = state
        queue.put(step.state, sum + wayLeft(step.state >> 2))
      }
    }
    return best && { cells: this.#cellsTo(best, before, starts), cost: best.cost }
  }

  /** At least how many cells it still is to one of these. */
  #wayLeftTo(goals: readonly Port[]) {
    const columns = goals.map(({ cell }) => this.#columnOf(cell))
    const rows = goals.map(({ cell }) => this.#rowOf(cell))
    const [x1, x2] = [Math.min(...columns), Math.max(...columns)]
    const [y1, y2] = [Math.min(...rows), Math.max(...rows)]
    return (cell: number) => {
      const [column, row] = [this.#columnOf(cell), this.#rowOf(cell)]
      return Math.max(0, x1 - column, column - x2) + Math.max(0, y1 - row, row - y2)
    }
  }

  #stepsFrom(state: number): { state: number; cost: number }[] {
    const cell = state >> 2
    const from = wayAt(state & 3)
    const mayTurn = this.#across[cell] !== 1 && this.#upright[cell] !== 1
    const onwards = mayTurn ? [from, wayAt(from.index + 1), wayAt(from.index + 3)] : [from]
    const steps: { state: number; cost: number }[] = []
    for (const way of onwards) {
      const next = this.#next(cell, way)
      if (!this.#mayEnter(next, way) || (way !== from && this.#runsBeside(cell, way, wireGap))) continue
      const bend = way === from ? 0 : bendCost
      const close = this.#runsBeside(next, way, wireGap + 1) ? closeCost : 0
      const crossing = this.#crosses(next, way) ? crossingCost : 0
      steps.push({ state: stateOf(next, way), cost: 1 + bend + close + crossing })
    }
    return steps
  }

  #mayEnter(cell: number, way: Way) {
    if (this.#blocked[cell] === 1 || !this.#isInside(cell) || this.#runsBeside(cell, way, wireGap)) return false
    return ((this.#alongFrames[cell] ?? 0) & (way.upright ? uprightBit : acrossBit)) === 0
  }

  #cellsTo(end: { state: number; edge: number }, before: Int32Array, starts: readonly Port[]) {
    const cells = [end.edge]
    let first = end.state
    for (let state = end.state; state !== none; state = before[state] ?? none) {
      cells.push(state >> 2)
      first = state
    }
    const start = starts.find(({ cell, way }) => stateOf(cell, way) === first)
    return [...cells, ...(start ? [start.edge] : [])].toReversed()
  }

  #take(cells: readonly number[]) {
    for (const [index, cell] of cells.entries()) {
      const last = cells[index - 1]
      if (last === undefined) continue
      const upright = this.#columnOf(last) === this.#columnOf(cell)
      const taken = upright ? this.#upright : this.#across
      const step = (upright ? this.#columns : 1) * Math.sign(cell - last)
      for (let at = last; at !== cell; at += step) taken[at] = 1
      taken[cell] = 1
    }
  }
}

const none = -1
const uprightBit = 1
const acrossBit = 2
const stateOf = (cell: number, { index }: Way) => cell * 4 + index

/** Only the points where a line bends, and its ends. */
export const straightened = (points: readonly [number, number][]) =>
  points.filter(([x, y], index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    return !before || !after || !((before[0] === x && after[0] === x) || (before[1] === y && after[1] === y))
  })
