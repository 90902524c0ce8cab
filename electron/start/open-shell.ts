import { join } from 'node:path'
import { handOver } from '../../adapters/other-programs.ts'
import { toFailure } from '../../shared/errors.ts'
import { findElectron } from './find-electron.ts'
import { openLog, type Log } from '../log.ts'
import { hasDisplay, pickShell } from './pick-shell.ts'
import { findBrowser } from '../shells/find-browser.ts'
import type { Switches } from './switches.ts'
import { whereStarted } from './where-started.ts'

type Say = (line: string) => void
type Opening = Extract<Switches, { task: 'open' }>

const root = join(import.meta.dirname, '..', '..')
const environment = process.env

/** Opens Parley in the shell that is wanted, or the best there is; gives the exit code. */
export const openShell = async (opening: Opening, dataFolder: string, say: Say): Promise<number> => {
  const pick = (search: () => ReturnType<typeof findElectron>) =>
    pickShell({
      wanted: opening.shell, display: hasDisplay(environment, process.platform),
      findElectron: search, missingBrowser, say,
    })
  const picked = await pick(() => findElectron({ root, environment, again: opening.fetchElectron, say }))
  if (picked.shell !== 'electron') return openInNode(picked.shell, opening, dataFolder, say)
  const code = await openElectron(picked.file, dataFolder)
  if (code !== null && code !== couldNotLoad) return code
  const instead = await pick(async () => ({ file: null, why: 'Electron is there but did not start' }))
  return openInNode(instead.shell === 'chromium' ? 'chromium' : 'terminal', opening, dataFolder, say)
}

/** What the loader of a Linux ends with when one of Electron's libraries is missing. */
const couldNotLoad = 127

const missingBrowser = () =>
  findBrowser({ headless: false, environment }).then(
    () => null,
    (error: unknown) => toFailure(error).message,
  )

async function openElectron(file: string, dataFolder: string): Promise<number | null> {
  const { buildWindowIfStale } = await import('./window-files.ts')
  const { buildMain } = await import('./build-main.ts')
  await buildWindowIfStale()
  await buildMain(root, environment)
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment
  // Chromium's sandbox refuses to run for root
  const forRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return handOver({ file, args: [root, ...forRoot, `--data=${dataFolder}`], env })
}

async function openInNode(shell: 'chromium' | 'terminal', opening: Opening, dataFolder: string, say: Say) {
  const log = openLog(dataFolder)
  try {
    if (shell === 'chromium') return await openChromium(dataFolder, log)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.code !== 'shell.unavailable' || opening.shell !== null) throw error
    say(`${failure.message} So Parley runs in this terminal.`)
  }
  return openTerminal(opening, dataFolder, log)
}

async function openChromium(dataFolder: string, log: Log): Promise<number> {
  const { buildWindowIfStale, windowFiles } = await import('./window-files.ts')
  await buildWindowIfStale()
  const { openChromiumShell } = await import('../shells/chromium.ts')
  const { composing } = await import('./composing.ts')
  const compose = await composing(dataFolder, log)
  const files = windowFiles()
  const shell = await openChromiumShell({ compose, files, dataFolder, headless: false, log, environment })
  process.on('SIGINT', () => void shell.close())
  process.on('SIGTERM', () => void shell.close())
  await shell.closed
  return 0
}

async function openTerminal(opening: Opening, dataFolder: string, log: Log): Promise<number> {
  const { openTerminal: openView } = await import('../shells/terminal.ts')
  const { composing } = await import('./composing.ts')
  return openView({
    compose: await composing(dataFolder, log),
    wish: opening.wish,
    gates: opening.gates,
    json: opening.json,
    input: process.stdin,
    output: process.stdout,
    outlineBeside: process.stderr,
    environment,
    here: whereStarted(),
  })
}
