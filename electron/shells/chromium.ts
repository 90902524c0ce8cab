import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page, type Route } from 'playwright-core'
import { AppError } from '../../shared/errors.ts'
import type { Envelope } from '../../shared/ipc.ts'
import { defaultWindowPixels } from '../../shared/limits.ts'
import { openDoor } from '../door.ts'
import type { Log } from '../log.ts'
import { openPushFeed } from '../pushes.ts'
import type { Composition, ShellPort } from '../shell.ts'
import { makeProfile } from './browser-profile.ts'
import { findBrowser } from './find-browser.ts'
import { noSecrets } from './no-secrets.ts'
import { openInBrowser } from './open-link.ts'
import { callBinding, preloadScript, pushFunction } from './preload-script.ts'
import { saveInto } from './save-file.ts'
import { mayLoad, mayNavigate } from './window-rules.ts'

export interface ChromiumOptions {
  compose: (shell: ShellPort) => Composition
  /** The page's address and the preload's path. */
  files: { page: string; preload: string }
  dataFolder: string
  /** Whether nobody is to see the window, as in tests. */
  headless: boolean
  log: Log
  environment?: NodeJS.ProcessEnv
}

export interface ChromiumShell {
  readonly page: Page
  readonly composition: Composition
  /** Ends everything, as if the operating system had asked; repeated calls share one ending. */
  close(): Promise<void>
  /** Resolves when everything has ended, whoever ended it. */
  readonly closed: Promise<void>
}

/**
 * Opens the window in a Chromium that is driven over a pipe: the same page, preload and door as in Electron,
 * with no port and no server. Throws `shell.unavailable` when there is no browser or it does not start, and
 * `ledger.locked` when another Parley holds the data folder. Nothing stays open after a throw.
 */
export const openChromiumShell = async (options: ChromiumOptions): Promise<ChromiumShell> => {
  const { files, log } = options
  const closed = Promise.withResolvers<void>()
  let ending: Promise<void> | null = null
  const leave = (how: 'asked' | 'forced') => (ending ??= end(how))
  const end = async (how: 'asked' | 'forced') => {
    try {
      feed.close()
      await composition.quit(how)
    } finally {
      await browser.close()
      closed.resolve()
    }
  }

  const composition = options.compose(shellOf(options.dataFolder, () => void leave('asked')))
  const browser = await startBoth(composition, options)
  const { context, page } = browser
  const { handlers } = composition
  const door = openDoor({ handlers, pageUrl: files.page, mayServe: () => composition.mayServe(), log })
  const feed = openPushFeed({ source: (hear) => composition.onPush(hear), send: await pushesInto(context, page), log })

  await page.exposeBinding(callBinding, ({ page: from, frame }, name: unknown, text: unknown) =>
    door.call({ window: from === page, mainFrame: frame === page.mainFrame(), url: frame.url() }, name, text),
  )
  await page.addInitScript({ content: preloadScript(await readFile(files.preload, 'utf8'), files.page) })
  await context.route('**/*', (route) => rule(route, page, files.page))
  context.on('page', (other) => void other.close())
  // a window that the person closed cannot ask anything any more
  page.on('close', () => void leave('forced'))
  context.on('close', () => void leave('forced'))
  await page.goto(files.page)

  return { page, composition, close: () => leave('forced'), closed: closed.promise }
}

const shellOf = (dataFolder: string, quit: () => void): ShellPort => ({
  kind: 'chromium',
  // a driven browser has no folder dialog that tells where a folder is; the window has a field to type it in
  pickDirectory: () => Promise.resolve(null),
  pickFile: () => Promise.resolve(null),
  saveFile: (name, text) => saveInto(join(dataFolder, 'exports'), name, text),
  openLink: openInBrowser,
  quit,
  secrets: noSecrets,
})

/** Opens the stores, then the browser; leaves neither open when one of them cannot be had. */
async function startBoth(composition: Composition, options: ChromiumOptions) {
  await composition.start()
  try {
    const { app } = await composition.handlers['app.snapshot']({})
    if (app.readOnly?.code === 'ledger.locked') throw new AppError('ledger.locked', alreadyOpen)
    return await startBrowser(options)
  } catch (error) {
    await composition.quit('forced')
    throw error
  }
}

const alreadyOpen = 'Parley is open on this data folder already. Use that window, or name another folder with --data.'

async function startBrowser({ dataFolder, headless, environment = process.env }: ChromiumOptions) {
  const { executablePath, env, args } = await findBrowser({ headless, environment })
  const profile = await makeProfile(dataFolder)
  try {
    const context = await chromium.launchPersistentContext(profile.folder, {
      executablePath,
      headless,
      env: { ...environment, ...env },
      args: [...args, ...(headless ? ['--disable-gpu'] : windowArguments)],
      ignoreDefaultArgs: headless ? [] : ['--enable-automation'],
      viewport: headless ? defaultWindowPixels : null,
      // Chromium's own sandbox refuses to run for root; without a window only tests and their one page are served
      chromiumSandbox: !headless && process.getuid?.() !== 0,
      serviceWorkers: 'block',
      acceptDownloads: false,
      // ending is this shell's business: processes and stores come before the browser
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    // an empty list refuses every permission without asking
    await context.grantPermissions([])
    const page = context.pages()[0] ?? (await context.newPage())
    return { context, page, close: () => closeBrowser(context, profile) }
  } catch (error) {
    await profile.remove()
    throw new AppError('shell.unavailable', 'The browser was found but did not start.', { cause: error })
  }
}

const windowArguments = [
  '--app=data:text/html,<title>Parley</title>',
  `--window-size=${defaultWindowPixels.width},${defaultWindowPixels.height}`,
  // hides the bar that warns of a missing sandbox over the page
  '--test-type',
]

async function closeBrowser(context: BrowserContext, profile: { remove(): Promise<void> }) {
  try {
    await context.close()
  } finally {
    await profile.remove()
  }
}

/** Hands batches to the page by the developer protocol, many times faster than a call for each. */
async function pushesInto(context: BrowserContext, page: Page) {
  const protocol = await context.newCDPSession(page)
  return async (envelopes: readonly Envelope[]) => {
    await protocol.send('Runtime.evaluate', { expression: `window.${pushFunction}?.(${JSON.stringify(envelopes)})` })
  }
}

/** The window stays on its page, and the page loads nothing but its own files. */
async function rule(route: Route, page: Page, pageUrl: string) {
  const request = route.request()
  const url = request.url()
  if (!request.isNavigationRequest()) return mayLoad(url, pageUrl) ? route.continue() : route.abort()
  if (request.frame() !== page.mainFrame()) return route.abort()
  // "no content" leaves the page where it is; an abort would put an error page in its place
  return mayNavigate(url, pageUrl) ? route.continue() : route.fulfill({ status: 204 })
}
