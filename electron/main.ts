import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { app } from 'electron'
import { compose } from './compose.ts'
import { defaultDataFolder } from './start/data-folder.ts'
import { openLog } from './log.ts'
import { openElectronShell, openElectronStore } from './shells/electron.ts'
import { openSettings } from './shells/settings.ts'
import { windowFiles } from './start/window-files.ts'

/** Electron's entry: one instance for each data folder, the second one only brings the first forward. */
const { values } = parseArgs({ options: { data: { type: 'string' } }, strict: false })
const dataFolder = typeof values.data === 'string' ? values.data : defaultDataFolder(process.env, process.platform)
app.setPath('userData', join(dataFolder, 'electron'))
app.enableSandbox()

if (app.requestSingleInstanceLock()) await open()
else app.exit(0)

async function open() {
  await app.whenReady()
  const log = openLog(dataFolder)
  await openElectronShell({
    compose: (shell) =>
      compose({
        dataFolder,
        shell,
        env: process.env,
        settings: openSettings(dataFolder, openElectronStore),
        version: app.getVersion(),
        log,
      }),
    files: windowFiles(),
    log,
  })
}
