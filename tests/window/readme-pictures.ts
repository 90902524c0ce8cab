import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openRealWindow } from './real-window.ts'

/** Takes the README's pictures from the real window: `npx node tests/window/readme-pictures.ts`. */
const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
await mkdir(folder, { recursive: true })

const take = async (page: Page, name: string, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
}

// what the pictures show of folders is below a home, and that home is nobody's
const home = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
process.env.HOME = home

const first = await openRealWindow({ folder: home, pace: '0.4', everyAgent: true })
const { page } = first
await page.setViewportSize({ width: 1_280, height: 800 })
await page.getByRole('button', { name: 'Start the rehearsal' }).click()
await page.getByRole('region', { name: 'Careful asks to run a command' }).waitFor()
await take(page, 'running', 'light')
await take(page, 'running', 'dark')
await page.keyboard.press('g')
await page.keyboard.press('1')
await page.getByText(/They agree after \d rounds/).waitFor({ timeout: 60_000 })
await page
  .getByRole('button', { name: /^Careful, round 2/ })
  .first()
  .click()
await page.getByRole('region', { name: 'Careful, round 2' }).waitFor()
await take(page, 'attempt', 'light')
await page.keyboard.press('Escape')

const message = page.getByRole('textbox', { name: 'Message' })
await message.fill('Weekly or monthly releases? [[slow:sceptic@1]]')
await message.press('Enter')
await page.getByRole('button', { name: /Sceptic, round 1: streaming/ }).waitFor({ timeout: 60_000 })
await page.getByText(/Still thinking, 3/).waitFor()
await first.close()

const second = await openRealWindow({ folder: home, everyAgent: true })
await second.page.setViewportSize({ width: 1_280, height: 800 })
await second.page
  .getByRole('button', { name: /Rehearsal/ })
  .first()
  .click()
await second.page.getByText('The record ends here.').waitFor()
await take(second.page, 'crash', 'light')
await second.close()
second.remove()
