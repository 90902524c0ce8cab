import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compose } from '../../electron/compose.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { benchOptions } from './bench-options.ts'
import { median, type Figure } from './figure.ts'
import { removeFolder } from './seed.ts'

const interrupted = 100
const repeats = 5

/** What a start does after a crash in the middle of a hundred runs: from nothing to every one of them settled. */
export const measureRestart = async (): Promise<Figure[]> => {
  const crashed = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const script = fileURLToPath(new URL('./leave-running.ts', import.meta.url))
  const { signal } = spawnSync(process.execPath, [...process.execArgv, script, crashed, String(interrupted)], {
    stdio: 'inherit',
  })
  if (signal !== 'SIGKILL') throw new Error('The runs were not begun.')
  try {
    const [times, works]: [number[], number[]] = [[], []]
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const { time, work } = await startOver(crashed)
      times.push(time)
      works.push(work)
    }
    return [
      {
        what: 'a start after a crash, 100 interrupted runs',
        value: median(times),
        unit: 'ms',
        budget: { atMost: 500 },
      },
      { what: '  for which main works', value: median(works), unit: 'ms', budget: null },
    ]
  } finally {
    removeFolder(crashed)
  }
}

const startOver = async (crashed: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  cpSync(crashed, folder, { recursive: true })
  const composition = compose({ ...benchOptions(folder), adapters: () => [new FakeAdapter(() => undefined)] })
  const [before, worked] = [performance.now(), process.cpuUsage()]
  await composition.start()
  const time = performance.now() - before
  const { user, system } = process.cpuUsage(worked)
  const { app } = await composition.handlers['app.snapshot']({})
  await composition.quit('forced')
  removeFolder(folder)
  if (app.recovered?.runsInterrupted !== interrupted)
    throw new Error(`Only ${app.recovered?.runsInterrupted ?? 0} runs were found interrupted.`)
  return { time, work: (user + system) / 1_000 }
}
