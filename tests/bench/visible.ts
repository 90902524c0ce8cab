import { ask, openBenchWindow, showConversation } from './bench-window.ts'
import type { OutputRow } from '../../shared/view.ts'
import { quantile, type Figure } from './figure.ts'
import { removeFolder, seededFolder } from './seed.ts'

const words = 1_000
const wordMs = 1_000 / 120

/** From what an agent says, at the speed of a model, to a frame that shows it; it is durable before it is shown. */
export const measureVisible = async (): Promise<Figure[]> => {
  const folder = seededFolder({ conversations: 50, runsPerConversation: 20, turnsPerRun: 9 })
  const saidAt: number[] = []
  const shown = Promise.withResolvers<void>()
  const window = await openBenchWindow(folder, async ({ say }) => {
    say('It begins: ')
    await shown.promise
    const begun = performance.now()
    while (saidAt.length < words) {
      await new Promise((done) => { setTimeout(done, 1) })
      while (saidAt.length < words && performance.now() - begun >= saidAt.length * wordMs) {
        say(`w${saidAt.length}${saidAt.length % 60 === 59 ? '.\n\n' : ' '}`)
        saidAt.push(Date.now())
      }
    }
  })
  try {
    const conversationId = await showConversation(window, { kind: 'direct', members: ['claude'] })
    const durableAt: number[] = []
    window.composition.onPush((topic, body) => {
      if (topic !== 'output.added' || !('rows' in body) || !('runId' in body)) return
      const last = Number(/w(\d+)\D*$/.exec(textOf(body.rows))?.[1] ?? -1)
      while (durableAt.length <= last) durableAt.push(Date.now())
    })
    const seen = window.page.evaluate(whenSeen, words)
    await ask(window, conversationId)
    await window.page.locator('.turn .said').waitFor()
    shown.resolve()
    const seenAt = await seen
    const delays = saidAt.map((at, index) => (seenAt[index] ?? Number.NaN) - at)
    const stored = saidAt.map((at, index) => (durableAt[index] ?? Number.NaN) - at)
    return [
      {
        what: 'an event to durable to visible, the slowest of 20',
        value: quantile(delays, 0.95),
        unit: 'ms',
        budget: { atMost: 60 },
      },
      { what: '  every second one', value: quantile(delays, 0.5), unit: 'ms', budget: null },
      { what: '  until it is durable, the slowest of 20', value: quantile(stored, 0.95), unit: 'ms', budget: null },
      { what: '  until it is durable, every second one', value: quantile(stored, 0.5), unit: 'ms', budget: null },
    ]
  } finally {
    await window.close()
    removeFolder(folder)
  }
}

const textOf = (rows: readonly OutputRow[]) =>
  rows.map(({ item }) => (item.type === 'text' ? item.delta : '')).join('')

/** Runs in the page: at which frame each word was there. */
const whenSeen = async (count: number): Promise<number[]> => {
  const seen: number[] = []
  while (seen.length < count) {
    await new Promise((done) => { requestAnimationFrame(done) })
    const shown = document.querySelector('.turn .said')?.textContent ?? ''
    const last = Number(/w(\d+)\D*$/.exec(shown)?.[1] ?? -1)
    while (seen.length <= last) seen.push(Date.now())
  }
  return seen
}
