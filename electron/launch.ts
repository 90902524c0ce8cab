import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { handOver } from '../adapters/process.ts'
import { toFailure } from '../shared/errors.ts'
import { defaultDataFolder } from './data-folder.ts'
import { findElectron } from './find-electron.ts'
import { openLog } from './log.ts'
import { hasDisplay, pickShell } from './pick-shell.ts'
import type { Composition, ShellPort } from './shell.ts'
import { findBrowser } from './shells/find-browser.ts'
import { help, readSwitches, type Switches } from './switches.ts'

type Opening = Extract<Switches, { task: 'open' }>

const root = join(import.meta.dirname, '..')
const environment = process.env
const say = (line: string) => void process.stderr.write(`${line}\n`)

await finish(await launch(process.argv.slice(2)))

/** `npm start`: reads the switches, picks what shows Parley, and gives the exit code. */
async function launch(args: readonly string[]): Promise<number> {
  try {
    const switches = readSwitches(args)
    if (switches.task === 'help') return print(help.trimEnd())
    const dataFolder = resolve(('data' in switches ? switches.data : null) ?? defaultDataFolder(environment, process.platform))
    if (switches.task === 'inspect') return await inspect(dataFolder, switches.json)
    return await open(switches, dataFolder)
  } catch (error) {
    const failure = toFailure(error)
    say(`Parley: ${failure.message}`)
    if (failure.code === 'internal.unexpected' && environment['PARLEY_DEBUG']) console.error(error)
    return failure.code === 'usage.bad' ? 2 : 1
  }
}

async function inspect(dataFolder: string, json: boolean): Promise<number> {
  const { inspectStored, inspectionLines } = await import('./shells/terminal/inspection.ts')
  const stored = inspectStored(dataFolder)
  return print(json ? JSON.stringify(stored) : inspectionLines(stored).join('\n'))
}

async function open(opening: Opening, dataFolder: string): Promise<number> {
  const picked = await pickShell({
    wanted: opening.shell,
    display: hasDisplay(environment, process.platform),
    findElectron: () => findElectron({ root, environment, again: opening.fetchElectron, say }),
    hasBrowser: () => findBrowser({ headless: false, environment }).then(() => true, () => false),
    say,
  })
  if (picked.shell === 'electron') return openElectron(picked.file, opening, dataFolder)
  if (picked.shell === 'chromium') return openChromium(dataFolder)
  return openTerminal(opening, dataFolder)
}

async function openElectron(file: string, opening: Opening, dataFolder: string): Promise<number> {
  const { buildWindowIfStale } = await import('./window-files.ts')
  const { buildMain } = await import('./build-main.ts')
  await buildWindowIfStale()
  await buildMain(root, environment)
  const { ELECTRON_RUN_AS_NODE: _, ...env } = environment
  // Chromium's sandbox refuses to run for root
  const forRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const code = await handOver({ file, args: [root, ...forRoot, `--data=${dataFolder}`], env })
  if (code !== null && code !== couldNotLoad) return code
  say('Electron is there but did not start, so Parley goes on without it.')
  const without = await pickShell({
    wanted: opening.shell === 'electron' ? 'electron' : null,
    display: true,
    findElectron: async () => ({ file: null, why: 'Electron did not start' }),
    hasBrowser: () => findBrowser({ headless: false, environment }).then(() => true, () => false),
    say,
  })
  return without.shell === 'chromium' ? openChromium(dataFolder) : openTerminal(opening, dataFolder)
}

/** What a Linux loader ends with when a shared library is missing. */
const couldNotLoad = 127

async function openChromium(dataFolder: string): Promise<number> {
  const { buildWindowIfStale, windowFiles } = await import('./window-files.ts')
  await buildWindowIfStale()
  const { openChromiumShell } = await import('./shells/chromium.ts')
  const log = openLog(dataFolder)
  const shell = await openChromiumShell({
    compose: await composing(dataFolder, log), files: windowFiles(), dataFolder, headless: false, log, environment,
  })
  process.on('SIGINT', () => void shell.close())
  process.on('SIGTERM', () => void shell.close())
  await shell.closed
  log.close()
  return 0
}

async function openTerminal(opening: Opening, dataFolder: string): Promise<number> {
  const { openTerminal: openView } = await import('./shells/terminal.ts')
  const log = openLog(dataFolder)
  const code = await openView({
    compose: await composing(dataFolder, log),
    wish: opening.wish,
    gates: opening.gates,
    json: opening.json,
    input: process.stdin,
    output: process.stdout,
    outlineBeside: process.stderr,
    environment,
    here: process.cwd(),
  })
  log.close()
  return code
}

async function composing(dataFolder: string, log: ReturnType<typeof openLog>): Promise<(shell: ShellPort) => Composition> {
  const { compose } = await import('./compose.ts')
  const { openSettings } = await import('./shells/settings.ts')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  return (shell) => compose({ dataFolder, shell, env: environment, settings: openSettings(dataFolder), version, log })
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

/** Ends even if something still waits, once everything printed has been taken. */
async function finish(code: number): Promise<never> {
  await new Promise<void>((taken) => {
    process.stdout.write('', () => taken())
  })
  process.exit(code)
}
