import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { looks, openBrowser, openLook, views } from './looks.ts'

const folder = resolve(process.env['PICTURES'] ?? '.cache/pictures')

/** Draws the built page from recorded data at both sizes and on both sides, for people to look at. */
async function takePictures(wanted: readonly string[]) {
  await mkdir(folder, { recursive: true })
  const browser = await openBrowser()
  for (const look of looks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    for (const view of views) {
      // one page at a time, so that the pictures do not slow each other down
      const { page, complaints } = await openLook(browser, look, view)
      await page.screenshot({ path: join(folder, `${look.name}-${view.width}-${view.colorScheme}.png`) })
      await page.close()
      for (const complaint of complaints) process.stdout.write(`${look.name}: ${complaint}\n`)
    }
  }
  await browser.close()
}

await takePictures(process.argv.slice(2))
