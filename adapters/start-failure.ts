import { stat } from 'node:fs/promises'
import { AppError } from '../shared/errors.ts'

/** Why a process could not be started: never a bare word of the operating system. */
export const explainStart = async (error: unknown, cwd: string | undefined): Promise<AppError> => {
  if (cwd !== undefined && !(await isFolder(cwd))) {
    return new AppError('workdir.missing', 'The working directory is not there any more.', { cause: error })
  }
  const reason = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
  return new AppError('agent.spawn-failed', startSentences[reason] ?? 'The program could not be started.', {
    cause: error,
    params: { reason },
  })
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

const startSentences: Readonly<Record<string, string>> = {
  ENOENT: 'The program is not there any more; look for agents again.',
  EACCES: 'The program may not be run by this user.',
  E2BIG: 'What was passed to the program is longer than this system allows.',
  ENAMETOOLONG: 'What was passed to the program is longer than this system allows.',
}
