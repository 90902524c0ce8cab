import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { actorKinds } from '../../machines/blanks.ts'
import { chartOf } from '../../machines/chart.ts'
import type { Chart, ChartWord } from '../../machines/chart/reading.ts'
import { MachineName } from '../../shared/ledger.ts'
import { drawChart } from './draw.ts'

/** The machines that have a page in this folder, with a drawing and tables made from the code. */
export const pages: readonly MachineName[] = MachineName.options

export const pathOf = (machine: MachineName, ending: 'md' | 'svg'): string =>
  join(import.meta.dirname, `${machine}.${ending}`)

export const currentDrawing = (machine: MachineName): Promise<string> => drawChart(chartOf(machine))

/** A page with its made parts as the machine is now; what people wrote stays as it is. */
export const currentPage = (machine: MachineName, page: string): string => {
  const chart = chartOf(machine)
  return Object.entries({ transitions: transitionsOf(chart), work: workOf(chart) })
    .reduce((text, [part, made]) => withPart(text, part, made), page)
}

const withPart = (page: string, part: string, made: string): string => {
  const [begin, end] = [`<!-- ${part}: made by npm run charts -->`, `<!-- end of ${part} -->`]
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  return before === undefined || after === undefined ? page : `${before}${begin}\n\n${made}\n\n${end}${after}`
}

/** Every transition in the order of the chart; within a state the first whose guard holds is taken. */
const transitionsOf = ({ machine, nodes, edges, internal }: Chart): string => {
  const all: (ChartWord & { to?: string })[] = [...edges, ...internal]
  const rows = [{ id: '' }, ...nodes].flatMap(({ id }) =>
    all.filter(({ from }) => from === id).map((arrow, index) => rowOf(arrow, index === 0 ? id || machine : '')))
  return ['| state | event | if | goes to | and | by |', '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n')
}

const rowOf = ({ event, guards, to, actions, by }: ChartWord & { to?: string }, state: string): string => {
  const named = event === null ? '–' : `\`${event}\``
  return `| ${[state, named, guards.join(', '), to ?? 'stays', actions.join(', '), by].join(' | ')} |`
}

/** What works as long as a state lasts, and what a restart makes of it. */
const workOf = ({ nodes }: Chart): string => {
  const rows = nodes.flatMap(({ id, actors }) =>
    actors.map((actor) => `| ${id} | \`${actor}\` | ${actorKinds[actor] ?? 'machine'} |`))
  return ['| as long as | works | kind |', '| --- | --- | --- |', ...rows].join('\n')
}

const bringUpToDate = async (machine: MachineName): Promise<void> => {
  const page = await readFile(pathOf(machine, 'md'), 'utf8')
  await writeFile(pathOf(machine, 'md'), currentPage(machine, page))
  await writeFile(pathOf(machine, 'svg'), await currentDrawing(machine))
}

if (process.argv[1] === import.meta.filename) await Promise.all(pages.map(bringUpToDate))
