import { access, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { versionProbeMs } from '../../shared/limits.ts'
import { candidatesFor, type Wanted } from '../find-program.ts'
import type { Program } from '../ports.ts'
import { runOnce } from '../process.ts'
import { thisComputer } from '../programs/computer.ts'
import { LoginShell } from '../programs/login-shell.ts'
import { pathNameOf } from '../environment.ts'

/** npm as Node.js runs it: never through a shell, nor through the shims that need one. */
export interface Npm {
  /** Node.js with the script of npm before every argument; the version is that of Node.js. */
  program: Program
}

/** Finds Node.js and the npm that belongs to it, or another one of PATH. Throws `install.npm-missing`. */
export const findNpm = async (env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Npm> => {
  const node = await firstNode(env, signal)
  if (!node) throw missing('Node.js was not found on this computer.')
  const script = await firstThere(await scripts(node.file, env, signal))
  if (script === null) throw missing('Node.js was found, and no npm with it.')
  return { program: { ...node, before: [script] } }
}

/** The first that answers as Node.js does, with the PATH that it was found to run with. */
const firstNode = async (
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Omit<Program, 'before'> | null> => {
  const shell = new LoginShell(env)
  const search = { wanted: nodeWanted, env, allowed: env, shell, computer: thisComputer, signal }
  for await (const { start, answer } of candidatesFor(search)) {
    const version = answer.status === 'answered' && answer.code === 0 ? nodeWanted.readVersion(answer.stdout) : null
    if (start && version !== null) return { file: start.file, version, env: { [pathNameOf(env)]: start.path } }
  }
  return null
}

const nodeWanted: Wanted = {
  name: 'node',
  override: 'PARLEY_NODE',
  places: [],
  readVersion: (stdout) => /^v(\d+\.\d+\.\d+)/.exec(stdout.trim())?.[1] ?? null,
}

const scripts = async (node: string, env: Readonly<Record<string, string>>, signal: AbortSignal) => {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  const folders = [dirname(node), ...path.split(delimiter).filter(isAbsolute)]
  const beside = await Promise.all(folders.map(besideProgram))
  // a version manager's own `node` only stands for the one that it starts
  const real = await runOnce({ file: node, args: ['-p', 'process.execPath'], env, atMostMs: versionProbeMs, signal })
  const behind = real.status === 'ended' && isAbsolute(real.stdout.trim()) ? dirname(real.stdout.trim()) : null
  return [...beside.flat(), ...(behind === null ? [] : await besideProgram(behind))]
}

/** Where npm's script is, as seen from the folder of its command. */
const besideProgram = async (folder: string): Promise<string[]> => {
  const linked = await realpath(join(folder, 'npm')).catch(() => '')
  return [
    ...(basename(linked) === 'npm-cli.js' ? [linked] : []),
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
}

const firstThere = async (files: readonly string[]): Promise<string | null> => {
  const there = await Promise.all(files.map((file) => access(file).then(() => true, () => false)))
  return files.find((_, index) => there[index]) ?? null
}

const missing = (sentence: string) => new AppError('install.npm-missing', sentence)
