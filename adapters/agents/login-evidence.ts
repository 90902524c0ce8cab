import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from './detect.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A file below the person's home folder. */
export const inHome = (env: Env, ...parts: string[]): string => join(env.HOME ?? env.USERPROFILE ?? '', ...parts)

export const hasAny = (env: Env, names: readonly string[]): boolean => names.some((name) => Boolean(env[name]))

/** The text of a small settings file; empty where there is none. */
export const readSettings = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The first sentence whose sign is there: a key in the environment, then files in the order given. */
export const evidenceOf = async (
  env: Env,
  keys: readonly string[],
  files: readonly { file: string; says: string }[],
): Promise<string | null> => {
  if (hasAny(env, keys)) return 'found a key in the environment'
  for (const { file, says } of files) if (await exists(file)) return says
  return null
}
