import type { Page } from 'playwright-core'
import { build } from 'vite'
import { historyOf } from '../../renderer/past/moments.ts'
import { Positions } from '../../renderer/past/positions.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { ledgerOf } from '../window/fixtures/history.ts'
import {
  conversationOf, minute, now, rowOf, runOf, sceneOf, second, turnOf, viewOf, vote,
} from '../window/fixtures/parts.ts'
import { lookBack, openBrowser, openLook, views } from '../window/looks.ts'
import { median, medianOf, type Figure } from './figure.ts'

const roundsOfRun = 10
const seats = ['codex', 'claude', 'sceptic', 'bold', 'careful']
const wakesPerTurn = 193

/** How long one step through a run of ten thousand events takes: the fold alone, and in the window until painted. */
export const measureLookingBack = async (): Promise<Figure[]> => {
  const { scene, events, end } = longHistory()
  const history = historyOf(events, end)
  const positions = new Positions(history.moments)
  positions.at(history.moments.length - 1)
  const fold = medianOf(500, (repeat) => positions.at((repeat * 7_919) % history.moments.length))
  await build({ logLevel: 'error' })
  const browser = await openBrowser()
  try {
    const look = { name: 'looking back', scene, act: (opened: Page) => lookBack(opened) }
    const { page } = await openLook(browser, look, views[0]!)
    const all = Number(await page.getByRole('slider').getAttribute('aria-valuemax'))
    const back = await stepped(page, 'ArrowLeft', 120)
    await page.getByRole('slider').press('Home')
    const on = await stepped(page, 'ArrowRight', 120)
    const byRound = await stepped(page, 'PageDown', 9)
    const steps = [...back, ...on]
    return [
      { what: `one step of ${all.toLocaleString('en-US')} events, folded`, value: fold, unit: 'ms', budget: null },
      { what: '  in the window, work until it is laid out', value: middle(steps, 'work'), unit: 'ms', budget: null },
      { what: '  until it is painted', value: middle(steps, 'painted'), unit: 'ms', budget: stepBudget },
      { what: '  until it is painted, 95 of 100', value: highest(steps, 'painted', 0.95), unit: 'ms', budget: null },
      { what: '  by round, the longest', value: highest(byRound, 'painted', 1), unit: 'ms', budget: null },
    ]
  } finally {
    await browser.close()
  }
}

const stepBudget = { atMost: 33 }

interface Timed {
  work: number
  painted: number
}

const middle = (steps: readonly Timed[], what: keyof Timed) => median(steps.map((step) => step[what]))
const highest = (steps: readonly Timed[], what: keyof Timed, part: number) =>
  steps.map((step) => step[what]).toSorted((a, b) => a - b)[Math.ceil(steps.length * part) - 1] ?? Number.NaN

/** Presses a key at the slider so often, one after the other, and measures each in the page. */
const stepped = (page: Page, key: string, times: number): Promise<Timed[]> =>
  page.evaluate(
    async ([pressed, count]) => {
      const slider = document.querySelector<HTMLElement>('[role=slider]')
      if (!slider) throw new Error('there is no slider')
      const steps: { work: number; painted: number }[] = []
      for (let time = 0; time < count; time += 1) {
        const before = performance.now()
        slider.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }))
        await Promise.resolve()
        document.body.getBoundingClientRect()
        const work = performance.now() - before
        // the task after the next frame begins when that frame has been drawn
        await new Promise((done) => {
          requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.addEventListener('message', done)
            channel.port1.start()
            channel.port2.postMessage(null)
          })
        })
        steps.push({ work, painted: performance.now() - before })
      }
      return steps
    },
    [key, times] as const,
  )

/** Five agents in ten rounds, in a computer that slept often. */
function longHistory() {
  const run = runOf('r-years', 'c-years', 'What did we say all day?', {
    status: 'roundsUp',
    round: roundsOfRun,
    policy: { ...runOf('r', 'c', '').policy, rounds: roundsOfRun, blindFirst: false },
    seats: seats.map((seat) => ({ seat, agent: turnOf(runOf('r', 'c', ''), seat, 1, '').agent, standing: 'seated' })),
    startedAt: now - 60 * minute,
    settledAt: now - second,
  })
  const turns = Array.from({ length: roundsOfRun * seats.length }, (_, index) => {
    const calledAt = run.startedAt + second + index * minute
    const round = 1 + Math.floor(index / seats.length)
    return turnOf(run, seats[index % seats.length] ?? '', round, paragraphs(index), {
      calledAt,
      startedAt: calledAt + 400,
      settledAt: calledAt + 55 * second,
      vote: vote('continue', `Position ${index}`),
    })
  })
  const events: LedgerEvent[] = ledgerOf(run, turns, [], wakesPerTurn)
  const row = rowOf('c-years', 'A long day', { status: 'roundsUp', updatedAt: now })
  const conversations = { 'c-years': conversationOf(row, [viewOf(run, turns, events)]) }
  const scene = sceneOf({ conversations: [row] }, { conversations, events: { [run.runId]: events } })
  return { scene, events, end: { run, images: [], turns, gates: [], gateEvents: [] } }
}

const paragraphs = (index: number) =>
  Array.from({ length: 6 }, (_, part) => `Point ${index}.${part}: **what** was said, ${'more of it '.repeat(20)}`)
    .join('\n\n')
