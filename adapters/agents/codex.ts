import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { childEnvironment, withFolderOnPath } from '../environment.ts'
import type { Wanted } from '../find-program.ts'
import type { AgentAdapter } from '../ports.ts'
import type { Processes } from '../process.ts'
import type { LoginShell } from '../programs/login-shell.ts'
import { readVersion } from '../programs/versions.ts'
import { withProvider } from '../provider-environment.ts'
import { secretsOf } from '../redact.ts'
import { CodexSession } from './codex/session.ts'
import { exists } from './credentials.ts'
import { detectAgent, type AgentFacts } from './detect.ts'
import { openOrEnd } from './open.ts'

export interface AdapterSurroundings {
  processes: Processes
  /** The person's login shell, shared by all agents; one of its own unless said. */
  shell?: LoginShell | undefined
  /** Main's own environment. */
  env: Readonly<Record<string, string | undefined>>
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
  detect: (signal) => detectAgent(codexFacts, env, signal, { shell }),
  async open(request, signal) {
    const names = request.provider ? [] : await keyNamesInConfig(request.env)
    const childEnv = withFolderOnPath(environmentWith(request.env, names), dirname(request.program.file))
    const secrets = secretsOf({ ...request.env, ...childEnv }, codexCredentials)
    const surroundings = { env: childEnv, hidden: { secrets, home: childEnv.HOME ?? null } }
    const { env: given, hidden, args } = withProvider('codex', surroundings, request.provider)
    const session = new CodexSession(request, hidden, launchMs)
    return openOrEnd({ processes, request, args: argvFor(args), env: given, hidden, session, launchMs, signal })
  },
})

/** The prompt is never among the arguments: it goes by the protocol. */
const argvFor = (provider: readonly string[]): string[] => [...provider, 'app-server']

/** What Codex gets of ours: its own names, and the key variables that its configuration names. */
export const codexEnvironment = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> => environmentWith(env, await keyNamesInConfig(env))

const environmentWith = (env: Readonly<Record<string, string | undefined>>, names: readonly string[]) =>
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
  loginFiles: (env) => [join(codexHome(env), 'auth.json')],
  environment: codexEnvironment,
  async evidenceOfLogin(env) {
    if (codexCredentials.some((name) => env[name])) return { says: 'found a key in the environment', of: 'key' }
    const names = await keyNamesInConfig(env)
    if (names.some((name) => env[name])) return { says: 'found the key that its configuration names', of: 'key' }
    return (await exists(join(codexHome(env), 'auth.json'))) ? 'found a login of Codex' : null
  },
}

const codexHome = (env: Readonly<Record<string, string | undefined>>) =>
  env.CODEX_HOME ?? join(env.HOME ?? env.USERPROFILE ?? '', '.codex')

/** A person's own gateway is configured with the name of a variable that holds its key. */
const keyNamesInConfig = async (env: Readonly<Record<string, string | undefined>>): Promise<string[]> => {
  const config = await readFile(join(codexHome(env), 'config.toml'), 'utf8').catch(() => '')
  return [...config.matchAll(/^\s*env_key\s*=\s*["']([A-Za-z_][A-Za-z0-9_]*)["']/gm)].flatMap(([, name]) =>
    name ? [name] : [],
  )
}
