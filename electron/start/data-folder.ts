import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where Parley keeps everything, unless it is told otherwise: PARLEY_DATA, else the platform's own place. */
export const defaultDataFolder = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string = homedir(),
): string => {
  const named = environment['PARLEY_DATA']
  if (named) return resolve(named)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Parley')
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Parley')
  return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'parley')
}

/**
 * Where agents are that a person installs from the window: PARLEY_AGENTS, else beside the data folder.
 * They are no data: whoever removes the one need not lose the other.
 */
export const agentsFolder = (environment: Readonly<Record<string, string | undefined>>, dataFolder: string): string => {
  const named = environment['PARLEY_AGENTS']
  return named ? resolve(named) : `${resolve(dataFolder)}-agents`
}
