import { afterEach, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { imageMaxBytes } from '../../shared/limits.ts'
import { FakeAdapter } from '../fakes/fake-adapter.ts'
import { jpegOf, pngOf } from '../fakes/small-images.ts'
import { openRealWindow } from './real-window.ts'

type RealWindow = Awaited<ReturnType<typeof openRealWindow>>

const open: RealWindow[] = []
const complaints: string[] = []

afterEach(async () => {
  for (const window of open.splice(0)) {
    await window.close()
    window.remove()
  }
  const said = complaints.splice(0)
  if (said.length > 0) throw new Error(`the page complained: ${said.join('; ')}`)
})

/** A chat with one agent that takes four images. */
const openChat = async () => {
  const agent = new FakeAdapter(({ say }) => say('I see it.'), { kind: 'codex' })
  const window = await openRealWindow({ agents: [agent] })
  open.push(window)
  const { page } = window
  page.setDefaultTimeout(20_000)
  page.on('console', (entry) => {
    if (entry.type() === 'error') complaints.push(entry.text())
  })
  await button(page, 'New conversation').waitFor()
  const { conversationId } = await window.composition.handlers['conversation.create']({
    kind: 'direct', name: 'Pictures', members: ['codex'], workdir: window.folder, allowWrite: false, settings: null,
  })
  await page.getByRole('button', { name: 'Pictures' }).first().click()
  return { page, agent, conversationId }
}

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** How wide the browser drew it from its own content, which it does only where the page's policy lets it. */
const drawnWidth = (image: Locator) =>
  image.evaluate(async (element) => {
    const picture = element as HTMLImageElement
    while (picture.naturalWidth <= 1) await new Promise((resolve) => { requestAnimationFrame(resolve) })
    return picture.naturalWidth
  })

/** Puts a file on the composer the way the browser does when a person pastes or drops it. */
const give = (page: Page, kind: 'paste' | 'drop', name: string, content: Buffer, type = 'image/png') =>
  page.locator('.composer-field').evaluate((field, given) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(given.base64), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], given.name, { type: given.type }))
    const init = { bubbles: true, cancelable: true }
    field.dispatchEvent(
      given.kind === 'paste'
        ? new ClipboardEvent('paste', { ...init, clipboardData: data })
        : new DragEvent('drop', { ...init, dataTransfer: data }),
    )
  }, { kind, name, type, base64: content.toString('base64') })

test('pasted, dropped and chosen images are seen, sent, given to the agent, and opened by keyboard', async () => {
  const { page, agent } = await openChat()
  const largest = Buffer.concat([pngOf(7, 5), Buffer.alloc(imageMaxBytes - pngOf(7, 5).length)])
  await give(page, 'paste', 'pasted.png', pngOf(6, 6))
  await button(page, 'Remove pasted.png').waitFor()
  await give(page, 'drop', 'dropped.png', largest)
  await button(page, 'Remove dropped.png').waitFor()
  const files = [{ name: 'chosen.png', mimeType: 'image/png', buffer: pngOf(8, 8) }]
  await page.locator('input[type=file]').setInputFiles(files)
  await button(page, 'Remove chosen.png').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Remove chosen.png').waitFor({ state: 'detached' })
  expect(await drawnWidth(page.getByRole('img', { name: 'dropped.png' }))).toBe(7)

  await page.keyboard.type('What is it?')
  await page.keyboard.press('Enter')
  await page.getByText('I see it.').waitFor()
  expect(agent.opened[0]?.images.map((turn) => turn.length)).toEqual([2])
  expect(await page.locator('.draft-images').count()).toBe(0)

  await button(page, 'Show pasted.png').focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'pasted.png' })
  expect(await drawnWidth(sheet.getByRole('img', { name: 'pasted.png' }))).toBe(6)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await button(page, 'Show pasted.png').evaluate((element) => element === document.activeElement)).toBe(true)
})

test('what is no image is refused in its place with its name, and what was written stays', async () => {
  const { page, conversationId } = await openChat()
  await message(page).fill('Look at this')
  await give(page, 'drop', 'photo.png', jpegOf(3, 2))
  await page.getByText(/^photo\.png: The file is another kind of image/).waitFor()
  await give(page, 'drop', 'scan.pdf', Buffer.from('%PDF-1.7'), 'application/pdf')
  await page.getByText(/^scan\.pdf: That is no PNG, JPEG, GIF or WebP image/).waitFor()
  expect(await message(page).inputValue()).toBe('Look at this')
  const view = await open[0]!.composition.handlers['conversation.open']({ conversationId, before: null })
  expect(view.draftImages).toEqual([])
})

test('images of the draft are there again when the page is opened anew', async () => {
  const { page } = await openChat()
  await give(page, 'paste', 'pasted.png', pngOf(6, 6))
  await button(page, 'Remove pasted.png').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Pictures' }).first().click()
  expect(await drawnWidth(page.getByRole('img', { name: 'pasted.png' }))).toBe(6)
})
