import { activeIds, type Chart, type ChartEdge } from '../../machines/chart/reading.ts'
import type { LedgerEvent, StateValue } from '../../shared/ledger.ts'

/** Where a machine has been: how often each state was entered, which arrows were taken, and which one last. */
export interface Walk {
  entered: ReadonlyMap<string, number>
  taken: ReadonlySet<string>
  /** The arrows of the last transition, and what fired it. */
  last: readonly string[]
  lastEvent: string | null
  /** What the next transition is read against. */
  onward: { before: StateValue | null; wished: readonly string[] }
}

/** Reads a walk off the recorded transitions of one actor, oldest first; `begun` is the way to the first of them. */
export function walkOf(chart: Chart, events: readonly LedgerEvent[], begun: Walk = noWalk): Walk {
  const entered = new Map(begun.entered)
  const taken = new Set(begun.taken)
  let { last } = begun
  let { before, wished } = begun.onward
  for (const event of events) {
    const from = before ?? event.from
    const steps = from === null ? [] : stepsOf(chart, event.type, from, event.value)
    for (const id of enteredBy(steps, from, event.value)) entered.set(id, (entered.get(id) ?? 0) + 1)
    wished = wishedAfter(wished, event.type)
    const ways = steps.flatMap((step) => possibleWays(chart, step, wished))
    for (const way of ways) taken.add(way.id)
    if (steps.length > 0 || from === null) last = ways.map(({ id }) => id)
    before = event.value
  }
  return { entered, taken, last, lastEvent: events.at(-1)?.type ?? begun.lastEvent, onward: { before, wished } }
}

const noWalk: Walk = {
  entered: new Map(), taken: new Set(), last: [], lastEvent: null, onward: { before: null, wished: [] },
}

/** The arrows that lead from one value to another, through states that are left at once. */
export function stepsOf(chart: Chart, event: string, from: StateValue, to: StateValue): readonly ChartEdge[] {
  const sources = activeIds(from)
  const targets = activeIds(to)
  const first = chart.edges.filter((edge) => sources.includes(edge.from) && edge.event === event)
  for (const edge of innermostFirst(first)) {
    const rest = onwards(chart, edge, targets, [edge.from])
    if (rest) return [edge, ...rest]
  }
  return stepsOnTheSpot(chart, event, sources, targets)
}

/** A word that is taken without leaving, after which a guard holds that did not hold before. */
function stepsOnTheSpot(chart: Chart, event: string, sources: readonly string[], targets: readonly string[]) {
  if (!chart.internal.some((word) => word.event === event && sources.includes(word.from))) return []
  for (const edge of chart.edges.filter(({ from, event: by }) => by === null && sources.includes(from))) {
    const rest = onwards(chart, edge, targets, [edge.from])
    if (rest) return [edge, ...rest]
  }
  return []
}

/** A word that is taken on the spot, and the guard of the arrow that it opens later. */
export const wishes: Readonly<Record<string, string>> = { 'run.pause': 'aPauseIsWanted' }
const takesBack: Readonly<Record<string, string>> = { 'run.resume': 'run.pause' }

const wishedAfter = (wished: readonly string[], event: string) => {
  const wish = wishes[event]
  const gone = wishes[takesBack[event] ?? '']
  return [...wished.filter((guard) => guard !== gone), ...(wish === undefined ? [] : [wish])]
}

/** All that a step without an event may have been: the record does not say which guard let it through. */
function possibleWays(chart: Chart, step: ChartEdge, wished: readonly string[]): readonly ChartEdge[] {
  if (step.event !== null) return [step]
  const ways = chart.edges.filter(({ from, to, event }) => from === step.from && to === step.to && event === null)
  const asWished = ways.filter(({ guards }) => guards.some((guard) => wished.includes(guard)))
  return asWished.length === 1 ? asWished : ways
}

const furthest = 4

/** What follows an arrow until the machine rests in these states; `null` where it leads elsewhere. */
function onwards(
  chart: Chart,
  edge: ChartEdge,
  targets: readonly string[],
  seen: readonly string[],
): readonly ChartEdge[] | null {
  if (targets.includes(edge.to)) return []
  if (seen.length > furthest || seen.includes(edge.to)) return null
  for (const next of chart.edges.filter(({ from, event }) => event === null && from === edge.to)) {
    const rest = onwards(chart, next, targets, [...seen, edge.to])
    if (rest) return [next, ...rest]
  }
  return null
}

const innermostFirst = (edges: readonly ChartEdge[]) => edges.toSorted((a, b) => b.from.length - a.from.length)

/** States that were not active before, those left again at once, and those that were re-entered. */
function enteredBy(steps: readonly ChartEdge[], from: StateValue | null, to: StateValue): string[] {
  const before = from === null ? [] : activeIds(from)
  const after = activeIds(to)
  const through = steps.map((step) => step.to).filter((id) => !after.includes(id))
  const anew = new Set(
    steps.filter(({ to: target, event }) => before.includes(target) && event !== null).map(({ to: target }) => target),
  )
  return [...through, ...after.filter((id) => !before.includes(id) || anew.has(id))]
}
