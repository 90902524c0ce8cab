import { AppError } from '../../shared/errors.ts'
import type { AppState } from '../../shared/view.ts'
import type { FoundElectron } from './find-electron.ts'

type PickedShell = { shell: 'electron'; file: string } | { shell: 'chromium' } | { shell: 'terminal' }

export interface Surroundings {
  /** What the person asked for; `null` takes the best there is. */
  wanted: AppState['shell'] | null
  /** Whether a window could be seen here. */
  display: boolean
  findElectron: () => Promise<FoundElectron>
  /** Says why there is no browser with a window; `null` where there is one. */
  missingBrowser: () => Promise<string | null>
  /** Says in one line why it is not the better one. */
  say: (line: string) => void
}

/** Picks what shows Parley. A shell that was asked for by name and is not to be had is `shell.unavailable`. */
export const pickShell = async (surroundings: Surroundings): Promise<PickedShell> => {
  const { wanted, display, findElectron, missingBrowser, say } = surroundings
  if (wanted === 'terminal') return { shell: 'terminal' }
  if (!display) return terminalInstead(wanted, say)
  if (wanted === 'chromium') return chromiumOrNothing(await missingBrowser())
  const electron = await findElectron()
  if (electron.file !== null) return { shell: 'electron', file: electron.file }
  if (wanted === 'electron') throw unavailable(`${electron.why}. Leave out --shell=electron to go on without.`)
  if ((await missingBrowser()) === null) {
    say(`${electron.why}, so Parley opens in a Chromium window.`)
    return { shell: 'chromium' }
  }
  say(`${electron.why} and no Chromium, Chrome or Edge was found, so Parley runs in this terminal.`)
  return { shell: 'terminal' }
}

/** Whether a window could be seen: everywhere but on a Linux without X or Wayland. */
export const hasDisplay = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean =>
  platform === 'win32' || platform === 'darwin' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY'])

function terminalInstead(wanted: AppState['shell'] | null, say: (line: string) => void): PickedShell {
  const why = 'There is no display here'
  if (wanted !== null) throw unavailable(`${why}. Leave out --shell=${wanted} to go on without a window.`)
  say(`${why}, so Parley runs in this terminal.`)
  return { shell: 'terminal' }
}

function chromiumOrNothing(missing: string | null): PickedShell {
  if (missing === null) return { shell: 'chromium' }
  throw unavailable(missing)
}

const unavailable = (sentence: string) => new AppError('shell.unavailable', sentence)
