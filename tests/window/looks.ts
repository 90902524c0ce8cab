import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findBrowser } from './browser.ts'
import { bridgeSource, type Scene } from './fixtures/fake-bridge.ts'
import { now } from './fixtures/parts.ts'
import { allAgents } from './fixtures/agents.ts'
import { crowded } from './fixtures/crowded.ts'
import { withOwnAgents } from './fixtures/own-agents.ts'
import { withImages } from './fixtures/images.ts'
import * as past from './fixtures/past.ts'
import * as records from './fixtures/records.ts'
import * as scenes from './fixtures/scenes.ts'
import { diskFull } from './fixtures/unwritable.ts'

/** A state of the window that is worth looking at. */
interface Look {
  name: string
  scene: Scene
  /** What a person does to get there. */
  act?: (page: Page) => Promise<void>
}

interface View {
  width: number
  height: number
  colorScheme: 'light' | 'dark'
}

export const views: readonly View[] = [
  { width: 1_280, height: 800, colorScheme: 'light' },
  { width: 1_280, height: 800, colorScheme: 'dark' },
  { width: 900, height: 600, colorScheme: 'light' },
  { width: 900, height: 600, colorScheme: 'dark' },
]

export const looks: readonly Look[] = [
  { name: 'running', scene: scenes.running },
  { name: 'attempt', scene: scenes.running, act: openAttempt },
  { name: 'inbox', scene: scenes.gates, act: openInbox },
  { name: 'long', scene: scenes.long },
  { name: 'empty', scene: scenes.empty },
  { name: 'first-run', scene: scenes.firstRun },
  { name: 'agents', scene: allAgents, act: openAgents },
  { name: 'agent-old', scene: allAgents, act: (page) => openAgents(page, /Qwen/) },
  { name: 'agent-login', scene: allAgents, act: (page) => openAgents(page, /Claude/) },
  { name: 'looking', scene: scenes.looking },
  { name: 'crash', scene: scenes.crash },
  { name: 'parked', scene: scenes.parked },
  { name: 'failing', scene: scenes.failing },
  { name: 'damaged', scene: scenes.damaged },
  { name: 'restored', scene: scenes.restored },
  { name: 'deleting', scene: scenes.deleting, act: askToDelete },
  { name: 'newer', scene: scenes.untrusted('ledger.newer') },
  { name: 'unwritable', scene: scenes.untrusted('ledger.unwritable') },
  { name: 'disk-full', scene: diskFull },
  { name: 'locked', scene: scenes.untrusted('ledger.locked') },
  { name: 'crowded', scene: crowded },
  { name: 'crowded-panel', scene: crowded, act: openPanel },
  { name: 'crowded-inbox', scene: crowded, act: openInbox },
  { name: 'crowded-read', scene: crowded, act: readAbove },
  { name: 'images', scene: withImages },
  { name: 'images-refused', scene: { ...withImages, refusals: { 'image.add': 'image.mismatch' } }, act: refuseImages },
  { name: 'image-large', scene: withImages, act: (page) => openImage(page, 'from the balcony.png') },
  { name: 'image-tall', scene: withImages, act: (page) => openImage(page, /^Show a very long name/) },
  { name: 'directory', scene: scenes.empty, act: askDirectory },
  { name: 'panel', scene: scenes.running, act: openPanel },
  { name: 'outline', scene: scenes.running, act: (page) => press(page, 'Outline') },
  { name: 'round-chart', scene: scenes.running, act: (page) => press(page, 'Round 3') },
  { name: 'trace', scene: scenes.running, act: openTrace },
  { name: 'past-round', scene: past.lookedBack, act: (page) => lookBack(page, 'PageUp', 'PageUp', 'ArrowLeft') },
  { name: 'past-gate', scene: past.lookedBack, act: lookAtGate },
  { name: 'past-outline', scene: past.lookedBack, act: lookAtOutline },
  { name: 'past-lost', scene: past.lookedBackLost, act: (page) => lookAtDiagram(page) },
  { name: 'replay-differs', scene: records.withDifference, act: (page) => press(page, 'Replay') },
  { name: 'replay-prompt', scene: records.withPromptDifference, act: (page) => press(page, 'Replay') },
  { name: 'export', scene: records.settled, act: (page) => press(page, 'Export…') },
  { name: 'import', scene: records.settled, act: chooseRunFile },
  { name: 'imported-interrupted', scene: records.importedInterrupted },
  { name: 'create', scene: scenes.running, act: (page) => page.keyboard.press('Control+n') },
  { name: 'palette', scene: scenes.running, act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', scene: scenes.running, act: (page) => page.keyboard.press('Control+/') },
  { name: 'settings', scene: scenes.running, act: settings },
  { name: 'own-agents', scene: withOwnAgents, act: showOwnAgents },
  { name: 'own-agents-new', scene: withOwnAgents, act: addOwnAgent },
  { name: 'own-agents-change', scene: withOwnAgents, act: changeOwnAgent },
  {
    name: 'members',
    scene: scenes.empty,
    act: (page) => page.getByRole('button', { name: 'Change who is at the table' }).click(),
  },
  { name: 'quit', scene: scenes.running, act: quit },
  { name: 'quit-waiting', scene: scenes.quitWaiting },
  { name: 'install-interrupted', scene: scenes.installInterrupted },
  { name: 'unlock', scene: scenes.running, act: (page) => page.getByRole('button', { name: 'Read-only' }).click() },
]

export async function openBrowser(): Promise<Browser> {
  const { executablePath, env, args } = await findBrowser()
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
}

/** The built page over recorded data, at the recorded moment; gives back what it complained of. */
export async function openLook(browser: Browser, { scene, act }: Look, { width, height, colorScheme }: View) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  await page.clock.setFixedTime(now)
  await page.addInitScript(bridgeSource(scene))
  await page.goto(address.href)
  await page.locator('.frame').waitFor()
  await act?.(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((done) => {
        requestAnimationFrame(done)
      })
    }
  })
  return { page, complaints }
}

