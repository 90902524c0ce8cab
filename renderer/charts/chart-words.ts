import { wordsOf, type Chart, type ChartEdge, type ChartWord } from '../../machines/chart.ts'
import { text } from '../text/text.ts'

/** The name of a state, by the last part of its id. */
export const stateWord = (id: string): string => {
  const leaf = id.slice(id.lastIndexOf('.') + 1)
  return text.states[leaf] ?? wordsOf(leaf)
}

/** What fires an edge: its event, or the guard that lets it through at once. */
export function edgeWord({ event, guards }: Pick<ChartEdge, 'event' | 'guards'>): string {
  const named = guards.filter((guard) => !(guard in identity))
  if (event === null) return named[0] === undefined ? (text.guards['otherwise'] ?? '') : guardWord(named[0])
  return eventWord(event)
}

const identity: Readonly<Record<string, true>> = { itNamesThisRun: true, itIsTheGate: true, itIsAnOption: true }

const guardWord = (guard: string): string => {
  const [name = '', about] = guard.split(' ')
  const word = text.guards[name] ?? wordsOf(name)
  return about === undefined ? word : `${word} ${stateWord(about)}`
}

/** An event by what it means. */
export const eventWord = (event: string): string => text.events[event] ?? wordsOf(event)

/** What can be said of an arrow at rest: its reason, in lines, or how many there are. */
export function arrowLines(chart: Chart, edgeIds: readonly string[]): string[] {
  const words = [...new Set(edgesOf(chart, edgeIds).map(edgeWord))]
  const lines = words.flatMap(wrapped)
  return words.length > 1 && lines.length > 2 ? [text.panel.ways(words.length)] : lines
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
