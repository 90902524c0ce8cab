import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { Processes } from '../../adapters/process.ts'
import { caseNames, whyWithout, type CaseName } from './cases.ts'
import { adapterOf } from './drive.ts'
import { agentPackages, type RealAgent } from './install.ts'
import { markdownOf, merge, worseThan, type Table, type Verdict } from './table.ts'

/**
 * Prints which real agent passed which case. Fails a run whose verdicts are worse than those that are kept, and keeps
 * its verdicts where `PARLEY_WRITE_TABLE` is set.
 */
export default class ConformanceTable implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]) {
    const run = verdictsIn(modules.flatMap((module) => [...module.children.allTests()]))
    if (Object.keys(run).length === 0) return
    // only now, as another run may have ended meanwhile
    const { tested } = await import('../../adapters/tested.ts')
    const before: Table = tested
    const now = merge(before, run, new Date().toISOString().slice(0, 10))
    console.info(`\n${markdownOf(now)}\n`)
    if (process.env.PARLEY_WRITE_TABLE) return keep(now)
    for (const sentence of worseThan(before, now)) {
      console.error(`worse than before: ${sentence}`)
      process.exitCode = 1
    }
  }
}

type Run = Partial<Record<RealAgent, Partial<Record<CaseName, Verdict>>>>

const verdictsIn = (tests: readonly TestCase[]): Run => {
  const run: Run = {}
  for (const test of tests) {
    const { conformance } = test.meta()
    const state = test.result().state
    if (!conformance || state === 'pending' || (state === 'skipped' && !isLost(test))) continue
    for (const agent of conformance.agents) {
      const verdicts = (run[agent] ??= notOffered(agent))
      // one that takes part twice must pass twice
      if (verdicts[conformance.name] !== 'failed') verdicts[conformance.name] = state === 'passed' ? 'passed' : 'failed'
    }
  }
  return run
}

/** Not left out by whoever ran the tests, but by what went wrong before them. */
const isLost = ({ module }: TestCase): boolean =>
  [module, ...module.children.allSuites()].some((each) => each.errors().length > 0)

const notOffered = (agent: RealAgent): Partial<Record<CaseName, Verdict>> => {
  const adapter = adapterOf(agent, new Processes(), { env: {} })
  return Object.fromEntries(
    caseNames.filter((name) => whyWithout(agent, name, adapter) !== null).map((name) => [name, 'notOffered']),
  )
}

const root = join(import.meta.dirname, '..', '..')

const keep = (table: Table): void => {
  const source = join(root, 'adapters', 'tested.ts')
  const [head = ''] = readFileSync(source, 'utf8').split(' = {')
  const rows = Object.entries(table).map(([agent, { version, on, cases }]) => {
    const lines = cases.map(({ name, verdict }) => `      { name: '${name}', verdict: '${verdict}' },\n`)
    return `  ${agent}: {\n    version: '${version}',\n    on: '${on}',\n    cases: [\n${lines.join('')}    ],\n  },\n`
  })
  writeFileSync(source, `${head} = {\n${rows.join('')}}\n`)
  const page = join(root, 'docs', 'agents.md')
  const [before = '', after = ''] = readFileSync(page, 'utf8').split(betweenMarkers)
  const days = Object.keys(agentPackages).flatMap((agent) => table[agent as RealAgent]?.on ?? [])
  writeFileSync(page, `${before}\n${markdownOf(table)}\n\nLast tried on ${days.toSorted().at(-1)}.\n\n${after}`)
}

const betweenMarkers = /(?<=<!-- tried -->\n)[\s\S]*?(?=<!-- \/tried -->)/
