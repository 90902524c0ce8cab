import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { runOnce } from '../adapters/process.ts'
import { AppError } from '../shared/errors.ts'
import { buildMainMs } from '../shared/limits.ts'
import { given } from './given.ts'

/** Compiles main for Electron, which runs no TypeScript. Throws `shell.unavailable` when nothing came of it. */
export const buildMain = async (root: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const args = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json']
  await runOnce({ file: process.execPath, args, env: given(environment), cwd: root, atMostMs: buildMainMs })
  // a type error is for `npm run types` to tell: what was written still runs
  await access(join(root, 'dist', 'electron', 'main.js')).catch(refuse)
}

const refuse = (cause: unknown): never => {
  throw new AppError('shell.unavailable', 'Parley was not built for Electron: `npm run build` says why.', { cause })
}
