import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the window's built parts are: the page as a file URL, the preload as a path. */
export const windowFiles = () => ({
  page: pathToFileURL(join(built, 'renderer', 'index.html')).href,
  preload: join(built, 'electron', 'preload.cjs'),
})

/** Builds the window's page and preload if their sources are newer. An installed product has no sources. */
export async function buildWindowIfStale() {
  if (!runsFromSources || !(await isStale())) return
  const { build } = await import('vite')
  const configFile = join(root, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', mode: 'preload' })
}

const runsFromSources = import.meta.filename.endsWith('.ts')
const root = join(import.meta.dirname, '..')
const built = runsFromSources ? join(root, 'dist') : root

const products = ['renderer/index.html', 'electron/preload.cjs']
const sources = [
  'renderer', 'machines', 'shared', 'electron/preload.ts', 'electron/shells/channels.ts', 'vite.config.ts',
  'package-lock.json',
]

async function isStale() {
  const madeAt = await Promise.all(products.map((path) => changedAt(join(built, path))))
  const writtenAt = await Promise.all(sources.map((path) => newestChange(join(root, path))))
  return Math.min(...madeAt) < Math.max(...writtenAt)
}

async function newestChange(path: string): Promise<number> {
  const own = await stat(path)
  if (own.isFile()) return own.mtimeMs
  const inside = await readdir(path, { recursive: true })
  return Math.max(own.mtimeMs, ...(await Promise.all(inside.map((name) => changedAt(join(path, name))))))
}

/** When a file last changed; one that is not there is older than any. */
const changedAt = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
