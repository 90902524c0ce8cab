import { access, constants, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, extname, isAbsolute, join } from 'node:path'
import { loginShellMs, versionProbeMs } from '../shared/limits.ts'
import { programFolder } from './installer/places.ts'
import { runOnce } from './process.ts'
import type { Program } from './ports.ts'

export interface Wanted {
  /** The executable's name, without an ending. */
  name: string
  /** A variable that may hold the path of the program to use instead of any that is found. */
  override: string
  /** Places where only this program's own installers put it; `~` stands for home. */
  places: readonly string[]
  /** Reads the version from what `--version` printed, or `null` when another product answered. */
  readVersion(stdout: string): string | null
}

export type Found =
  | { status: 'found'; program: Program }
  /** A file is there, but it did not answer `--version` as this product does. */
  | { status: 'unfit'; reason: 'other-product' | 'late' | 'failed' }
  | { status: 'missing' }

/** Looks in the override, in PATH, in known places and last in a login shell; asks each file found for its version. */
export const findProgram = async (
  wanted: Wanted,
  env: Readonly<Record<string, string>>,
  override: string | undefined,
  signal: AbortSignal,
): Promise<Found> => {
  if (override) return ask(wanted, override, env, signal)
  let unfit: Found | null = null
  const asked = new Set<string>()
  for await (const file of candidates(wanted, env, signal)) {
    const real = await realpath(file).catch(() => file)
    if (signal.aborted || asked.has(real) || asked.size >= filesAskedMax) continue
    asked.add(real)
    const found = await ask(wanted, file, env, signal)
    if (found.status === 'found') return found
    unfit ??= found.status === 'unfit' ? found : null
  }
  return unfit ?? { status: 'missing' }
}

/** How to start a file without a shell: a shim of npm for Windows is read for the script it would start. */
export const programOf = async (file: string): Promise<Omit<Program, 'version'> | null> => {
  if (!/\.(cmd|bat)$/i.test(file)) return { file, before: [] }
  const script = /"%(?:~dp0|dp0%)\\([^"]+\.[cm]?js)"/i.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]
  if (!script) return null
  const node = join(dirname(file), 'node.exe')
  return { file: (await isProgram(node)) ? node : 'node.exe', before: [join(dirname(file), ...script.split('\\'))] }
}

async function* candidates(wanted: Wanted, env: Readonly<Record<string, string>>, signal: AbortSignal) {
  const home = env.HOME ?? env.USERPROFILE ?? ''
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  const own = wanted.places.map((place) => place.replace(/^~/, home))
  const folders = [
    ...path.split(delimiter),
    ...installedHere(wanted.name, env),
    ...knownFolders(home, env),
    ...(await versionManagerFolders(home)),
  ]
  for (const file of [...folders.filter(isAbsolute).flatMap((folder) => namesIn(folder, wanted.name)), ...own]) {
    if (await isProgram(file)) yield file
  }
  const told = await askLoginShell(wanted.name, env, signal)
  if (told && (await isProgram(told))) yield told
}

const ask = async (
  wanted: Wanted,
  file: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Found> => {
  const start = await programOf(file)
  if (!start || !(await isProgram(file))) return { status: 'unfit', reason: 'failed' }
  const end = await runOnce({
    file: start.file,
    args: [...start.before, '--version'],
    env,
    atMostMs: versionProbeMs,
    signal,
  })
  if (end.status === 'failed') return { status: 'unfit', reason: end.reason === 'late' ? 'late' : 'failed' }
  if (end.code !== 0) return { status: 'unfit', reason: 'failed' }
  const version = wanted.readVersion(end.stdout)
  return version === null
    ? { status: 'unfit', reason: 'other-product' }
    : { status: 'found', program: { ...start, version } }
}

const namesIn = (folder: string, name: string) =>
  process.platform === 'win32' ? ['.exe', '.cmd'].map((ending) => join(folder, name + ending)) : [join(folder, name)]

/** Where Parley itself puts a program that a person installed from the window. */
const installedHere = (name: string, env: Readonly<Record<string, string>>): string[] =>
  env.PARLEY_AGENTS ? [programFolder(env.PARLEY_AGENTS, name)] : []

const knownFolders = (home: string, env: Readonly<Record<string, string>>): string[] =>
  process.platform === 'win32'
    ? [
        join(env.APPDATA ?? home, 'npm'),
        join(home, '.local', 'bin'),
        join(home, '.bun', 'bin'),
        join(home, 'scoop', 'shims'),
      ]
    : [
        '.local/bin',
        'bin',
        '.npm-global/bin',
        '.bun/bin',
        '.volta/bin',
        '.asdf/shims',
        '.local/share/mise/shims',
        '.local/share/pnpm',
        'Library/pnpm',
        '.yarn/bin',
        '.cargo/bin',
        '.nix-profile/bin',
      ]
        .map((folder) => join(home, folder))
        .concat('/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/snap/bin')

/** Newest first, as far as names tell. */
const versionManagerFolders = async (home: string): Promise<string[]> => {
  const managers = [
    ['.nvm/versions/node', 'bin'],
    ['.local/share/fnm/node-versions', 'installation/bin'],
    ['.nodenv/versions', 'bin'],
  ] as const
  const found = await Promise.all(
    managers.map(async ([folder, inside]) => {
      const versions = await readdir(join(home, folder)).catch(() => [])
      return versions
        .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
        .map((version) => join(home, folder, version, inside))
    }),
  )
  return found.flat()
}

/** What a terminal of this person would find: its start-up files may extend PATH where ours was not. */
const askLoginShell = async (
  name: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | null> => {
  const shell = env.SHELL ?? '/bin/sh'
  if (process.platform === 'win32' || !knownShells.has(basename(shell))) return null
  const end = await runOnce({ file: shell, args: ['-lic', `command -v ${name}`], env, atMostMs: loginShellMs, signal })
  if (end.status !== 'ended') return null
  return (
    end.stdout
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => isAbsolute(line) && basename(line) === name) ?? null
  )
}

const isProgram = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile() && (process.platform !== 'win32' || extname(file) !== '')
  } catch {
    return false
  }
}

const knownShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh'])
const filesAskedMax = 4
