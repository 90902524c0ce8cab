import type { Env } from '../environment.ts'
import { readVersion } from '../programs/versions.ts'
import type { AcpProgram } from './acp/agent.ts'
import { evidenceOf, inHome, readSettings } from './login-evidence.ts'

/** Qwen Code, through `qwen --acp`. A session of it begins in a mode that approves by itself. */
export const qwen: AcpProgram = {
  kind: 'qwen',
  agents: ['qwen'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 4, usage: true },
  args: () => ['--acp'],
  env: {
    names: ['OPENAI_BASE_URL', 'OPENAI_MODEL', 'QWEN_MODEL', 'QWEN_TELEMETRY_ENABLED'],
    credentials: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'],
  },
  modes: { readOnly: ['plan'], write: ['default'] },
  usage: 'turn',
  failureProse: /^\[API Error: (.*)\]$/s,
  facts: {
    wanted: {
      name: 'qwen',
      override: 'PARLEY_QWEN',
      places: [],
      readVersion: (stdout) => readVersion(stdout, 'bare'),
    },
    product: 'Qwen Code',
    /** A package manager on an older Node silently installs a much older one. */
    oldest: [0, 20, 0],
    install: 'npm install -g @qwen-code/qwen-code@latest',
    login: 'qwen',
    packages: ['@qwen-code/qwen-code'],
    offers: { args: ['--help'], pattern: /^\s*--acp\b/m },
    loginFiles: (env) => [loginFileOf(env)],
    async evidenceOfLogin(env) {
      const found = await evidenceOf(env, qwen.env.credentials, [
        { file: loginFileOf(env), says: 'found a login of Qwen Code' },
      ])
      if (found) return found
      const settings = await readSettings(inHome(env, '.qwen', 'settings.json'))
      return /"[A-Z_]*API_KEY"\s*:\s*"[^"]/.test(settings) ? 'found a key in its own settings' : null
    },
  },
}

const loginFileOf = (env: Env) => inHome(env, '.qwen', 'oauth_creds.json')
