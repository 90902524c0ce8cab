import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { runOnce } from '../../adapters/process.ts'
import { AppError } from '../../shared/errors.ts'
import { buildMainMs } from '../../shared/limits.ts'
import { given } from './given.ts'
import { isStale } from './stale.ts'

/** Compiles main for Electron, which runs no TypeScript, if a source is newer. Throws `shell.unavailable`. */
export const buildMain = async (root: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const product = join(root, 'dist', 'electron', 'main.js')
  if (!(await isStale([product], sources.map((path) => join(root, path))))) return
  const args = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json']
  await runOnce({ file: process.execPath, args, env: given(environment), cwd: root, atMostMs: buildMainMs })
  // a type error is for `npm run types` to tell: what was written still runs
  await access(product).catch(refuse)
}

const sources = ['electron', 'adapters', 'machines', 'shared', 'tsconfig.build.json', 'package-lock.json']

const refuse = (cause: unknown): never => {
  throw new AppError('shell.unavailable', 'Parley was not built for Electron: `npm run build` says why.', { cause })
}
