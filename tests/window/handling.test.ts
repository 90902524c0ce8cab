import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '../../shared/ipc.ts'
import { crowded } from './fixtures/crowded.ts'
import type { FakeBridge, Scene } from './fixtures/fake-bridge.ts'
import { now } from './fixtures/parts.ts'
import { empty, gates, running } from './fixtures/scenes.ts'
import { streamed } from './fixtures/streamed.ts'
import { openBrowser, openLook } from './looks.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
})
afterEach(() => page.close())
afterAll(() => browser.close())

const wide = { width: 1_280, height: 800, colorScheme: 'light' } as const
const narrow = { width: 900, height: 600, colorScheme: 'light' } as const

const open = async (scene: Scene, view: typeof wide | typeof narrow = wide) => {
  const opened = await openLook(browser, { name: 'handling', scene }, view)
  page = opened.page
  page.setDefaultTimeout(5_000)
  return page
}

const push = (...envelopes: Envelope[]) =>
  page.evaluate((pushed) => (window.parley as FakeBridge | undefined)?.push(pushed), envelopes)
const frame = () =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done))
      }),
  )
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement
    return {
      isLost: element === null || element === document.body,
      name: element?.getAttribute('aria-label') ?? element?.textContent ?? '',
      region: element?.closest('[data-region]')?.className ?? '',
    }
  })

