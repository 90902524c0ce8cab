import { readdirSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openRealWindow } from '../window/real-window.ts'
import type { AgentId } from '../../shared/agent.ts'
import { settled } from '../../shared/run.ts'
import { buildWindow, type BenchWindow } from './bench-window.ts'
import type { Figure } from './figure.ts'
import { removeFolder } from './seed.ts'

/** What one look found: megabytes of live memory, open files, and processes of ours that live between two runs. */
interface Sample {
  minutes: number
  mainMB: number
  pageMB: number
  descriptors: number
  processes: number
}

const members: AgentId[] = ['rehearsal:bold', 'rehearsal:careful', 'rehearsal:sceptic']
const sampleEveryMs = 30_000
/** What fills caches and warms up compilers is no trend. */
const settlingPart = 1 / 3

/** Real rehearsal agents confer in the real window, one discussion after another, for so many minutes. */
export const measureSoak = async (minutes: number): Promise<Figure[]> => {
  buildWindow()
  const folder = mkdtempSync(join(tmpdir(), 'parley-soak-'))
  const window = await openRealWindow({ folder, pace: '0.05' })
  window.page.setDefaultTimeout(60_000)
  const look = await looksInto(window)
  const samples: Sample[] = []
  let discussions = 0
  try {
    const begun = performance.now()
    const elapsed = () => (performance.now() - begun) / 60_000
    for (let next = 0; elapsed() < minutes;) {
      await discuss(window, discussions)
      discussions += 1
      if (performance.now() - begun < next) continue
      const sample = await look(elapsed())
      samples.push(sample)
      process.stderr.write(`${JSON.stringify(sample)}\n`)
      next = performance.now() - begun + sampleEveryMs
    }
  } finally {
    await window.close()
    removeFolder(folder)
  }
  const settledSamples = samples.slice(Math.floor(samples.length * settlingPart))
  const trend = (of: Exclude<keyof Sample, 'minutes'>, unit: Figure['unit'], atMost: number): Figure => ({
    what: `  ${names[of]}, trend`,
    value: slopePerHour(settledSamples.map((sample) => [sample.minutes, sample[of]])),
    unit,
    budget: { atMost },
  })
  return [
    { what: `soak of ${minutes} minutes, discussions`, value: discussions, unit: '×', budget: null },
    trend('mainMB', 'MB/h', 10),
    trend('pageMB', 'MB/h', 20),
    trend('descriptors', '/h', 2),
    trend('processes', '/h', 1),
  ]
}

const names = {
  mainMB: 'live memory of main',
  pageMB: 'live memory of the page',
  descriptors: 'open files of main',
  processes: 'processes between runs',
}

/** A new conversation in sight and one discussion in it, its question answered, to its end. */
const discuss = async ({ page, composition, folder }: BenchWindow, number: number) => {
  const { handlers } = composition
  const ended = Promise.withResolvers<void>()
  const stop = composition.onPush((topic, body) => {
    if (topic === 'run.changed' && 'run' in body && settled(body.run.status)) ended.resolve()
    if (topic !== 'gates.changed' || !('gates' in body)) return
    for (const { gateId, status, options } of body.gates) {
      const optionId = options[0]?.optionId
      if (status === 'waiting' && optionId) void handlers['gate.answer']({ gateId, optionId, note: null })
    }
  })
  const name = `Discussion ${number}`
  const { conversationId } = await handlers['conversation.create']({
    kind: 'group', name, members, workdir: folder, allowWrite: false, settings: { rounds: 2, blindFirst: true },
  })
  await page.getByRole('button', { name: new RegExp(`${name}\\b`) }).first().click()
  await handlers['message.send']({
    conversationId, text: `Is it to be number ${number} or another?`, targets: null, settings: null,
    unlimitedConfirmed: false,
  })
  await ended.promise
  stop()
}

const looksInto = async ({ page }: BenchWindow) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const protocol = await page.context().newCDPSession(page)
  return async (minutes: number): Promise<Sample> => {
    collect()
    await protocol.send('HeapProfiler.collectGarbage')
    const { usedSize } = await protocol.send('Runtime.getHeapUsage')
    const { heapUsed, external } = process.memoryUsage()
    return {
      minutes,
      mainMB: (heapUsed + external) / 2 ** 20,
      pageMB: usedSize / 2 ** 20,
      descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
      processes: process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length,
    }
  }
}

/** The slope of the straight line that fits best, for each hour. */
const slopePerHour = (points: readonly (readonly [minutes: number, value: number])[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return (over / under) * 60
}
