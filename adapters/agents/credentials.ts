import { stat } from 'node:fs/promises'
import { statusProbeMs } from '../../shared/limits.ts'
import { environmentWith, type Search } from '../find-program.ts'
import { stripTerminalCodes } from '../terminal-codes.ts'
import type { Program } from '../ports.ts'
import type { Env } from '../environment.ts'
import type { AgentFacts, Evidence } from './detect.ts'

/** Whether a program should be able to log in, and how that is known. */
export interface Credentials {
  outcome: 'yes' | 'no' | 'unknown'
  how: string
  /** Keys that only the login shell exports, and that the program needs. */
  fromShell: Readonly<Record<string, string>>
}

/** With a provider profile there is nothing to look for, and nothing is known. */
export const notLookedFor: Credentials = {
  outcome: 'unknown',
  how: 'not looked for: it works with a provider profile',
  fromShell: {},
}

/** A file that is there and not empty. */
export const exists = async (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isDirectory() || found.size > 0,
    () => false,
  )

/** What is set, without what only stands for a key: a reference to another variable, or a word from a manual. */
const withoutPlaceholders = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && !isPlaceholder(value) ? [[name, value]] : [])),
  )

const isPlaceholder = (value: string): boolean => placeholders.some((pattern) => pattern.test(value.trim()))

const placeholders = [
  /^$/,
  /^\$\{?\w+\}?$/,
  /^%\w+%$/,
  /^\{(?:env|file):.*\}$/i,
  /^<[^>]*>$/,
  /^(?:sk-)?(?:\.{3}|…|x{3,}|\*{3,})$/i,
  /^(?:sk-)?(?:your|my|the|insert|enter|replace)[-_ ]?.*(?:key|token|here|secret)\S*$/i,
  /^(?:changeme|change-me|placeholder|todo|none|null|undefined|example|dummy)$/i,
]

/** Asks what is present, the agent's own status command, and last the login shell. Values never leave this file. */
export const credentialsOf = async (
  facts: AgentFacts,
  search: Search,
  program: Pick<Program, 'file' | 'before'> & { path: string },
): Promise<Credentials> => {
  const own = withoutPlaceholders(search.env)
  const [present, isLoggedIn] = await Promise.all([evidenceIn(facts, own), askStatus(facts, search, program)])
  if (present?.of === 'key') return yes(present.says)
  if (isLoggedIn === true) return yes('its own status command says that it is logged in')
  if (present && isLoggedIn === null) return yes(present.says)
  const fromShell = await keysOfShell(facts, search, own)
  if (fromShell) return { ...yes('found a key that your login shell exports'), fromShell }
  if (isLoggedIn === false) return { ...yes('its own status command says that it is not logged in'), outcome: 'no' }
  const isUnclear = facts.status !== undefined
  return isUnclear
    ? { ...yes('nothing of a login was found, and its status command was not understood'), outcome: 'unknown' }
    : { ...yes('found no key and no login'), outcome: 'no' }
}

const yes = (how: string): Credentials => ({ outcome: 'yes', how, fromShell: {} })

const evidenceIn = async (facts: AgentFacts, env: Record<string, string>): Promise<Evidence | null> => {
  const found = await facts.evidenceOfLogin(env)
  return typeof found === 'string' ? { says: found, of: 'login' } : found
}

/** `null` where there is no such command, where it failed to answer, or where its answer is not understood. */
const askStatus = async (
  { status }: AgentFacts,
  { allowed, computer, signal }: Search,
  program: Pick<Program, 'file' | 'before'> & { path: string },
): Promise<boolean | null> => {
  if (!status) return null
  const end = await computer.run({
    file: program.file,
    args: [...program.before, ...status.args],
    env: environmentWith(withoutPlaceholders(allowed), program.path),
    atMostMs: statusProbeMs,
    signal,
  })
  return end.status === 'ended' ? status.read(stripTerminalCodes(`${end.stdout}\n${end.stderr}`)) : null
}

/** Only what this agent may have, and only if it makes the difference. */
const keysOfShell = async (facts: AgentFacts, { shell, env }: Search, own: Record<string, string>) => {
  const names = [...(facts.keys ?? []), ...((await facts.keysInConfig?.(env)) ?? [])]
  if (names.length === 0) return null
  const exported = withoutPlaceholders((await shell.ask()) ?? {})
  const added = Object.entries(exported).filter(([name]) => names.includes(name) && own[name] === undefined)
  return added.length > 0 ? Object.fromEntries(added) : null
}

/** When its login was last written; `null` where there is none. */
export const loginWrittenAt = async (files: readonly string[]): Promise<number | null> => {
  const times = await Promise.all(files.map((file) => stat(file).then(({ mtimeMs }) => mtimeMs, () => 0)))
  return Math.max(0, ...times) || null
}
