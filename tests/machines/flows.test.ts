import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { currentDrawing, currentPage, pages, pathOf } from '../../docs/flows/generate.ts'

test.each(pages)(
  'the page and drawing of the %s are as the code is (npm run charts makes them so)',
  async (machine) => {
    const page = await readFile(pathOf(machine, 'md'), 'utf8')
    expect(page).toContain('| state | event |')
    expect(page).toBe(currentPage(machine, page))
    expect(await readFile(pathOf(machine, 'svg'), 'utf8')).toBe(await currentDrawing(machine))
  },
)
