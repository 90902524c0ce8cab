import { afterEach, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { openRealWindow } from './real-window.ts'

type RealWindow = Awaited<ReturnType<typeof openRealWindow>>

const open: RealWindow[] = []
const complaints: string[] = []

const openWindow = async (options: Parameters<typeof openRealWindow>[0] = {}): Promise<RealWindow> => {
  const window = await openRealWindow(options)
  open.push(window)
  window.page.setDefaultTimeout(10_000)
  window.page.on('pageerror', (error) => complaints.push(error.message))
  window.page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return window
}

afterEach(async () => {
  for (const window of open.splice(0)) {
    await window.close()
    window.remove()
  }
  const said = complaints.splice(0)
  if (said.length > 0) throw new Error(`the page complained: ${said.join('; ')}`)
})

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
/** Whether it comes in sight in time. */
const appears = (locator: Locator) => locator.waitFor().then(() => true)
const goesAway = (locator: Locator) => locator.waitFor({ state: 'detached' }).then(() => true)

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** A new group of the three rehearsal agents, and its first message. */
const discuss = async (page: Page, text: string) => {
  await button(page, 'New conversation').click()
  const dialog = page.getByRole('dialog')
  for (const name of ['Bold', 'Careful', 'Sceptic']) await dialog.getByRole('button', { name }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await message(page).fill(text)
  await message(page).press('Enter')
}

test('a newcomer starts the rehearsal, answers its question with a key, sees them agree, and looks back', async () => {
  const { page } = await openWindow()
  await button(page, 'Start the rehearsal').click()
  const card = page.getByRole('region', { name: 'Careful asks to run a command' })
  await card.waitFor()
  await page
    .getByRole('button', { name: /^Needs you/ })
    .first()
    .waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('Escape')
  expect(await card.isVisible()).toBe(true)
  await page.keyboard.press('g')
  await page.keyboard.press('1')
  await page.getByText(/They agree after \d rounds/).waitFor()
  await page
    .getByRole('button', { name: /Sceptic, round \d: agrees/i })
    .first()
    .waitFor()
  await page.getByText('rehearsal', { exact: true }).first().waitFor()

  await button(page, 'Look back').first().click()
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.press('Home')
  await page.getByText(/^You are looking at .*, event 1 of \d+, not now\.$/).waitFor()
  await slider.press('PageDown')
  expect(await slider.getAttribute('aria-valuetext')).toContain('round 1: an attempt settled → tallied')
  await page.getByRole('button', { name: /^Sceptic, round 1: /i }).waitFor()
  expect(await page.getByRole('button', { name: /, round 2: / }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByText(/They agree after \d rounds/).waitFor()
})

test('the words on the screen follow the processes when a run is stopped, and the attempt can be opened', async () => {
  const { page } = await openWindow()
  await discuss(page, 'Redis or Postgres? [[hang:bold@1]]')
  await page.getByRole('button', { name: /Bold, round 1: streaming/ }).waitFor()
  await button(page, 'Stop run').first().click()
  await page.getByRole('button', { name: /Bold, round 1: stopped/ }).click()
  await page.getByRole('region', { name: 'Bold, round 1' }).waitFor()
  await page.getByRole('listitem').getByText('its process is gone').waitFor()
  await page.getByText('exact bytes on record').waitFor()
  await page.keyboard.press('Escape')
  expect(await appears(message(page))).toBe(true)
})

test('a reload in the middle of a stream shows the same run, and the text is the ledger’s', async () => {
  const { page, composition } = await openWindow()
  await discuss(page, 'Redis or Postgres? [[slow:bold@1]]')
  const turn = page.getByRole('article', { name: 'Answer of Bold' })
  await turn.getByText(/\S/).first().waitFor()
  for (let times = 0; times < 5; times += 1) await page.reload()
  await page.getByRole('button', { name: /Bold, round 1: streaming/ }).waitFor()
  await button(page, 'Stop run').first().click()
  await page.getByRole('button', { name: /Bold, round 1: stopped/ }).waitFor()
  const { conversations } = await composition.handlers['app.snapshot']({})
  const { runs } = await composition.handlers['conversation.open']({
    conversationId: conversations[0]?.conversationId ?? '',
    before: null,
  })
  expect(runs).toHaveLength(1)
  expect(await turn.count()).toBe(1)
  const words = (runs[0]?.turns[0]?.text ?? '').match(/\p{L}+/gu) ?? []
  expect((await turn.innerText()).match(/\p{L}+/gu)?.join(' ')).toContain(words.slice(0, 40).join(' '))
})

test('what is sent while a run is active waits in sight, and can be withdrawn', async () => {
  const { page } = await openWindow()
  await discuss(page, 'Redis or Postgres? [[hang:bold@1]]')
  await button(page, 'Stop run').first().waitFor()
  await message(page).fill('And what does it cost?')
  await button(page, 'Queue').click()
  await page.getByText(/Next, when this run ends: “And what does it cost\?”/).waitFor()
  await button(page, 'Withdraw').click()
  expect(await goesAway(page.getByText(/Next, when this run ends/))).toBe(true)
})

test('a message that is refused stays in the composer with the reason beside it', async () => {
  const { page, composition } = await openWindow()
  await discuss(page, '')
  await message(page).fill('Go?')
  for (const name of ['Careful', 'Sceptic']) await page.getByTitle(`Ask ${name}`).click()
  await message(page).press('Enter')
  await page
    .getByRole('alert')
    .getByText(/two agents or more/)
    .waitFor()
  expect(await message(page).inputValue()).toBe('Go?')
  const { conversations } = await composition.handlers['app.snapshot']({})
  expect(conversations.map(({ status }) => status)).toEqual([null])
})

test('Enter while an input method composes neither sends nor answers', async () => {
  const { page, composition } = await openWindow()
  await discuss(page, '')
  await message(page).fill('要不要')
  await message(page).evaluate((field) => {
    for (const init of [
      { key: 'Enter', isComposing: true },
      { key: 'Process', keyCode: 229 },
    ]) {
      field.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }))
    }
  })
  const { conversations } = await composition.handlers['app.snapshot']({})
  expect(conversations.map(({ status }) => status)).toEqual([null])
  expect(await message(page).inputValue()).toBe('要不要')
})

test('the next start after an end in the middle shows what was kept, and a retry goes on in a linked run', async () => {
  const first = await openWindow()
  await discuss(first.page, 'Redis or Postgres? [[hang:bold@2]]')
  await first.page.getByRole('button', { name: /Bold, round 2: streaming/ }).waitFor()
  await first.close()
  open.length = 0
  const { page } = await openWindow({ folder: first.folder })
  await page
    .getByRole('button', { name: /Redis or Postgres/ })
    .first()
    .click()
  await page.getByRole('button', { name: /Bold, round 2: interrupted/ }).waitFor()
  await page.getByText('The record ends here.').waitFor()
  await button(page, 'Continue from transcript').first().click()
  expect(await appears(page.getByText('Goes on from the transcript of the run above'))).toBe(true)
})

test('a conversation is renamed in place and deleted after a question', async () => {
  const { page } = await openWindow()
  await discuss(page, '')
  await button(page, 'Actions for New group').click()
  await button(page, 'Rename').click()
  await page.getByRole('textbox', { name: 'New name' }).fill('Queues')
  await page.keyboard.press('Enter')
  await button(page, 'Actions for Queues').click()
  await button(page, 'Delete').click()
  const question = page.getByRole('group', { name: 'Delete “Queues”?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  expect(await goesAway(button(page, 'Actions for Queues'))).toBe(true)
})

test('the chart is also an outline for keyboard and screen reader, with the same ways out', async () => {
  const { page } = await openWindow()
  await discuss(page, 'Redis or Postgres? [[hang:bold@1]]')
  await page.getByRole('button', { name: /Bold, round 1: streaming/ }).waitFor()
  await button(page, 'Outline').click()
  const tree = page.getByRole('tree', { name: /Outline of the run/ })
  await tree
    .getByRole('treeitem', { name: /discussing/ })
    .first()
    .waitFor()
  await page.getByRole('complementary').getByRole('button', { name: 'Stop run' }).click()
  expect(await appears(page.getByRole('button', { name: /Bold, round 1: stopped/ }))).toBe(true)
})

test('what still waits after a stop begins when the person says so', async () => {
  const { page } = await openWindow()
  await discuss(page, 'Redis or Postgres? [[hang:bold@1]]')
  await button(page, 'Stop run').first().waitFor()
  await message(page).fill('And what does it cost?')
  await button(page, 'Queue').click()
  await button(page, 'Stop run').first().click()
  await page.getByText('Waits for your word: “And what does it cost?”').waitFor()
  await button(page, 'Send now').click()
  await page.getByText(/Waits for your word/).waitFor({ state: 'detached' })
  expect(await appears(page.getByText('And what does it cost?').first())).toBe(true)
})
