import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runOnce } from '../../adapters/process.ts'
import { electronFetchAgainMs, electronFetchMs } from '../../shared/limits.ts'
import { given } from './given.ts'

export type FoundElectron = { file: string; why: null } | { file: null; why: string }

interface ElectronSearch {
  /** The project's folder. */
  root: string
  environment: NodeJS.ProcessEnv
  /** Fetches even though it failed a short while ago. */
  again: boolean
  /** Told before the one step that may take long. */
  say: (line: string) => void
  now?: () => number
}

/** Finds Electron's program where it is present, else fetches it once; `why` completes "because …". */
export const findElectron = async (search: ElectronSearch): Promise<FoundElectron> => {
  const present = await presentElectron(search)
  if (present) return { file: present, why: null }
  const installer = join(search.root, 'node_modules', 'electron', 'install.js')
  if (!(await exists(installer))) return { file: null, why: 'Electron is not installed' }
  if (await failedLately(search)) return { file: null, why: 'Electron could not be fetched' }
  search.say('Fetching Electron, once. This may take a minute or two.')
  await fetchElectron(installer, search)
  const fetched = await presentElectron(search)
  if (fetched) return { file: fetched, why: null }
  await noteFailure(search)
  return { file: null, why: 'Electron could not be fetched' }
}

async function presentElectron({ root, environment }: ElectronSearch): Promise<string | null> {
  const folder = join(root, 'node_modules', 'electron')
  const name = await readFile(join(folder, 'path.txt'), 'utf8').catch(() => null)
  const elsewhere = environment['ELECTRON_OVERRIDE_DIST_PATH']
  if (elsewhere) return firstThat(join(elsewhere, name?.trim() || 'electron'))
  return name ? firstThat(join(folder, 'dist', name.trim())) : null
}

const firstThat = async (file: string) => ((await exists(file)) ? file : null)

/** Runs Electron's own installer, which verifies what it fetched. What counts is whether the program is there then. */
const fetchElectron = (installer: string, { root, environment }: ElectronSearch) =>
  runOnce({ file: process.execPath, args: [installer], env: given(environment), cwd: root, atMostMs: electronFetchMs })

const noteOf = (root: string) => join(root, 'node_modules', '.cache', 'parley', 'electron-not-fetched')

async function failedLately({ root, again, now = Date.now }: ElectronSearch): Promise<boolean> {
  if (again) return false
  const note = await stat(noteOf(root)).catch(() => null)
  return note !== null && now() - note.mtimeMs < electronFetchAgainMs
}

/** Remembered, so that the next start does not wait for the same failure; where it cannot be, that costs time only. */
async function noteFailure({ root }: ElectronSearch) {
  const note = noteOf(root)
  await mkdir(dirname(note), { recursive: true })
    .then(() => writeFile(note, 'Fetching Electron failed; npm start -- --fetch-electron tries again.\n'))
    .catch(() => {})
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
