import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { unpackBrowser } from './packaged-browser.ts'

/** What starts a browser: its file, what to add to the environment, and the arguments it should always get. */
interface Browser {
  executablePath: string
  env: Record<string, string>
  args: string[]
}

/**
 * Finds a Chromium: the one that PARLEY_CHROMIUM names, else the system's, else, where no window has to be seen,
 * the packaged one. Throws `shell.unavailable` where there is none.
 */
export async function findBrowser(wish: { headless: boolean; environment?: NodeJS.ProcessEnv }): Promise<Browser> {
  const { headless, environment = process.env } = wish
  const browser =
    (await named(environment)) ?? (await installed(environment)) ?? (headless ? await packaged() : undefined)
  if (!browser) throw new AppError('shell.unavailable', headless ? noBrowser : noWindowedBrowser)
  return browser
}

const noWindowedBrowser =
  'No Chromium, Chrome or Edge was found. Install one, or name its program in PARLEY_CHROMIUM.'
const noBrowser = `${noWindowedBrowser} The packaged one runs on Linux (x64) only.`

async function named(environment: NodeJS.ProcessEnv): Promise<Browser | undefined> {
  const path = environment['PARLEY_CHROMIUM']
  if (!path) return undefined
  if (await mayRun(path)) return browserAt(path)
  throw new AppError('shell.unavailable', 'PARLEY_CHROMIUM does not name a program that can be run.')
}

async function installed(environment: NodeJS.ProcessEnv): Promise<Browser | undefined> {
  for (const path of placesOfBrowsers(environment)) if (await mayRun(path)) return browserAt(path)
  return undefined
}

async function packaged(): Promise<Browser | undefined> {
  const unpacked = await unpackBrowser()
  if (!unpacked) return undefined
  const { executablePath, libraries, fonts } = unpacked
  const systemHasFonts = await mayRead('/etc/fonts/fonts.conf')
  return {
    ...browserAt(executablePath),
    env: { LD_LIBRARY_PATH: libraries, ...(systemHasFonts ? {} : { FONTCONFIG_PATH: fonts }) },
  }
}

const browserAt = (executablePath: string): Browser => ({ executablePath, env: {}, args: quietArguments })

/** Keeps a browser from talking to anybody on its own account. */
const quietArguments = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function placesOfBrowsers(environment: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') return macBrowsers
  const [folders, files] = process.platform === 'win32'
    ? [windowsFolders.flatMap((name) => environment[name] ?? []), windowsBrowsers]
    : [(environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), linuxBrowsers]
  return files.flatMap((file) => folders.map((folder) => join(folder, file)))
}

const linuxBrowsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
]
const macBrowsers = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const windowsBrowsers = [
  'Chromium/Application/chrome.exe',
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
]
const windowsFolders = ['LOCALAPPDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)']

const mayRun = (path: string) => isAccessible(path, constants.X_OK)
const mayRead = (path: string) => isAccessible(path, constants.R_OK)

const isAccessible = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  )
