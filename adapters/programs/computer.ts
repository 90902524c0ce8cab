import { access, constants, open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { programHeadBytes } from '../../shared/limits.ts'
import { runOnce } from '../process.ts'

/** As much of a computer as the search for a program looks at. */
export interface Computer {
  readonly os: NodeJS.Platform
  readonly path: Pick<path.PlatformPath, 'join' | 'dirname' | 'basename' | 'isAbsolute' | 'delimiter' | 'sep'>
  /** The shell that the person logs in with, where the environment does not say. */
  readonly shell: string | null
  /** A file that this system would start. */
  isProgram(file: string): Promise<boolean>
  isFile(file: string): Promise<boolean>
  /** The first `programHeadBytes` of a file; empty where it cannot be read. */
  head(file: string): Promise<string>
  /** A small text; empty where it cannot be read. */
  read(file: string): Promise<string>
  list(folder: string): Promise<string[]>
  /** The file behind all links. */
  real(file: string): Promise<string>
  run: typeof runOnce
}

const shellOfUser = (): string | null => {
  try {
    return userInfo().shell
  } catch {
    return null
  }
}

const isFile = (file: string) => stat(file).then((found) => found.isFile(), () => false)

export const thisComputer: Computer = {
  os: process.platform,
  path,
  shell: shellOfUser(),
  isFile,
  isProgram: async (file) => (await isFile(file)) && access(file, constants.X_OK).then(() => true, () => false),
  head: async (file) => {
    const handle = await open(file).catch(() => null)
    if (!handle) return ''
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(programHeadBytes), position: 0 })
      return buffer.toString('latin1', 0, bytesRead)
    } catch {
      return ''
    } finally {
      await handle.close()
    }
  },
  read: (file) => readFile(file, 'utf8').catch(() => ''),
  list: (folder) => readdir(folder).catch(() => []),
  real: (file) => realpath(file).catch(() => file),
  run: runOnce,
}
