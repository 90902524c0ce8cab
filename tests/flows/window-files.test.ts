import { readFile, stat, utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildWindowIfStale, windowFiles } from '../../electron/start/window-files.ts'

const page = fileURLToPath(windowFiles().page)
const builtAt = async () => (await stat(page)).mtimeMs

test('the window is built again only when a source is newer than it', async () => {
  await buildWindowIfStale()
  const first = await builtAt()
  await buildWindowIfStale()
  const untouched = await builtAt()
  await utimes(page, new Date(0), new Date(0))
  await buildWindowIfStale()
  expect({ untouched, rebuilt: (await builtAt()) >= first }).toEqual({ untouched: first, rebuilt: true })
})

test('the page needs no module and no inline script, so that it opens from its file', async () => {
  await buildWindowIfStale()
  const html = await readFile(page, 'utf8')
  const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)/g)].map(([, attributes, body]) => ({ attributes, body }))
  expect(scripts).toEqual([{ attributes: expect.stringMatching(/^ defer src="\.\/assets\/[\w.-]+\.js"$/), body: '' }])
})
