import type { Conformance } from '../../shared/agent.ts'
import { caseNames, caseTitles, type CaseName } from './cases.ts'
import { agentPackages, type RealAgent } from './install.ts'

export type Verdict = Conformance['cases'][number]['verdict']
type Verdicts = Partial<Record<CaseName, Verdict>>
export type Table = Partial<Record<RealAgent, Conformance>>

const agents = Object.keys(agentPackages) as RealAgent[]

/** What is known after a run: its own verdicts, and the earlier ones of the same version where it tried nothing. */
export const merge = (before: Table, run: Partial<Record<RealAgent, Verdicts>>, on: string): Table =>
  Object.fromEntries(
    agents.flatMap((agent) => {
      const now = run[agent]
      const old = before[agent]
      if (!now) return old ? [[agent, old]] : []
      const { version } = agentPackages[agent]
      const kept = old?.version === version ? verdictsOf(old) : {}
      const cases = caseNames.map((name) => ({
        name: caseTitles[name],
        verdict: now[name] ?? kept[name] ?? ('notTried' as const),
      }))
      return [[agent, { version, on, cases }]]
    }),
  )

/** Every agent and case whose verdict is worse now than it was, in words. */
export const worseThan = (before: Table, now: Table): string[] =>
  agents.flatMap((agent) => {
    const old = before[agent] ? verdictsOf(before[agent]) : {}
    const fresh = now[agent] ? verdictsOf(now[agent]) : {}
    return caseNames
      .filter((name) => rank(fresh[name]) < rank(old[name]))
      .map((name) => `${agent} ${caseTitles[name]}: ${fresh[name] ?? 'notTried'}, and was ${old[name] ?? 'notTried'}`)
  })

/** One row for each case, one column for each agent. */
export const markdownOf = (table: Table): string => {
  const columns = agents.filter((agent) => table[agent])
  const verdicts = new Map(columns.map((agent) => [agent, table[agent] ? verdictsOf(table[agent]) : {}]))
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['', ...columns]),
    row(['---', ...columns.map(() => '---')]),
    row(['version', ...columns.map((agent) => table[agent]?.version.split('-')[0] ?? '')]),
    ...caseNames.map((name) =>
      row([caseTitles[name], ...columns.map((agent) => words[verdicts.get(agent)?.[name] ?? 'notTried'])]),
    ),
  ].join('\n')
}

const verdictsOf = ({ cases }: Conformance): Verdicts =>
  Object.fromEntries(
    caseNames.flatMap((name) => {
      const found = cases.find((each) => each.name === caseTitles[name])
      return found ? [[name, found.verdict]] : []
    }),
  )

const rank = (verdict: Verdict | undefined): number =>
  verdict === undefined ? 0 : { failed: 0, notTried: 0, notOffered: 1, passed: 2 }[verdict]

const words: Readonly<Record<Verdict, string>> = { passed: 'yes', failed: '**no**', notOffered: '–', notTried: '?' }
