import { dirname, join } from 'node:path'
import { childEnvironment, homeOf, withFolderOnPath, type Env } from '../environment.ts'
import type { Wanted } from '../find-program.ts'
import type { AgentAdapter } from '../ports.ts'
import type { Processes } from '../process.ts'
import type { LoginShell } from '../programs/login-shell.ts'
import { readVersion } from '../programs/versions.ts'
import { withProvider } from '../provider-environment.ts'
import { hiddenOf } from '../redact.ts'
import { CodexSession } from './codex/session.ts'
import { detectAgent, type AgentFacts } from './detect.ts'
import { evidenceOf, hasAny, readSettings } from './login-evidence.ts'
import { openOrEnd } from './open.ts'

export interface AdapterSurroundings {
  processes: Processes
  /** The person's login shell, shared by all agents; one of its own unless said. */
  shell?: LoginShell | undefined
  /** Main's own environment. */
  env: Env
  /** The first sign of life may take so long; `launchMs` unless said. */
  launchMs?: number
}

/** Codex, through `codex app-server`: JSON-RPC by lines, one process for one session. */
export const codexAdapter = ({ processes, env, shell, launchMs }: AdapterSurroundings): AgentAdapter => ({
  kind: 'codex',
  agents: ['codex'],
  transport: 'app-server',
  abilities: { readOnly: 'sandbox', write: true, asks: true, resume: true, imagesMax: 12, usage: true },
  mayContinue: true,
  detect: (signal, hasProvider) => detectAgent(codexFacts, env, signal, { shell, hasProvider }),
  async open(request, signal) {
    const names = request.provider ? [] : await keyNamesInConfig(request.env)
    const childEnv = withFolderOnPath(environmentWith(request.env, names), dirname(request.program.file))
    const plain = hiddenOf({ ...request.env, ...childEnv }, [...codexCredentials, ...names])
    const { env: given, hidden, args } = withProvider('codex', { env: childEnv, hidden: plain }, request.provider)
    const session = new CodexSession(request, hidden, launchMs)
    return openOrEnd({ processes, request, args: argvFor(args), env: given, hidden, session, launchMs, signal })
  },
})

/** The prompt is never among the arguments: it goes by the protocol. */
const argvFor = (provider: readonly string[]): string[] => [...provider, 'app-server']

/** What Codex gets of ours: its own names, and the key variables that its configuration names. */
export const codexEnvironment = async (env: Env): Promise<Record<string, string>> =>
  environmentWith(env, await keyNamesInConfig(env))

const environmentWith = (env: Env, names: readonly string[]) =>
  childEnvironment(env, { names: [...codexCredentials, 'CODEX_HOME', ...names] })

const wanted: Wanted = {
  name: 'codex',
  override: 'PARLEY_CODEX',
  places: [],
  bundles: ['Codex.app/Contents/Resources/codex'],
  /** `codex-cli 0.171.0` */
  readVersion: (stdout) => readVersion(stdout, codexName),
}

const codexName = /^codex(?:-cli)? /

const codexCredentials = ['CODEX_API_KEY', 'OPENAI_API_KEY', 'CODEX_ACCESS_TOKEN']

/** `Logged in using …` or `Not logged in`, among warnings. */
const readCodexStatus = (printed: string): boolean | null => {
  if (/^\s*not logged in\b/im.test(printed)) return false
  return /^\s*logged in\b/im.test(printed) ? true : null
}

const codexFacts: AgentFacts = {
  wanted,
  product: 'Codex',
  /** `thread/start` and approvals of items came with the second protocol. */
  oldest: [0, 100],
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  packages: ['@openai/codex'],
  names: codexName,
  offers: { args: ['app-server', '--help'], pattern: /\bapp-server\b/ },
  keys: codexCredentials,
  keysInConfig: (env) => keyNamesInConfig(env),
  status: { args: ['login', 'status'], read: readCodexStatus },
  loginFiles: (env) => [authFileOf(env)],
  environment: codexEnvironment,
  async evidenceOfLogin(env) {
    const key = await evidenceOf(env, codexCredentials, [])
    if (key) return key
    if (hasAny(env, await keyNamesInConfig(env))) {
      return { says: 'found the key that its configuration names', of: 'key' }
    }
    return evidenceOf(env, [], [{ file: authFileOf(env), says: 'found a login of Codex' }])
  },
}

const authFileOf = (env: Env) => join(codexHome(env), 'auth.json')

const codexHome = (env: Env) =>
  env.CODEX_HOME ?? join(homeOf(env), '.codex')

/** A person's own gateway is configured with the name of a variable that holds its key. */
const keyNamesInConfig = async (env: Env): Promise<string[]> => {
  const config = await readSettings(join(codexHome(env), 'config.toml'))
  return [...config.matchAll(/^\s*env_key\s*=\s*["']([A-Za-z_][A-Za-z0-9_]*)["']/gm)].flatMap(([, name]) =>
    name ? [name] : [],
  )
}
