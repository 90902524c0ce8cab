import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRun } from '../../electron/run-files/run-files.ts'
import { textOfRun } from '../fakes/recorded-runs.ts'
import { openRealWindow } from './real-window.ts'

test('a file is opened in the real window, replayed there, saved once more, and removed', async () => {
  const window = await openRealWindow()
  try {
    const { page, folder } = window
    page.setDefaultTimeout(10_000)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const content = textOfRun('agreed-in-two-rounds')
    await page.getByRole('navigation').getByRole('button', { name: 'Open a run from a file' }).click()
    await page.locator('dialog input[type=file]').setInputFiles([
      { name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(content) },
    ])
    await page.getByText('7 messages').waitFor()
    await button('Open it').click()
    await page.getByText('Imported, read-only').first().waitFor()
    await page.getByText('Round 2 of rehearsal:sceptic.').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0)

    await button('Replay').click()
    await page.getByText('All 50 transitions and 6 prompts came out as recorded.').waitFor()

    await button('Export…').click()
    await page.getByText('7 messages').waitFor()
    await button('Save the file').click()
    await page.getByText(/^Saved as /).waitFor()
    const [saved] = readdirSync(join(folder, 'exports'))
    const path = join(folder, 'exports', saved ?? '')
    expect(readRun(readFileSync(path, 'utf8')).file.run).toEqual(readRun(content).file.run)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await button('Close').click()

    await page.locator('.conversation').hover()
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await button('Delete').first().click()
    await page.getByRole('group', { name: /^Delete/ }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Imported, read-only').first().waitFor({ state: 'detached' })
  } finally {
    await window.close()
    window.remove()
  }
})
