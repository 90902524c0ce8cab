import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rehearsalAdapter } from '../../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../../adapters/ports.ts'
import type { Processes } from '../../adapters/process.ts'
import { compose } from '../../electron/compose.ts'
import { silentLog } from '../../electron/log.ts'
import { openChromiumShell } from '../../electron/shells/chromium.ts'
import { openSettings } from '../../electron/shells/settings.ts'

const root = join(import.meta.dirname, '..', '..')

/** The built window over the real preload, door and main, with rehearsal agents only unless others are given. */
export const openRealWindow = async ({
  folder = mkdtempSync(join(tmpdir(), 'parley-window-')),
  pace = '0.1',
  everyAgent = false,
  agents = undefined as readonly AgentAdapter[] | undefined,
} = {}) => {
  process.env.PARLEY_REHEARSAL_PACE = pace
  const shell = await openChromiumShell({
    compose: (port) =>
      compose({
        dataFolder: folder,
        shell: port,
        env: process.env,
        settings: openSettings(folder),
        version: '0.0.0',
        log: silentLog(),
        ...(everyAgent
          ? {}
          : { adapters: (processes: Processes) => (agents ? [...agents] : [rehearsalAdapter(processes)]) }),
      }),
    files: {
      page: pathToFileURL(join(root, 'dist/renderer/index.html')).href,
      preload: join(root, 'dist/electron/preload.cjs'),
    },
    dataFolder: folder,
    headless: true,
    log: silentLog(),
  })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { ...shell, folder, remove }
}
