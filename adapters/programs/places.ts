import { homeOf, type Env } from '../environment.ts'
import type { Computer } from './computer.ts'

/** A folder in which programs may lie, and whose it is as a person would say it. */
export interface Place {
  folder: string
  source: string
  /** It holds one version of Node with what was installed into it: its own `node` goes before any other. */
  ofOneNode?: true
}

/** The folders of a PATH, in its order. */
export const foldersOnPath = (computer: Computer, value: string | undefined, source: string): Place[] =>
  (value ?? '')
    .split(computer.path.delimiter)
    .filter((folder) => computer.path.isAbsolute(folder))
    .map((folder) => ({ folder, source }))

/** Where installers, package managers and version managers put programs whether or not PATH says so. */
export const knownPlaces = async (computer: Computer, env: Env): Promise<Place[]> => [
  ...(await fixedPlaces(computer, env)),
  ...(await nodeVersionPlaces(computer, env)),
]

/** One place for each version of Node that a version manager keeps, the newest of each manager first. */
export const nodeVersionPlaces = async (computer: Computer, env: Env): Promise<Place[]> => {
  const { join } = computer.path
  const managers = computer.os === 'win32' ? windowsManagers(computer, env) : unixManagers(computer, env)
  const found = await Promise.all(
    managers.map(async ([source, folder, inside]) => {
      const versions = (await computer.list(folder)).filter((name) => /^v?\d/.test(name))
      return versions
        .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
        .map((version): Place => ({ folder: join(folder, version, inside), source, ofOneNode: true }))
    }),
  )
  return found.flat()
}

type Manager = readonly [source: string, folder: string, inside: string]

const unixManagers = ({ path: { join } }: Computer, env: Env): Manager[] => {
  const home = homeOf(env)
  const fnm = [
    env.FNM_DIR ?? join(home, '.local/share/fnm'),
    join(home, 'Library/Application Support/fnm'),
    join(home, '.fnm'),
  ]
  return [
    ['nvm', join(env.NVM_DIR ?? join(home, '.nvm'), 'versions', 'node'), 'bin'],
    ...fnm.map((folder): Manager => ['fnm', join(folder, 'node-versions'), 'installation/bin']),
    ['asdf', join(env.ASDF_DATA_DIR ?? join(home, '.asdf'), 'installs/nodejs'), 'bin'],
    ['mise', join(env.MISE_DATA_DIR ?? join(home, '.local/share/mise'), 'installs/node'), 'bin'],
    ['nodenv', join(env.NODENV_ROOT ?? join(home, '.nodenv'), 'versions'), 'bin'],
    ['Volta', join(env.VOLTA_HOME ?? join(home, '.volta'), 'tools/image/node'), 'bin'],
  ]
}

const windowsManagers = ({ path: { join } }: Computer, env: Env): Manager[] => {
  const { roaming, local } = windowsFolders(join, env)
  return [
    ['nvm', env.NVM_HOME ?? join(roaming, 'nvm'), ''],
    ['fnm', join(env.FNM_DIR ?? join(roaming, 'fnm'), 'node-versions'), 'installation'],
    ['mise', join(env.MISE_DATA_DIR ?? join(local, 'mise'), 'installs', 'node'), ''],
    ['Volta', join(env.VOLTA_HOME ?? join(local, 'Volta'), 'tools', 'image', 'node'), ''],
  ]
}

const fixedPlaces = async (computer: Computer, env: Env): Promise<Place[]> => {
  const rows = computer.os === 'win32' ? windowsRows(computer, env) : await unixRows(computer, env)
  return rows.flatMap(([source, ...folders]) =>
    folders.filter((folder) => computer.path.isAbsolute(folder)).map((folder) => ({ folder, source })),
  )
}

type Row = readonly [source: string, ...folders: string[]]

const unixRows = async (computer: Computer, env: Env): Promise<Row[]> => {
  const { join } = computer.path
  const home = homeOf(env)
  const inHome = (...parts: string[]) => join(home, ...parts)
  const pnpm = [env.PNPM_HOME ?? inHome('.local/share/pnpm'), inHome('Library/pnpm')]
  return [
    ['your home folder', inHome('.local/bin'), inHome('bin')],
    ['npm', ...(await npmPrefixes(computer, env)).map((prefix) => join(prefix, 'bin'))],
    ['Volta', join(env.VOLTA_HOME ?? inHome('.volta'), 'bin')],
    ['asdf', join(env.ASDF_DATA_DIR ?? inHome('.asdf'), 'shims')],
    ['mise', join(env.MISE_DATA_DIR ?? inHome('.local/share/mise'), 'shims')],
    ['nodenv', join(env.NODENV_ROOT ?? inHome('.nodenv'), 'shims')],
    ['pnpm', ...pnpm.flatMap((folder) => [folder, join(folder, 'bin')])],
    ['Bun', join(env.BUN_INSTALL ?? inHome('.bun'), 'bin')],
    ['Yarn', inHome('.yarn/bin'), inHome('.config/yarn/global/node_modules/.bin')],
    ['your home folder', inHome('.cargo/bin'), inHome('.nix-profile/bin')],
    ['Homebrew', '/opt/homebrew/bin'],
    ['the system', '/usr/local/bin', '/usr/bin', '/bin', '/snap/bin'],
  ]
}

/** npm's global folder: as the environment says, as the person configured it, or the usual one of a home folder. */
const npmPrefixes = async (computer: Computer, env: Env): Promise<string[]> => {
  const home = homeOf(env)
  const configured = /^\s*prefix\s*=\s*["']?(.+?)["']?\s*$/m.exec(
    await computer.read(computer.path.join(home, '.npmrc')),
  )?.[1]
  return [env.NPM_CONFIG_PREFIX ?? env.npm_config_prefix, configured, computer.path.join(home, '.npm-global')].flatMap(
    (prefix) => (prefix ? [prefix.replace(/^(?:~|\$\{?HOME\}?)(?=[\\/]|$)/, home)] : []),
  )
}

const windowsRows = (computer: Computer, env: Env): Row[] => {
  const { join } = computer.path
  const home = homeOf(env)
  const { roaming, local } = windowsFolders(join, env)
  const prefix = env.NPM_CONFIG_PREFIX ?? env.npm_config_prefix
  return [
    ['npm', ...(prefix ? [prefix] : []), join(roaming, 'npm')],
    ['your home folder', join(home, '.local', 'bin')],
    ['nvm', env.NVM_SYMLINK ?? ''],
    ['Volta', join(env.VOLTA_HOME ?? join(local, 'Volta'), 'bin')],
    ['pnpm', env.PNPM_HOME ?? join(local, 'pnpm')],
    ['Bun', join(env.BUN_INSTALL ?? join(home, '.bun'), 'bin')],
    ['Yarn', join(local, 'Yarn', 'bin')],
    ['Scoop', join(home, 'scoop', 'shims')],
    ['WinGet', join(local, 'Microsoft', 'WinGet', 'Links')],
    ['the program folders', join(env.PROGRAMFILES ?? env.ProgramFiles ?? 'C:\\Program Files', 'nodejs')],
  ]
}

/** Where applications keep what is theirs for this person. */
export const windowsFolders = (join: (...parts: string[]) => string, env: Env) => ({
  roaming: env.APPDATA ?? join(homeOf(env), 'AppData', 'Roaming'),
  local: env.LOCALAPPDATA ?? join(homeOf(env), 'AppData', 'Local'),
})
