import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { running } from './fixtures/scenes.ts'
import { looks, openBrowser, openLook, views } from './looks.ts'
import { findFaults } from './find-faults.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

// each size once and each side once: the colours themselves are computed in tests/renderer/contrast.test.ts
const tested = views.filter(({ width, colorScheme }) => width > 1_000 === (colorScheme === 'light'))

test('what must not be is found where it is planted', async () => {
  const { page } = await openLook(browser, { name: 'planted', scene: running }, views[0]!)
  await page.evaluate(() => {
    const plant = (words: string, style: Partial<CSSStyleDeclaration>, kind = 'p') => {
      const element = Object.assign(document.createElement(kind), { textContent: words })
      Object.assign(element.style, { position: 'fixed', top: '0', background: '#fff', color: '#000' }, style)
      document.body.append(element)
    }
    plant('tiny', { fontSize: '11px' })
    plant('pale', { color: '#999' })
    plant('narrow', { width: '20px', height: '20px', padding: '0', fontSize: '12px' }, 'button')
  })
  const faults = await page.evaluate(findFaults)
  await page.close()
  expect(faults).toEqual([
    'small text: tiny',
    expect.stringMatching(/^faint text .*: pale$/),
    expect.stringMatching(/^small target .*: narrow$/),
  ])
})

describe.each(tested)('at $width × $height, $colorScheme', (view) => {
  test.each(looks)(
    '$name: no text under 12 px or 4.5:1, no small target, nothing over the edge, no complaint',
    async (look) => {
      const { page, complaints } = await openLook(browser, look, view)
      const faults = await page.evaluate(findFaults)
      await page.close()
      expect({ faults, complaints }).toEqual({ faults: [], complaints: [] })
    },
  )
})
