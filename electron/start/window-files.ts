import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isStale } from './stale.ts'

/** Where the window's built parts are: the page as a file URL, the preload as a path. */
export const windowFiles = () => ({
  page: pathToFileURL(join(built, 'renderer', 'index.html')).href,
  preload: join(built, 'electron', 'preload.cjs'),
})

/** Builds the window's page and preload if their sources are newer. An installed product has no sources. */
export async function buildWindowIfStale() {
  if (!runsFromSources || !(await isStale(products, sources))) return
  const { build } = await import('vite')
  const configFile = join(root, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', mode: 'preload' })
}

const runsFromSources = import.meta.filename.endsWith('.ts')
const root = join(import.meta.dirname, '..', '..')
const built = runsFromSources ? join(root, 'dist') : root

const products = ['renderer/index.html', 'electron/preload.cjs'].map((path) => join(built, path))
const sources = [
  'renderer',
  'machines',
  'shared',
  'electron/preload.ts',
  'electron/shells/channels.ts',
  'vite.config.ts',
  'package-lock.json',
].map((path) => join(root, path))
