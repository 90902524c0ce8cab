import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FakeBridge, Scene } from './fixtures/fake-bridge.ts'
import { lookedBack, lookedBackLive, lookedBackLost } from './fixtures/past.ts'
import { now } from './fixtures/parts.ts'
import { lookBack, openBrowser, openLook } from './looks.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
})
afterEach(() => page.close())
afterAll(() => browser.close())

const wide = { width: 1_280, height: 800, colorScheme: 'light' } as const

const open = async (scene: Scene, ...keys: string[]) => {
  const opened = await openLook(browser, { name: 'past', scene, act: (look) => lookBack(look, ...keys) }, wide)
  page = opened.page
  page.setDefaultTimeout(5_000)
}

const slider = () => page.getByRole('slider', { name: 'Moment' })
const value = async () => (await slider().getAttribute('aria-valuetext')) ?? ''
const press = async (...keys: string[]) => {
  for (const key of keys) await slider().press(key)
  return value()
}
/** Presses a key until the moment is one of these. */
const pressUntil = async (key: string, words: string) => {
  for (let times = 0; times < 200; times += 1) if ((await press(key)).includes(words)) return
  throw new Error(`no moment says: ${words}`)
}
const asked = () => page.evaluate(() => (window.parley as FakeBridge | undefined)?.calls.map(({ name }) => name) ?? [])

test('keys go by event, by attempt, by round and to the ends, and every moment says what it is', async () => {
  await open(lookedBack, 'Home')
  expect(await value()).toMatch(/^\d\d:\d\d:\d\d, event 1 of \d+: the run: the run began → preparing$/)
  expect(await press('ArrowRight')).toContain('event 2 of')
  expect(await press('Shift+ArrowRight')).toContain('Claude in round 1: its answer is kept → completed')
  expect(await press('Shift+ArrowRight', 'Shift+ArrowLeft')).toContain('Claude in round 1: its answer is kept')
  expect(await press('PageDown')).toContain('round 1: an attempt settled → tallied')
  expect(await press('PageDown')).toContain('round 2: an attempt settled → tallied')
  expect(await press('End')).toContain('the run: the conclusion is written → agreed')
  expect(await press('PageUp')).toContain('round 4: an attempt settled → tallied')
})

test('at a moment board, chart, transcript and usage are as they were, and nothing later is there', async () => {
  await open(lookedBack, 'Home', 'PageDown', 'PageDown', 'Shift+ArrowRight')
  await pressUntil('ArrowRight', 'it asks you')
  await page.getByText(/^The bench ran: 41 ms at the$/).waitFor()
  await page.getByText('It waited for your answer then.').waitFor()
  const { panel, cells } = await page.evaluate(() => ({
    panel: document.querySelector('.past-head')?.textContent ?? '',
    cells: [...document.querySelectorAll('.board tbody td')].map((cell) => cell.textContent),
  }))
  expect(panel).toContain('Claude in round 3 was awaiting gate')
  expect(panel).toMatch(/Used by then.*52\.7k tokens/)
  expect(cells.slice(6, 12).map((words) => words.replace(/[\d:]+/, ''))).toEqual([
    '', '', '', 'not reached', 'not reached', 'not reached',
  ])
  expect(await page.locator('.chart-arrow[data-state=last] text').allTextContents()).toEqual(['it asks you'])
  expect(await page.locator('.chart-state[data-state=now]').getAttribute('data-id')).toContain('awaitingGate')
  await page.getByText(/^\d+ events came later and are hidden while you look back\.$/).waitFor()
  expect(await page.getByText('With the bound in place I agree.').count()).toBe(0)
  await page.getByRole('button', { name: 'Go to the end' }).click()
  await page.getByText('With the bound in place I agree.').waitFor()
})

test('nothing of the past can be pressed that would do something now', async () => {
  await open(lookedBackLive, 'Shift+ArrowLeft')
  await pressUntil('ArrowRight', 'it asks you')
  const pressed = await page.locator('.past button').evaluateAll((buttons) => {
    const inside = buttons.filter(({ textContent }) => !/Conversation|Back to now/.test(textContent))
    for (const button of inside) (button as HTMLButtonElement).click()
    return inside.length
  })
  expect(pressed).toBeGreaterThan(10)
  await page.keyboard.press('Control+.')
  await page.keyboard.press('1')
  const reads = new Set([
    'app.snapshot', 'agents.scan', 'conversation.open', 'run.events', 'run.timeline', 'attempt.output', 'run.open',
    'settings.save',
  ])
  expect((await asked()).filter((name) => !reads.has(name))).toEqual([])
})

test('what a run that goes on does meanwhile moves nothing, is counted, and is one button away', async () => {
  await open(lookedBackLive, 'Shift+ArrowLeft')
  const before = await value()
  const { run, turns, seq } = lookedBackLive.conversations['c-thumbs']!.runs[0]!
  const more = [1, 2, 3].map((step) => ({
    rootId: run.runId, seq: seq + step, at: now + step, machine: 'run' as const, actor: run.runId,
    type: 'computer.woke', cause: {}, value: { conferring: 'discussing' }, from: { conferring: 'discussing' },
  }))
  await page.evaluate(
    ([runId, events]) => {
      const bridge = window.parley as FakeBridge & { call: (name: string, input: unknown) => Promise<unknown> }
      const call = bridge.call.bind(bridge)
      bridge.call = async (name: string, input: unknown) => {
        const reply = (await call(name as never, input as never)) as { value?: { events: unknown[] } }
        const { after } = input as { after: number }
        if (name === 'run.timeline' && reply.value) reply.value.events.push(...events.filter((one) => one.seq > after))
        return reply as never
      }
      return runId
    },
    [run.runId, more] as const,
  )
  await page.evaluate(
    (pushed) => (window.parley as FakeBridge | undefined)?.push(pushed as never),
    [{ topic: 'run.changed', seq: 1, at: now, body: { run, actors: [], turns, events: more, seq: seq + 3 } }],
  )
  await page.getByText('3 events came since.').waitFor()
  expect((await value()).replace(/of \d+/, '')).toBe(before.replace(/of \d+/, ''))
  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

test('a run that a crash left ends with the moment at which it was found, and Escape leaves the past', async () => {
  await open(lookedBackLost)
  expect(await value()).toContain('found lost by a restart')
  await page.getByText('Nothing on record led here').first().waitFor()
  expect(await press('ArrowLeft')).toContain('its process started → streaming')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

test('the slider is dragged to the nearest moment, and a click in the list goes to its event', async () => {
  await open(lookedBack)
  const box = await slider().boundingBox()
  if (!box) throw new Error('the slider is not drawn')
  await page.mouse.move(box.x + box.width - 4, box.y + box.height - 10)
  await page.mouse.down()
  await page.mouse.move(box.x - 2, box.y + box.height - 10, { steps: 4 })
  await page.mouse.up()
  expect(await value()).toContain('event 1 of')
  await page.getByRole('option', { name: /checks passed/ }).click()
  expect(await value()).toContain('event 2 of')
  expect(await page.getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe('2')
})
