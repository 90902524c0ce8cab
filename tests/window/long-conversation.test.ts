import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Handlers } from '../../shared/ipc.ts'
import { runsPageMax } from '../../shared/limits.ts'
import { seededFolder } from '../bench/seed.ts'
import { FakeAdapter, type Script } from '../fakes/fake-adapter.ts'
import { openRealWindow } from './real-window.ts'

const runs = 3 * runsPageMax
/** What the agent says next, while a test wants it to speak. */
const speaking = Promise.withResolvers<void>()
const piece = (number: number) => `word ${number} and more. `

/** Speaks as fast as a model does until the test has heard enough. */
const speaks: Script = async ({ say }) => {
  let number = 0
  const timer = setInterval(() => say(piece(number++)), 8)
  await speaking.promise
  clearInterval(timer)
  say('The end.')
}

let window: Awaited<ReturnType<typeof openRealWindow>>
/** The places from which pages of the conversation were read, `null` for its end. */
const reads: (string | null)[] = []

beforeAll(async () => {
  const folder = seededFolder({ conversations: 1, runsPerConversation: runs, turnsPerRun: 3 })
  window = await openRealWindow({ folder, agents: [new FakeAdapter(speaks)] })
  window.page.setDefaultTimeout(10_000)
  const handlers: Handlers = window.composition.handlers
  const openConversation = handlers['conversation.open']
  handlers['conversation.open'] = (input) => {
    reads.push(input.before)
    return openConversation(input)
  }
  await window.page.getByRole('button', { name: /Seeded talk 1/ }).first().click()
  await window.page.getByText(`Question ${runs}, and some words`).waitFor()
})
afterAll(async () => {
  await window.close()
  window.remove()
})

const box = (page: Page) => page.locator('.transcript')
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const drawn = (page: Page) => page.locator('section.run').count()
const places = (page: Page) => page.locator('.run-place').count()
const scrollTo = (page: Page, top: number) => box(page).evaluate((element, y) => element.scrollTo({ top: y }), top)
const twoFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => { requestAnimationFrame(done) })
  })

/** The question that is topmost in sight, and how far below the box's top it is. */
const topmost = (page: Page) =>
  box(page).evaluate((element) => {
    const edge = element.getBoundingClientRect().top
    const found = [...element.querySelectorAll('section.run')]
      .map((run) => ({ run: run.getAttribute('data-run'), y: Math.round(run.getBoundingClientRect().top - edge) }))
      .find(({ y }) => y >= 0)
    return found ?? null
  })

test('one bounded read opens a long conversation at its end', async () => {
  expect(reads).toEqual([null])
  expect(await places(window.page)).toBe(runsPageMax)
  const { left } = await box(window.page).evaluate(({ scrollTop, scrollHeight, clientHeight }) =>
    ({ left: scrollHeight - scrollTop - clientHeight }))
  expect(left).toBeLessThanOrEqual(1)
})

test('older pages come as the reader scrolls, what is read keeps its place, and what is far is not drawn', async () => {
  const { page } = window
  while ((await places(page)) < runs) {
    const known = await places(page)
    await scrollTo(page, 300)
    await twoFrames(page)
    const before = await topmost(page)
    await page.waitForFunction((count) => document.querySelectorAll('.run-place').length > count, known)
    await twoFrames(page)
    expect(await topmost(page)).toEqual(before)
  }
  expect(reads.length).toBe(3)
  await scrollTo(page, 0)
  await page.getByText('Question 1, and some words').waitFor()
  expect(await drawn(page)).toBeLessThan(runs / 2)
})

test('a round that was opened is open again when the reader comes back to it', async () => {
  const { page } = window
  const round = page.locator('[data-run="run-seed-1"] .round-line')
  await round.click()
  // what has the focus is not taken away
  await message(page).focus()
  await scrollTo(page, 1_000_000)
  await round.waitFor({ state: 'detached' })
  await scrollTo(page, 0)
  await round.waitFor()
  expect(await round.getAttribute('aria-expanded')).toBe('true')
})

test('twenty reloads while an agent speaks change nothing in the ledger, and show the same text', async () => {
  const { page, composition: { handlers } } = window
  const { conversationId } = await handlers['conversation.create']({
    kind: 'direct', name: 'Reloaded', members: ['rehearsal:bold'], workdir: window.folder, allowWrite: false,
    settings: null,
  })
  await page.getByRole('button', { name: /Reloaded/ }).first().click()
  await message(page).fill('Go on?')
  await message(page).press('Enter')
  const said = page.locator('[aria-busy="true"] .said')
  await said.waitFor()
  const live = (await handlers['conversation.open']({ conversationId, before: null })).runs[0]!.run.runId
  const ledger = async () => JSON.stringify([
    await handlers['run.events']({ runId: live, after: 0, limit: 500 }),
    await handlers['run.open']({ runId: `run-seed-${runs}` }),
    await handlers['attempt.output']({ attemptId: `attempt-seed-${runs}-3`, after: 0, limit: 500 }),
  ])
  const stored = async () => (await handlers['run.open']({ runId: live })).turns[0]!.text
  const before = await ledger()
  const wrong: string[] = []
  for (let reload = 1; reload <= 20; reload += 1) {
    const written = (await stored()).trim()
    await page.reload({ waitUntil: 'commit' })
    await said.waitFor()
    const shown = (await said.innerText()).trim()
    const now = (await stored()).trim()
    if (!shown.startsWith(written) || !now.startsWith(shown)) wrong.push(`${written}\n${shown}\n${now}`)
  }
  expect(wrong).toEqual([])
  expect(await ledger()).toBe(before)
  speaking.resolve()
  await page.getByText('The end.').waitFor()
  expect((await page.locator(`[data-run="${live}"] .said`).innerText()).trim()).toBe((await stored()).trim())
})