describe('the focus is never lost', () => {
  test('when a gate is answered', async () => {
    await open(running)
    await page.keyboard.press('g')
    await push({
      topic: 'gates.changed',
      seq: 1,
      at: now,
      body: { gates: [{ ...running.snapshot.gates[0]!, status: 'expired', endReason: 'expired', settledAt: now }] },
    })
    await page.locator('.gate-settled').waitFor()
    expect(await focused()).toMatchObject({ isLost: false, region: 'transcript' })
  })

  test('when a sentence for a gate is not written after all', async () => {
    await open(running)
    await page.keyboard.press('g')
    await page.keyboard.press('3')
    await page.locator('.gate-note').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.gate-note').waitFor({ state: 'detached' })
    expect((await focused()).name).toContain('Deny, say why')
  })

  test('when a menu is left, and it opens to the arrow keys', async () => {
    await open(empty)
    const button = page.getByRole('button', { name: 'Change who is at the table' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    expect((await focused()).name).toContain('Codex')
    await page.keyboard.press('Escape')
    expect((await focused()).name).toBe('Change who is at the table')
  })

  test('when a name is given, and when the question to delete is left', async () => {
    await open(running)
    await page.getByRole('button', { name: 'Actions for Token rotation' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'New name' }).waitFor({ state: 'detached' })
    await frame()
    expect(await focused()).toMatchObject({ isLost: false, region: 'sidebar' })
    await page.getByRole('button', { name: 'Actions for Token rotation' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: /^Delete/ }).waitFor({ state: 'detached' })
    await frame()
    expect(await focused()).toMatchObject({ isLost: false, region: 'sidebar' })
  })

  test('when the palette leads somewhere else', async () => {
    await open(running)
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('open what needs')
    await page.keyboard.press('Enter')
    await page.locator('.inbox').waitFor()
    await frame()
    expect((await focused()).isLost).toBe(false)
  })

  test('when a drawer closes', async () => {
    await open(running, narrow)
    await page.getByRole('button', { name: 'Diagram', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Trace' }).focus()
    await page.keyboard.press('Escape')
    await page.locator('.panel').waitFor({ state: 'detached' })
    await frame()
    expect((await focused()).isLost).toBe(false)
  })

  test('when an attempt is closed', async () => {
    await open(running)
    await page.getByRole('button', { name: /^Claude, round 2/ }).first().click()
    await page.getByRole('button', { name: 'Conversation', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.transcript').waitFor()
    await frame()
    expect(await focused()).toMatchObject({ isLost: false, region: 'transcript' })
  })
})

test('F6 goes round the regions and comes back to the first, and Shift goes the other way', async () => {
  await open(running)
  const seen: string[] = []
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('F6')
    seen.push((await focused()).region)
  }
  const round = seen.slice(0, seen.indexOf(seen[0] ?? '', 1))
  expect(round.map((name) => name.split(' ')[0])).toEqual([
    'sidebar',
    'main',
    'bar',
    'transcript',
    'composer',
    'panel',
    'chart-scroll',
  ])
  await page.keyboard.press('F6')
  const at = (await focused()).region
  await page.keyboard.press('F6')
  await page.keyboard.press('Shift+F6')
  expect((await focused()).region).toBe(at)
})

test('J and K go through what is in a list, and the inbox follows', async () => {
  await open(gates)
  await page.getByRole('button', { name: /^Needs you: / }).click()
  await page.locator('.inbox-row').first().focus()
  await page.keyboard.press('j')
  expect(await page.locator('.inbox-row[aria-current]').textContent()).toContain('Claude asks to run a command')
  expect(await page.locator('.inbox-detail h2').textContent()).toBe('Claude asks to run a command')
  await page.keyboard.press('k')
  expect(await page.locator('.inbox-detail h2').textContent()).toBe('Let Codex try again?')
})

const piece = (seq: number) => streamed(seq, `\n\nParagraph ${seq}: ${'and some more of it '.repeat(12)}`)

test('text that grows by whole paragraphs in a frame keeps the reader at its end', async () => {
  await open(running)
  for (let seq = 1; seq <= 60; seq += 2) await push(piece(seq), piece(seq + 1))
  await frame()
  const left = await page
    .locator('.transcript')
    .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
  expect(left).toBeLessThanOrEqual(1)
  expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0)
})

const moved = (seq: number, value: Envelope extends never ? never : string | Record<string, string>): Envelope => {
  const view = running.conversations['c-thumbs']!.runs[0]!
  return {
    topic: 'run.changed',
    seq,
    at: now,
    body: {
      run: view.run,
      turns: [],
      events: [],
      seq: view.seq + seq,
      actors: [
        { machine: 'run', actor: view.run.runId, value, last: { type: 'round.ended', at: now, from: null } },
      ],
    },
  }
}
const isInSight = (id: string) =>
  page.locator(`.panel [data-id="${id}"]`).evaluate((state) => {
    const box = state.closest('.scroll')?.getBoundingClientRect()
    const place = state.getBoundingClientRect()
    return box !== undefined && place.top >= box.top && place.bottom <= box.bottom
  })

test('the state that the chart is in comes in sight when it changes, but not under who scrolled away', async () => {
  await open(running)
  await page.setViewportSize({ width: 1_280, height: 640 })
  await push(moved(1, { concluding: 'unwritten' }))
  await frame()
  expect(await isInSight('concluding.unwritten')).toBe(true)
  await page.locator('.panel .scroll').evaluate((box) => box.scrollTo({ top: 0 }))
  await frame()
  expect(await isInSight('concluding.unwritten')).toBe(false)
  await push(moved(2, { concluding: 'writing' }))
  await push(moved(3, 'agreed'))
  await frame()
  expect(await page.locator('.panel .scroll').evaluate(({ scrollTop }) => scrollTop)).toBe(0)
})

test('the line of life keeps its place while it ticks', async () => {
  await open(running)
  const places = () =>
    page.locator('.life li, .panel .chart').evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return { x, y, width, height }
      }),
    )
  const before = await places()
  await page.clock.setFixedTime(now + 9_000)
  await page.waitForFunction(() => document.querySelector('.life')?.textContent.includes('last output 9 s ago'))
  expect(await places()).toEqual(before)
  await page.clock.setFixedTime(now + 29 * 60_000 + 59_000)
  await page.waitForFunction(() => document.querySelector('.life')?.textContent.includes('silent for'))
  expect(await places()).toEqual(before)
})

test('what agents write can do nothing in the page', async () => {
  await open(crowded)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('button', { name: /^Round 8/ }).first().click()
  await page.getByText('<style>body { display: none }</style>').first().waitFor()
  const said = page.locator('.said')
  expect(await said.locator('script, style, iframe, img, [onclick]').count()).toBe(0)
  expect(
    await said.locator('a').evaluateAll((links) => [...new Set(links.map((link) => (link as HTMLAnchorElement).href))]),
  ).toEqual(['https://example.org/'])
  expect(asked).toEqual([])
})

test('nothing that is long pushes anything out of its column', async () => {
  await open(crowded)
  await page.getByRole('button', { name: /^Round 8/ }).first().click()
  const wider = await page.evaluate(() =>
    [...document.querySelectorAll('.sidebar, .main, .transcript, .composer, .panel, .panel .scroll, .bar')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`),
  )
  expect(wider).toEqual([])
})

test('the panel widens only as far as the conversation keeps its room', async () => {
  await open(running)
  const edge = page.getByRole('separator', { name: 'Width of the panel' })
  await edge.focus()
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('ArrowLeft')
  const width = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().width)
  expect(await width('.main')).toBeGreaterThanOrEqual(400)
  expect(await edge.getAttribute('aria-valuenow')).toBe(String(Math.round(await width('.panel'))))
})
