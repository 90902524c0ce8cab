/** An environment as Node gives it. */
export type Env = Readonly<Record<string, string | undefined>>

/** The person's home folder; empty where it is not known. */
export const homeOf = (env: Env): string => env.HOME ?? env.USERPROFILE ?? ''

/** How PATH is spelled in this environment: Windows does not care and so nor do those who write it. */
export const pathNameOf = (env: Env): string => Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'

/**
 * The environment of an agent's process: what every program needs, this agent's own names, and nothing else.
 * Markers of an agent that runs around us, other agents' keys and Node's own switches are on no list.
 */
export const childEnvironment = (
  env: Env,
  own: { names: readonly string[]; values?: Readonly<Record<string, string>> },
): Record<string, string> => {
  const allowed = new Set(own.names)
  const child: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (allowed.has(name) || isForEverybody(name))) child[name] = value
  }
  return { ...child, ...own.values }
}

/** Lets the programs beside this one be found, as a script's own `node` in the folder of a version manager. */
export const withFolderOnPath = (env: Readonly<Record<string, string>>, folder: string): Record<string, string> => {
  const name = pathNameOf(env)
  const folders = (env[name] ?? '').split(pathSeparator)
  return folders.includes(folder) ? { ...env } : { ...env, [name]: [...folders, folder].join(pathSeparator) }
}

const isForEverybody = (name: string): boolean => {
  const word = name.toUpperCase()
  return everybodys.has(word) || word.startsWith('LC_') || word.startsWith('XDG_')
}

const everybodys = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'TMPDIR',
  'SHELL',
  'USER',
  'LOGNAME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'OS',
  'USERPROFILE',
  'USERNAME',
  'USERDOMAIN',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'TEMP',
  'TMP',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
])

const pathSeparator = process.platform === 'win32' ? ';' : ':'
