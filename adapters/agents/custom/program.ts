import { access, constants, realpath, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { runsScript } from '../../../shared/check-custom-agent.ts'
import type { CustomAgentDefinition } from '../../../shared/custom-agent.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Program } from '../../ports.ts'
import { thisComputer } from '../../programs/computer.ts'
import { startOf } from '../../programs/shims.ts'

type Named = Pick<CustomAgentDefinition, 'file' | 'args'>

/**
 * How to start the program of a definition. Throws `custom.file-unusable` where the file is missing, a folder or not to
 * be run, and `custom.shell-script` where it is a shell by another name.
 */
export const programOfCustom = async ({ file, args }: Named): Promise<Program> => {
  if (!(await mayRun(file))) throw unusable('There is no such file, or this user may not run it.')
  if (runsScript([await realpath(file), ...args])) {
    throw new AppError('custom.shell-script', 'A shell with a script among its arguments is no agent.')
  }
  const start = await startOf(thisComputer, file, null)
  if (!start) throw unusable('What this file would start could not be found in it.')
  return { file: start.file, before: start.before, version: unversioned }
}

const mayRun = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile() && (process.platform !== 'win32' || runnable.test(extname(file)))
  } catch {
    return false
  }
}

const unusable = (message: string) => new AppError('custom.file-unusable', message)

const runnable = /^\.(?:exe|com|cmd|bat)$/i
/** It is not asked for a version: nobody knows which switch that would be. */
const unversioned = 'unknown'
