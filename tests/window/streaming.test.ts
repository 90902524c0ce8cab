import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Envelope } from '../../shared/ipc.ts'
import type { FakeBridge } from './fixtures/fake-bridge.ts'
import { running } from './fixtures/scenes.ts'
import { streamed } from './fixtures/streamed.ts'
import { openBrowser, openLook } from './looks.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const open = async () => {
  const { page } = await openLook(
    browser,
    { name: 'streaming', scene: running },
    { width: 1_280, height: 800, colorScheme: 'light' },
  )
  return page
}

const piece = (seq: number) => streamed(seq, ` word ${seq}, and then some more of it.`)

const stream = (page: Page, envelopes: Envelope[]) =>
  page.evaluate(async (pushed) => {
    const bridge = window.parley as FakeBridge | undefined
    const frame = () =>
      new Promise((done) => {
        requestAnimationFrame(done)
      })
    for (const envelope of pushed) {
      bridge?.push([envelope])
      await frame()
    }
    await frame()
  }, envelopes)

const pieces = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => piece(from + index))
const box = (page: Page) =>
  page.evaluate(() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector('.transcript') ?? document.body
    return { top: scrollTop, left: scrollHeight - scrollTop - clientHeight }
  })
const place = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { x, y, width } = element.getBoundingClientRect()
    return { x, y, width }
  })

test('while the reader is at the end, the newest line stays in sight', async () => {
  const page = await open()
  await stream(page, pieces(1, 40))
  expect((await box(page)).left).toBeLessThanOrEqual(1)
  expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
  await page.close()
})

test('while the reader is elsewhere nothing moves under them, and one button leads back', async () => {
  const page = await open()
  await page.locator('.transcript').evaluate((element) => element.scrollTo({ top: 40 }))
  const jump = page.getByRole('button', { name: 'Jump to latest' })
  await jump.waitFor()
  const before = { ...(await box(page)), turn: await place(page, '[data-attempt="a-r-thumbs-3-codex"]') }
  await stream(page, pieces(1, 40))
  expect({ top: (await box(page)).top, turn: await place(page, '[data-attempt="a-r-thumbs-3-codex"]') }).toEqual({
    top: before.top,
    turn: before.turn,
  })
  await jump.click()
  await jump.waitFor({ state: 'detached' })
  expect((await box(page)).left).toBeLessThanOrEqual(1)
  await page.close()
})

test('streaming moves neither the columns nor the composer, and the first lines have their room', async () => {
  const page = await open()
  const frame = async () => [
    await place(page, '.main'),
    await place(page, '.panel'),
    await place(page, '.composer'),
    await place(page, '.chart'),
  ]
  const before = await frame()
  expect(
    await page.locator('[data-attempt="a-r-thumbs-3-sceptic"] .turn-body').evaluate(({ clientHeight }) => clientHeight),
  ).toBeGreaterThanOrEqual(63)
  await stream(page, pieces(1, 60))
  expect(await frame()).toEqual(before)
  await page.close()
})
