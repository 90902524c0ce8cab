import { versionProbeMs, programsAskedMax } from '../shared/limits.ts'
import { homeOf, pathNameOf, type Env } from './environment.ts'
import { programFolder } from './installer/places.ts'
import { stripTerminalCodes } from './terminal-codes.ts'
import type { Program } from './ports.ts'
import type { Computer } from './programs/computer.ts'
import { terminalPath, type LoginShell } from './programs/login-shell.ts'
import { foldersOnPath, knownPlaces, windowsFolders, type Place } from './programs/places.ts'
import { nodeIn, runtimeOf, type Runtime } from './programs/runtime.ts'
import { namesOf, startOf } from './programs/shims.ts'

export interface Wanted {
  /** The executable's name, without an ending. */
  name: string
  /** A variable that may hold the path of the program to use instead of any that is found. */
  override: string
  /** Places where only this program's own installers put it; `~` stands for home. */
  places: readonly string[]
  /** Where it lies in an application bundle of macOS, from the folder of all applications. */
  bundles?: readonly string[]
  /** Reads the version from what `--version` printed, or `null` when another product answered. */
  readVersion(stdout: string): string | null
}

/** One search: for what, where, and with which environment those found are asked. */
export interface Search {
  wanted: Wanted
  /** Our own environment. */
  env: Env
  /** What the program may have of it. */
  allowed: Readonly<Record<string, string>>
  shell: LoginShell
  computer: Computer
  signal: AbortSignal
}

/** A file of the wanted name, and what it said when it was asked for its version. */
export interface Candidate {
  /** How to start it, and its PATH; `null` for a start file that cannot be started without a shell. */
  start: Pick<Program, 'file' | 'before'> & { path: string } | null
  /** How it was found, in a person's words. */
  source: string
  runtime: Runtime
  answer: { status: 'answered'; code: number | null; stdout: string } | { status: 'late' | 'failed' }
}

/** Each program of the wanted name in turn, with its answer; the search goes on only as far as it is asked. */
export async function* candidatesFor(search: Search): AsyncGenerator<Candidate> {
  const asked = new Set<string>()
  for await (const found of filesFor(search)) {
    const real = await search.computer.real(found.file)
    if (search.signal.aborted || asked.has(real) || asked.size >= programsAskedMax) continue
    asked.add(real)
    yield await ask(search, found)
  }
}

/** The environment in which a program is asked and run: what it may have, with its own PATH. */
export const environmentWith = (allowed: Readonly<Record<string, string>>, path: string): Record<string, string> => ({
  ...allowed,
  [pathNameOf(allowed)]: path,
})

interface FoundFile {
  file: string
  source: string
  /** PATH as it was where the file was found. */
  path: string
  ofOneNode: boolean
}

async function* filesFor(search: Search): AsyncGenerator<FoundFile> {
  const { wanted, env, computer, shell } = search
  const path = env[pathNameOf(env)] ?? ''
  const named = env[wanted.override]
  if (named) {
    yield { file: named, source: `Named by ${wanted.override}.`, path, ofOneNode: false }
    return
  }
  const known = await knownPlaces(computer, env)
  yield* inPlaces(search, foldersOnPath(computer, path, 'PATH'), path)
  yield* inPlaces(search, [...installedHere(search), ...known], path)
  for (const [file, source] of ownFiles(search)) {
    if (await computer.isProgram(file)) yield { file, source, path, ofOneNode: false }
  }
  if (computer.os === 'win32') {
    for (const file of await askWhere(search)) yield { file, source: 'Found by where.exe.', path, ofOneNode: false }
    return
  }
  const exported = await shell.ask()
  if (!exported) return
  const whole = terminalPath(computer, env, exported)
  for await (const found of inPlaces(search, foldersOnPath(computer, whole, 'the PATH of your login shell'), whole)) {
    yield found
  }
}

/** Where Parley itself puts a program that a person installed from the window. */
const installedHere = ({ wanted, env }: Search): Place[] =>
  env.PARLEY_AGENTS
    ? [{ folder: programFolder(env.PARLEY_AGENTS, wanted.name), source: 'Parley’s own folder of agents' }]
    : []

