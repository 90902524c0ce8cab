import { join } from 'node:path'

/** The folder that npm puts programs into, for an agent that was installed below `agents`. */
export const programFolder = (agents: string, name: string): string =>
  process.platform === 'win32' ? join(agents, name) : join(agents, name, 'bin')
