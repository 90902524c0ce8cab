/**
 * The environment of an agent's process: what every program needs, this agent's own names, and nothing else.
 * Markers of an agent that runs around us, other agents' keys and Node's own switches are on no list.
 */
export const childEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
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
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (env[name] ?? '').split(pathSeparator)
  return folders.includes(folder) ? { ...env } : { ...env, [name]: [...folders, folder].join(pathSeparator) }
}

const isForEverybody = (name: string): boolean => {
  const word = name.toUpperCase()
  return everybodys.has(word) || word.startsWith('LC_') || word.startsWith('XDG_')
}

const everybodys = new Set([
  // where agents are that were installed from the window
  'PARLEY_AGENTS',
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