async function* inPlaces({ wanted, env, computer }: Search, places: readonly Place[], path: string) {
  const names = namesOf(computer, wanted.name, env.PATHEXT)
  for (const { folder, source, ofOneNode } of places) {
    for (const name of names) {
      const file = computer.path.join(folder, name)
      if (await computer.isProgram(file)) {
        yield { file, source: `Found in ${source}.`, path, ofOneNode: ofOneNode === true }
      }
    }
  }
}

/** Where only this program's installers put it, and where applications are. */
const ownFiles = ({ wanted, env, computer }: Search): [file: string, source: string][] => {
  const { join } = computer.path
  const home = homeOf(env)
  const own = wanted.places.map((place) => [place.replace(/^~/, home), 'Found where its installer puts it.'] as const)
  const bundles = (computer.os === 'darwin' ? (wanted.bundles ?? []) : []).flatMap((bundle) =>
    [join('/Applications', bundle), join(home, 'Applications', bundle)].map(
      (file) => [file, 'Found in an application.'] as const,
    ),
  )
  const folder = join(windowsFolders(join, env).local, 'Programs', wanted.name)
  const apps = computer.os !== 'win32' ? [] : [[], ['bin'], ['resources']].map(
    (inside) => [join(folder, ...inside, `${wanted.name}.exe`), 'Found in an application.'] as const,
  )
  return [...own, ...bundles, ...apps].map(([file, source]) => [file, source])
}

/** The last resort on Windows: its own search. */
const askWhere = async ({ wanted, env, allowed, computer, signal }: Search): Promise<string[]> => {
  const root = env.SYSTEMROOT ?? env.SystemRoot ?? 'C:\\Windows'
  const file = computer.path.join(root, 'System32', 'where.exe')
  const end = await computer.run({ file, args: [wanted.name], env: allowed, atMostMs: versionProbeMs, signal })
  return end.status === 'ended' && end.code === 0
    ? end.stdout.split(/\r?\n/).map((line) => line.trim()).filter((line) => computer.path.isAbsolute(line))
    : []
}

const ask = async (search: Search, found: FoundFile): Promise<Candidate> => {
  const { computer, env, allowed, signal } = search
  const { dirname, delimiter } = computer.path
  const folders = found.path.split(delimiter).filter((folder) => folder !== '')
  const folder = dirname(found.file)
  const withOwn = found.ofOneNode ? [folder, ...folders.filter((each) => each !== folder)] : [...folders, folder]
  const wantedPath = [...new Set(withOwn)].join(delimiter)
  const node = await firstNode(computer, wantedPath)
  const there = await computer.isProgram(found.file)
  const start = there ? await startOf(computer, found.file, node) : null
  if (!start) return { start: null, source: found.source, runtime: unknownRuntime, answer: { status: 'failed' } }
  const runtime = await runtimeOf(computer, env, { script: start.script, path: wantedPath })
  const path = pathWithNode(computer, wantedPath, runtime.nodeFolder, node)
  const runsNode = start.before.length > 0 && runtime.nodeFolder !== null
  const file = runsNode ? nodeIn(computer, runtime.nodeFolder ?? '') : start.file
  const end = await computer.run({
    file,
    args: [...start.before, '--version'],
    env: environmentWith(allowed, path),
    atMostMs: versionProbeMs,
    signal,
  })
  return {
    start: { file, before: start.before, path },
    source: found.source,
    runtime,
    answer:
      end.status === 'ended'
        ? { status: 'answered', code: end.code, stdout: stripTerminalCodes(end.stdout) }
        : { status: end.reason === 'late' ? 'late' : 'failed' },
  }
}

const firstNode = async (computer: Computer, path: string): Promise<string | null> => {
  for (const { folder } of foldersOnPath(computer, path, 'PATH')) {
    const node = nodeIn(computer, folder)
    if (await computer.isProgram(node)) return node
  }
  return null
}

/** A Node that is not the first on PATH goes before all others, for this program alone. */
const pathWithNode = ({ path: system }: Computer, path: string, folder: string | null, first: string | null) => {
  const isFirst = folder === null || (first !== null && system.dirname(first) === folder)
  return isFirst ? path : [folder, path].join(system.delimiter)
}

const unknownRuntime: Runtime = {
  outcome: 'unknown', how: 'Not looked at.', packageName: null, nodeFolder: null, remedy: null,
}
