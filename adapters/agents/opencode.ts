import { join } from 'node:path'
import type { Env } from '../environment.ts'
import { readVersion } from '../programs/versions.ts'
import type { AcpProgram } from './acp/agent.ts'
import { evidenceOf, hasAny, inHome, readSettings } from './login-evidence.ts'

/** OpenCode, through `opencode acp`. It allows everything unless told otherwise, so it is always told. */
export const opencode: AcpProgram = {
  kind: 'opencode',
  agents: ['opencode'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 10, usage: true },
  args: () => ['acp'],
  env: {
    names: [
      'OPENCODE_CONFIG',
      'OPENCODE_CONFIG_CONTENT',
      'OPENCODE_CONFIG_DIR',
      'OPENCODE_DISABLE_MODELS_FETCH',
      'OPENCODE_MODELS_URL',
    ],
    credentials: ['OPENCODE_API_KEY'],
    // it must not replace itself between two turns
    values: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    // its plan mode alone still runs commands; what is denied is not even offered to the model
    byMode: {
      readOnly: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'deny', webfetch: 'deny' }) },
      write: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
    },
    keysInConfig: async (env) => keysIn(await configOf(env)),
  },
  modes: { readOnly: ['plan'], write: ['build'] },
  usage: 'turn',
  facts: {
    wanted: {
      name: 'opencode',
      override: 'PARLEY_OPENCODE',
      places: ['~/.opencode/bin/opencode'],
      readVersion: (stdout) => readVersion(stdout, 'bare'),
    },
    product: 'OpenCode',
    /** `opencode acp` with a mode among the options of its session. */
    oldest: [1, 1, 0],
    install: 'npm install -g opencode-ai',
    login: 'opencode auth login',
    packages: ['opencode-ai'],
    offers: { args: ['acp', '--help'], pattern: /\bAgent Client Protocol\b/ },
    loginFiles: (env) => [loginFileOf(env)],
    async evidenceOfLogin(env) {
      const found = await evidenceOf(env, opencode.env.credentials, [
        { file: loginFileOf(env), says: 'found a login of OpenCode' },
      ])
      if (found) return found
      const config = await configOf(env)
      if (hasAny(env, keysIn(config))) return 'found the key that its configuration names'
      return /"provider"\s*:/.test(config) ? 'found a provider in its configuration' : null
    },
  },
}

const loginFileOf = (env: Env) =>
  join(env.XDG_DATA_HOME ?? inHome(env, '.local', 'share'), 'opencode', 'auth.json')
const configFolder = (env: Env) => join(env.XDG_CONFIG_HOME ?? inHome(env, '.config'), 'opencode')

/** The person's own configuration, never that of a working folder: a project must not choose what is passed on. */
const configOf = async (env: Env): Promise<string> => {
  const files = ['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => join(configFolder(env), name))
  const texts = await Promise.all([...files, ...(env.OPENCODE_CONFIG ? [env.OPENCODE_CONFIG] : [])].map(readSettings))
  return [...texts, env.OPENCODE_CONFIG_CONTENT ?? ''].join('\n')
}

/** A key of a provider stands there as `{env:NAME}`. */
const keysIn = (config: string): string[] => [
  ...new Set([...config.matchAll(/\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap(([, name]) => (name ? [name] : []))),
]
