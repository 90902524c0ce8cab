import { mkdir } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { findBrowser } from './browser.ts'
import { bridgeSource, type Scene } from './fixtures/fake-bridge.ts'
import { now } from './fixtures/parts.ts'
import * as scenes from './fixtures/scenes.ts'

interface Picture {
  name: string
  scene: Scene
  /** What to do before the picture is taken. */
  act?: (page: Page) => Promise<void>
}

/** Opens the panel where the window is too narrow to show it all the time. */
async function openPanel(page: Page) {
  const button = page.getByRole('button', { name: 'Diagram', exact: true })
  if (await button.isVisible()) await button.click()
}

async function press(page: Page, name: string | RegExp) {
  await openPanel(page)
  await page.getByRole('button', { name, exact: true }).first().click()
}

/** Opens an attempt from its cell; in a narrow window the drawer is closed again over it. */
async function openAttempt(page: Page) {
  await press(page, /Claude, round 2/)
  const scrim = page.locator('.scrim')
  if (await scrim.isVisible()) await scrim.click({ position: { x: 60, y: 300 } })
}

const pictures: Picture[] = [
  { name: 'running', scene: scenes.running },
  { name: 'attempt', scene: scenes.running, act: openAttempt },
  { name: 'inbox', scene: scenes.gates, act: (page) => page.getByRole('button', { name: /^Needs you: / }).click() },
  { name: 'long', scene: scenes.long },
  { name: 'empty', scene: scenes.empty },
  { name: 'first-run', scene: scenes.firstRun },
  { name: 'looking', scene: scenes.looking },
  { name: 'crash', scene: scenes.crash },
  { name: 'failing', scene: scenes.failing },
  { name: 'damaged', scene: scenes.damaged },
  { name: 'outline', scene: scenes.running, act: (page) => press(page, 'Outline') },
  { name: 'round-chart', scene: scenes.running, act: (page) => press(page, 'Round 3') },
  { name: 'trace', scene: scenes.running, act: async (page) => { await openPanel(page); await page.getByRole('tab', { name: 'Trace' }).click() } },
  { name: 'create', scene: scenes.running, act: (page) => page.keyboard.press('Control+n') },
  { name: 'palette', scene: scenes.running, act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', scene: scenes.running, act: (page) => page.keyboard.press('Control+/') },
  { name: 'quit', scene: scenes.running, act: async (page) => { await page.keyboard.press('Control+k'); await page.keyboard.type('quit'); await page.keyboard.press('Enter') } },
]

const sizes = [{ width: 1_280, height: 800 }, { width: 900, height: 600 }]
const folder = new URL(process.env['PICTURES'] ? pathToFileURL(`${process.env['PICTURES']}/`) : '../../.cache/pictures/', import.meta.url)
const page = process.env['PAGE'] ? pathToFileURL(process.env['PAGE']) : new URL('../../dist/renderer/index.html', import.meta.url)

/** Draws the built page from recorded data at both sizes and on both sides, for people to look at. */
async function takePictures(wanted: readonly string[]) {
  await mkdir(folder, { recursive: true })
  const { executablePath, env, args } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const picture of pictures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
        await take(browser.newPage.bind(browser), picture, size, colorScheme)
      }
    }
  }
  await browser.close()
}

async function take(open: (options: object) => Promise<Page>, { name, scene, act }: Picture, viewport: { width: number; height: number }, colorScheme: 'light' | 'dark') {
  const tab = await open({ viewport, colorScheme, reducedMotion: 'reduce', timezoneId: 'UTC' })
  tab.on('console', (message) => process.stdout.write(`${name}: ${message.text()}\n`))
  tab.on('pageerror', (error) => process.stdout.write(`${name}: ${error.stack ?? error.message}\n`))
  await tab.clock.setFixedTime(now)
  await tab.addInitScript(bridgeSource(scene))
  await tab.goto(page.href)
  await tab.locator('.frame').waitFor()
  await act?.(tab)
  await tab.waitForTimeout(150)
  const small = await tab.evaluate(smallestText)
  if (small !== '') process.stdout.write(`${name} ${viewport.width}: too small: ${small}\n`)
  await tab.screenshot({ path: fileURLToPath(new URL(`${name}-${viewport.width}-${colorScheme}.png`, folder)) })
  await tab.close()
}

/** The first text under twelve pixels, if there is one. */
function smallestText() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || !node.textContent?.trim()) continue
    if (Number.parseFloat(getComputedStyle(element).fontSize) < 12) return node.textContent
  }
  return ''
}

await takePictures(process.argv.slice(2))
