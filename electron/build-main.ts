import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { runOnce } from '../adapters/process.ts'
import { AppError } from '../shared/errors.ts'
import { buildMainMs } from '../shared/limits.ts'

/** Compiles main for Electron, which runs no TypeScript. Throws `shell.unavailable` when there is nothing to run afterwards. */
export const buildMain = async (root: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const env = Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  await runOnce({ file: process.execPath, args: [compiler, '-p', 'tsconfig.build.json'], env, cwd: root, atMostMs: buildMainMs })
  // a type error is for `npm run types` to tell: what was written still runs
  await access(join(root, 'dist', 'electron', 'main.js')).catch((error: unknown) => {
    throw new AppError('shell.unavailable', 'Parley could not be compiled for Electron. Run `npm run build` to see why.', { cause: error })
  })
}
