/** One measured number beside what it may be. */
export interface Figure {
  what: string
  value: number
  unit: 'ms' | 'KB' | 'MB' | 'MB/h' | '/h' | 'events/s' | 'frames/s' | '×'
  /** `null` where the number is only told. */
  budget: { atMost: number } | { atLeast: number } | null
}

/** `minutes` is for those that last as long as they are told. */
export type Measure = (minutes: number) => Figure[] | Promise<Figure[]>

export const isWithin = ({ value, budget }: Figure): boolean => {
  if (budget === null) return true
  return 'atMost' in budget ? value <= budget.atMost : value >= budget.atLeast
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [before = Number.NaN, after = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? after : (before + after) / 2
}

/** A quarter of the values are below it: what else runs on a computer only adds. */
export const lowerQuartile = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? Number.NaN

/** So much of the values is at or below it. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? Number.NaN

/** How long some work took, in milliseconds. */
const timed = (work: () => unknown): number => {
  const before = performance.now()
  work()
  return performance.now() - before
}

/** The median time of so many repeats, in milliseconds. */
export const medianOf = (repeats: number, work: (repeat: number) => unknown): number =>
  median(Array.from({ length: repeats }, (_, repeat) => timed(() => work(repeat))))
