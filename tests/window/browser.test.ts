import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBrowser } from './browser.ts'

test('the browser that is found draws a page into a picture', async () => {
  const { executablePath, env, args } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const page = await browser.newPage({ viewport: { width: 400, height: 200 } })
    const blank = await page.screenshot()
    await page.setContent('<h1>Agents confer</h1>')
    const drawn = await page.screenshot()
    const picture = { format: drawn.toString('latin1', 1, 4), width: drawn.readUInt32BE(16), same: drawn.equals(blank) }
    expect(picture).toEqual({ format: 'PNG', width: 400, same: false })
  } finally {
    await browser.close()
  }
})
