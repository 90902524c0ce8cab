import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homeOf, type Env } from '../environment.ts'
import { exists } from './credentials.ts'
import type { Evidence } from './detect.ts'

/** A file below the person's home folder. */
export const inHome = (env: Env, ...parts: string[]): string => join(homeOf(env), ...parts)

export const hasAny = (env: Env, names: readonly string[]): boolean => names.some((name) => Boolean(env[name]))

/** The text of a small settings file; empty where there is none. */
export const readSettings = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The first sign that is there: a key in the environment, then files in the order given. */
export const evidenceOf = async (
  env: Env,
  keys: readonly string[],
  files: readonly { file: string; says: string }[],
): Promise<string | Evidence | null> => {
  if (hasAny(env, keys)) return { says: 'found a key in the environment', of: 'key' }
  for (const { file, says } of files) if (await exists(file)) return says
  return null
}