const address = process.env['PAGE']
  ? pathToFileURL(process.env['PAGE'])
  : new URL('../../dist/renderer/index.html', import.meta.url)

/** Opens the panel where the window is too narrow to show it all the time. */
async function openPanel(page: Page) {
  const button = page.getByRole('button', { name: 'Diagram', exact: true })
  if (await button.isVisible()) await button.click()
}

/** Opens the agents from the palette, and one of them. */
async function openAgents(page: Page, name?: RegExp) {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Show agents')
  await page.keyboard.press('Enter')
  if (!name) return
  await page.getByRole('list', { name: 'Every agent that Parley knows' }).getByRole('button', { name }).click()
}

async function openInbox(page: Page) {
  await page.getByRole('button', { name: /^Needs you: / }).click()
}

async function openImage(page: Page, name: string | RegExp) {
  await page.getByRole('button', { name: typeof name === 'string' ? `Show ${name}` : name, exact: true }).click()
}

/** Drops files of which none becomes an image, and leaves the pointer over the box. */
async function refuseImages(page: Page) {
  await page.locator('input[type=file]').setInputFiles([
    { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
  ])
  await page.getByRole('alert').nth(1).waitFor()
}

async function chooseRunFile(page: Page) {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Open a run from')
  await page.keyboard.press('Enter')
  await page.locator('input[type=file][accept*=json]').setInputFiles([
    { name: 'parley-run.json', mimeType: 'application/json', buffer: Buffer.from('{}') },
  ])
  await page.locator('.run-file-facts').waitFor()
}

async function askDirectory(page: Page) {
  await page.getByRole('button', { name: /^Working directory/ }).click()
}

/** Opens the round before, where what agents wrote is as hostile as it can be. */
async function readAbove(page: Page) {
  await page.getByRole('button', { name: /^Round 8/ }).first().click()
  await page.locator('[data-attempt="a-r-crowd-8-claude"]').evaluate((turn) => turn.scrollIntoView())
}

async function press(page: Page, name: string | RegExp) {
  await openPanel(page)
  await page.getByRole('button', { name, exact: true }).first().click()
}

async function openTrace(page: Page) {
  await openPanel(page)
  await page.getByRole('tab', { name: 'Trace' }).click()
}

/** Opens an attempt from its cell; in a narrow window the drawer is closed again over it. */
async function openAttempt(page: Page) {
  await press(page, /Claude, round 2/)
  const scrim = page.locator('.scrim')
  if (await scrim.isVisible()) await scrim.click({ position: { x: 60, y: 300 } })
}

/** Opens the past of the newest run, and presses keys at its slider. */
export async function lookBack(page: Page, ...keys: string[]) {
  await openPanel(page)
  await page.getByRole('button', { name: 'Look back' }).last().click()
  await page.getByRole('slider', { name: 'Moment' }).waitFor()
  // one key after another, as a person would
  for (const key of keys) await page.keyboard.press(key)
}

async function lookAtGate(page: Page) {
  await lookBack(page, 'Home', 'PageDown', 'PageDown', 'Shift+ArrowRight')
  const slider = page.getByRole('slider')
  for (let times = 0; times < 40; times += 1) {
    if ((await slider.getAttribute('aria-valuetext'))?.includes('it asks you')) return
    await slider.press('ArrowRight')
  }
}

async function lookAtDiagram(page: Page, ...keys: string[]) {
  await lookBack(page, ...keys)
  const diagram = page.getByRole('button', { name: 'Diagram', exact: true })
  if (await diagram.isVisible()) await diagram.click()
}

async function lookAtOutline(page: Page) {
  await lookAtDiagram(page, 'PageUp', 'Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
}

async function settings(page: Page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
}

async function showOwnAgents(page: Page) {
  await openAgents(page)
  await page.locator('.custom-agents').evaluate((section) => section.scrollIntoView())
}

async function addOwnAgent(page: Page) {
  await showOwnAgents(page)
  await page.getByRole('button', { name: 'Add an agent' }).click()
  await page.getByRole('button', { name: 'Add an argument' }).click()
}

async function changeOwnAgent(page: Page) {
  await showOwnAgents(page)
  await page.getByRole('button', { name: 'Remove Summary' }).click()
  await page.getByRole('button', { name: 'Change House agent' }).click()
}

async function quit(page: Page) {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('quit')
  await page.keyboard.press('Enter')
}

async function askToDelete(page: Page) {
  const actions = page.getByRole('button', { name: 'Actions for Token rotation' })
  // in a narrow window the list is a drawer
  if (!(await actions.isVisible())) await page.keyboard.press('Control+b')
  await actions.click()
  await page.getByRole('button', { name: 'Delete' }).click()
}
