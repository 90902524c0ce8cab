import type { MachineName, StateValue } from '../../shared/ledger.ts'
import type { Cause } from './causes.ts'

/** A state. `id` is its path with dots, `actors` the names of what works as long as it lasts. */
export type ChartNode = {
  id: string
  label: string
  parent: string | null
  kind: 'state' | 'group' | 'final'
  initial: boolean
  tags: string[]
  actors: string[]
}

/**
 * An arrow. `event` is named as the ledger names it, and `null` where a state is left as soon as a guard holds;
 * `label` says it in words.
 */
export type ChartEdge = {
  id: string
  from: string
  to: string
  event: string | null
  guards: string[]
  actions: string[]
  by: Cause
  label: string
}

/** What a state takes without leaving it. `from` is empty for what every state takes. */
export type ChartWord = Omit<ChartEdge, 'to'>

export type Chart = { machine: MachineName; nodes: ChartNode[]; edges: ChartEdge[]; internal: ChartWord[] }

/** The ids of the states that a value is in, groups before what is in them. */
export const activeIds = (value: StateValue, above = ''): string[] => {
  if (typeof value === 'string') return [join(above, value)]
  return Object.entries(value).flatMap(([name, inner]) => [join(above, name), ...activeIds(inner, join(above, name))])
}

/** What a person may cause in these states: arrows that lead on, and words that are taken on the spot (`to: null`). */
export const personExits = (chart: Chart, active: readonly string[]): (ChartWord & { to: string | null })[] =>
  [...chart.edges, ...chart.internal.map((word) => ({ ...word, to: null }))]
    .filter(({ by, from }) => by === 'person' && (from === '' || active.includes(from)))

/** `backingOff` → `backing off`, `run.stop` → `run stop`. */
export const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()

const join = (above: string, name: string): string => above === '' ? name : `${above}.${name}`
