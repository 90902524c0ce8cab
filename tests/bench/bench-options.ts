import { silentLog } from '../../electron/log.ts'
import type { ComposeOptions } from '../../electron/shell.ts'
import { quietShell } from '../fakes/quiet-shell.ts'
import { testSettings } from '../fakes/office.ts'

/** A composition without a window over a folder; settings are the defaults but for these. */
export const benchOptions = (dataFolder: string, more: Partial<typeof testSettings> = {}): ComposeOptions => ({
  dataFolder,
  shell: quietShell,
  env: {},
  settings: { read: () => ({ ...testSettings, ...more }), save: () => testSettings },
  version: '0.0.0',
  log: silentLog(),
})
