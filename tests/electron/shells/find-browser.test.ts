import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBrowser } from '../../../electron/shells/find-browser.ts'

describe.runIf(process.platform === 'linux')('looking for a browser', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-browser-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const placeProgram = async (name: string) => {
    const path = join(folder, name)
    await writeFile(path, '#!/bin/sh\n')
    await chmod(path, 0o755)
    return path
  }

  test('the one that a person names comes before any that is installed', async () => {
    await placeProgram('chromium')
    const mine = await placeProgram('mine')
    const { executablePath } = await findBrowser({
      headless: true,
      environment: { PATH: folder, PARLEY_CHROMIUM: mine },
    })
    expect(executablePath).toBe(mine)
  })

  test('an installed one comes before the packaged one', async () => {
    await placeProgram('microsoft-edge')
    const chrome = await placeProgram('google-chrome')
    const { executablePath } = await findBrowser({ headless: true, environment: { PATH: `/nowhere:${folder}` } })
    expect(executablePath).toBe(chrome)
  })

  test('a name that cannot be run is refused rather than passed over', async () => {
    await placeProgram('chromium')
    const environment = { PATH: folder, PARLEY_CHROMIUM: join(folder, 'absent') }
    await expect(findBrowser({ headless: true, environment })).rejects.toMatchObject({ code: 'shell.unavailable' })
  })

  test('a window that has to be seen needs an installed browser', async () => {
    await expect(findBrowser({ headless: false, environment: { PATH: folder } })).rejects.toMatchObject({
      code: 'shell.unavailable',
    })
  })

  test.runIf(process.arch === 'x64')('without an installed browser the packaged one is unpacked', async () => {
    const { executablePath, env } = await findBrowser({ headless: true, environment: { PATH: folder } })
    expect({ executablePath, env }).toMatchObject({
      executablePath: expect.stringMatching(/chromium-[\d.]+\/chromium$/),
      env: { LD_LIBRARY_PATH: expect.stringMatching(/\/lib$/) },
    })
  })
})
