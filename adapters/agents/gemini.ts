import type { Env } from '../environment.ts'
import { readVersion } from '../programs/versions.ts'
import type { AcpProgram } from './acp/agent.ts'
import { evidenceOf, inHome, readSettings } from './login-evidence.ts'

/** Gemini CLI, through `gemini --acp`. */
export const gemini: AcpProgram = {
  kind: 'gemini',
  agents: ['gemini'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 10, usage: true },
  args: () => ['--acp'],
  env: {
    names: [
      'GEMINI_MODEL',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_VERTEX_BASE_URL',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_GENAI_USE_GCA',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GEMINI_TELEMETRY_ENABLED',
    ],
    credentials: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    values: {
      // else the process that is spawned only starts another one, and heeds no signal
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // the person chose the folder for this work; without this it ends before it says a word
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
  },
  modes: { readOnly: ['plan'], write: ['default'] },
  usage: 'turn',
  failureProse: /^\[API Error: (.*)\]$/s,
  /**
   * Its recording is named by the minute in which a session was last opened. Loading one within that minute
   * overwrites it, and the session is gone: then a new one begins with our transcript.
   */
  mayResume: ({ at }, now) => minuteOf(now) !== minuteOf(at) && minuteOf(now) !== minuteOf(at + namedWithinMs),
  facts: {
    wanted: {
      name: 'gemini',
      override: 'PARLEY_GEMINI',
      places: [],
      readVersion: (stdout) => readVersion(stdout, 'bare'),
    },
    product: 'Gemini CLI',
    /** The first seen with `--acp` beside its older, experimental name. */
    oldest: [0, 50, 0],
    install: 'npm install -g @google/gemini-cli',
    login: 'gemini',
    packages: ['@google/gemini-cli'],
    offers: { args: ['--help'], pattern: /^\s*--acp\b/m },
    loginFiles: (env) => [loginFileOf(env)],
    async evidenceOfLogin(env) {
      const found = await evidenceOf(env, gemini.env.credentials, [
        { file: loginFileOf(env), says: 'found a login of Gemini CLI' },
      ])
      if (found) return found
      if (env.GOOGLE_APPLICATION_CREDENTIALS) return 'found credentials of Google Cloud in the environment'
      const ownKeys = await readSettings(inHome(env, '.gemini', '.env'))
      return /^\s*(?:export\s+)?G(?:EMINI|OOGLE)_API_KEY=./m.test(ownKeys) ? 'found a key in its own settings' : null
    },
  },
}

const loginFileOf = (env: Env) => inHome(env, '.gemini', 'oauth_creds.json')

/** It may come to name its recording only so long after a session was opened. */
const namedWithinMs = 10_000
const minuteOf = (at: number) => Math.floor(at / 60_000)
