import type { Chart } from '../../machines/chart/reading.ts'

interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** A state, a group of states, or the frame around all the ends. */
export interface Box extends Place {
  id: string
  kind: 'state' | 'group' | 'final' | 'ends'
  parent: string | null
  initial: boolean
  choice: boolean
}

/** All edges of a chart that go from one box to another, drawn as one. */
export interface Arrow {
  id: string
  from: string
  to: string
  /** Ids of the chart's edges in it. */
  edges: string[]
  points: [number, number][]
  /** Where its words or its button go, and how the words lean against the line. */
  label: (Place & { align: 'start' | 'middle' | 'end' }) | null
}

/** A chart laid out by `npm run charts`; sizes are pixels at scale one. */
export interface Drawing {
  /** Of the chart and the places that it was laid out from. */
  hash: string
  width: number
  height: number
  boxes: Box[]
  arrows: Arrow[]
}

/** A machine's chart beside its drawing, so that the page needs no machine to draw it. */
export interface DrawnChart {
  chart: Chart
  drawing: Drawing
}

/** The id of the frame that holds every final state. */
export const endsId = 'ends'
