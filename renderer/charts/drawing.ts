import * as z from 'zod'

const Place = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }

/** A state, a group of states, or the frame around all the ends. */
export const Box = z.object({
  id: z.string(),
  kind: z.enum(['state', 'group', 'final', 'ends']),
  parent: z.string().nullable(),
  initial: z.boolean(),
  choice: z.boolean(),
  ...Place,
})
export type Box = z.infer<typeof Box>

/** All edges of a chart that go from one box to another, drawn as one. */
export const Arrow = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  /** Ids of the chart's edges in it. */
  edges: z.array(z.string()),
  points: z.array(z.tuple([z.number(), z.number()])),
  /** Where its words or its button go, and how the words lean against the line. */
  label: z.object({ ...Place, align: z.enum(['start', 'middle', 'end']) }).nullable(),
})
export type Arrow = z.infer<typeof Arrow>

/** A chart laid out at build time; sizes are pixels at scale one. */
export const Drawing = z.object({
  hash: z.string(),
  width: z.number(),
  height: z.number(),
  boxes: z.array(Box),
  arrows: z.array(Arrow),
})
export type Drawing = z.infer<typeof Drawing>

/** The id of the frame that holds every final state. */
export const endsId = 'ends'
