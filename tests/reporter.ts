import { writeSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends a run's output with one plain line, `N passed, N failed`, that a person and a script read alike; what was
 * skipped stands on the line before it.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const line = closingLine(count(modules, unhandledErrors.length))
    // written as the process exits, so that nothing can follow it
    process.once('exit', () => writeSync(process.stdout.fd, `\n${line}\n`))
  }
}

interface Tally {
  passed: number
  failed: number
  skipped: number
}

const closingLine = ({ passed, failed, skipped }: Tally) =>
  (skipped > 0 ? `${skipped} skipped\n` : '') + `${passed} passed, ${failed} failed`

function count(modules: readonly TestModule[], unhandledErrors: number): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const having = (state: ReturnType<TestCase['result']>['state']) =>
    tests.filter((test) => test.result().state === state).length
  const passed = having('passed')
  const failed = having('failed')
  return {
    passed,
    failed: failed + modules.filter(failedOutsideTests).length + unhandledErrors,
    skipped: tests.length - passed - failed,
  }
}

/** A file that could not be loaded, or whose hooks failed, counts as one failure although no test of it failed. */
const failedOutsideTests = (module: TestModule) =>
  module.state() === 'failed' && ![...module.children.allTests('failed')].length
