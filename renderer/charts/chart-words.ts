import { wordsOf, type Chart, type ChartEdge, type ChartWord } from '../../machines/chart/reading.ts'
import { text } from '../text/text.ts'
import type { Walk } from './walk.ts'

/** The name of a state, by the last part of its id. */
export const stateWord = (id: string): string => {
  const leaf = leafOf(id)
  return text.states[leaf] ?? wordsOf(leaf)
}

const leafOf = (id: string) => id.slice(id.lastIndexOf('.') + 1)

/** What fires an edge: its event, or the guard that lets it through; without either, what it leads to. */
export function edgeWord({ event, guards, by, to }: Pick<ChartEdge, 'event' | 'guards'> & Partial<ChartEdge>): string {
  const named = guards.filter((guard) => !(guard in identity))[0]
  if (named !== undefined && (event === null || by === 'restart')) return guardWord(named)
  if (event !== null) return eventWord(event)
  return text.elseInto[leafOf(to ?? '')] ?? text.guards['otherwise'] ?? ''
}

const identity: Readonly<Record<string, true>> = { itNamesThisRun: true, itIsTheGate: true, itIsAnOption: true }

const guardWord = (guard: string): string => {
  const [name = '', about] = guard.split(' ')
  const word = text.guards[name] ?? wordsOf(name)
  return about === undefined ? word : `${word} ${stateWord(about)}`
}

/** An event by what it means. */
export const eventWord = (event: string): string => text.events[event] ?? wordsOf(event)

/**
 * The one word an arrow shows: why it was taken last; else the only reason it was ever taken for; else, where the chart
 * is right before it, the only reason it could be taken for. Several reasons are no word: the outline lists them.
 */
export function arrowWord(
  chart: Chart,
  { edges: edgeIds }: { edges: readonly string[] },
  { taken, last }: Walk,
  active: readonly string[],
): string | null {
  const edges = edgesOf(chart, edgeIds)
  const words = (some: readonly ChartEdge[]) => [...new Set(some.map(edgeWord))]
  const lastWords = words(edges.filter(({ id }) => last.includes(id)))
  const known = lastWords.length > 0 ? lastWords : words(edges.filter(({ id }) => taken.has(id)))
  const isNext = active.includes(edges[0]?.from ?? '')
  const said = known.length > 0 ? known : isNext ? words(edges) : []
  return said.length === 1 ? (said[0] ?? null) : null
}

/** Words in lines short enough for an arrow. */
export function wrapped(words: string): string[] {
  const lines: string[] = []
  for (const word of words.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lineMax) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
const lineMax = 15

/** Every reason of an arrow, for those who ask. */
export const arrowReasons = (chart: Chart, edgeIds: readonly string[]): string[] =>
  edgesOf(chart, edgeIds).map((edge) =>
    [
      edgeWord(edge),
      ...(edge.event === null ? [] : edge.guards.filter((guard) => !(guard in identity)).map(guardWord)),
    ].join(', '),
  )

export const edgesOf = (chart: Chart, edgeIds: readonly string[]) =>
  chart.edges.filter(({ id }) => edgeIds.includes(id))

/** The label of the button that a person's exit becomes; `null` where the window offers none. */
export function exitWord({ event }: Pick<ChartWord, 'event'>, round: number): string | null {
  if (event === 'run.pause' && round > 0) return text.exits.holdAfter(round)
  return event === null ? null : (text.exits.words[event] ?? null)
}
