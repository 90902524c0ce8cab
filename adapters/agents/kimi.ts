import { join } from 'node:path'
import type { Env } from '../environment.ts'
import { readVersion } from '../programs/versions.ts'
import type { AcpProgram } from './acp/agent.ts'
import { evidenceOf, inHome, readSettings } from './login-evidence.ts'

/** Kimi Code CLI, through `kimi acp`. While it may write, it asks before commands but not before it changes files. */
export const kimi: AcpProgram = {
  kind: 'kimi',
  agents: ['kimi'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 10, usage: true },
  args: () => ['acp'],
  env: {
    names: [
      'KIMI_CODE_HOME',
      'KIMI_CODE_CACHE_DIR',
      'KIMI_DISABLE_TELEMETRY',
      'KIMI_MODEL_NAME',
      'KIMI_MODEL_BASE_URL',
      'KIMI_MODEL_PROVIDER_TYPE',
      'KIMI_MODEL_MAX_CONTEXT_SIZE',
      'KIMI_MODEL_CAPABILITIES',
    ],
    // the only key that it takes from the environment; others stand in its own configuration
    credentials: ['KIMI_MODEL_API_KEY'],
    values: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
  },
  modes: { readOnly: ['plan'], write: ['default'] },
  usage: 'context',
  facts: {
    wanted: {
      name: 'kimi',
      override: 'PARLEY_KIMI',
      places: ['~/.kimi-code/bin/kimi'],
      readVersion: (stdout) => readVersion(stdout, 'bare'),
    },
    product: 'Kimi Code',
    /** An older program of this name, of another make, counts below this. */
    oldest: [2, 0, 0],
    install: 'npm install -g @moonshot-ai/kimi-code',
    login: 'kimi login',
    packages: ['@moonshot-ai/kimi-code'],
    offers: { args: ['acp', '--help'], pattern: /\bAgent Client Protocol\b/ },
    loginFiles: (env) => [join(folderOf(env), 'credentials')],
    async evidenceOfLogin(env) {
      const found = await evidenceOf(env, kimi.env.credentials, [
        { file: join(folderOf(env), 'credentials'), says: 'found a login of Kimi Code' },
      ])
      if (found) return found
      const config = await readSettings(join(folderOf(env), 'config.toml'))
      return /^\s*(?:api_key|[A-Z_]*API_KEY)\s*=\s*"[^"]/m.test(config) ? 'found a key in its own settings' : null
    },
  },
}

const folderOf = (env: Env) => env.KIMI_CODE_HOME ?? inHome(env, '.kimi-code')
