import { join } from 'node:path'
import type { Env } from '../environment.ts'
import { readVersion } from '../programs/versions.ts'
import type { AcpProgram } from './acp/agent.ts'
import { evidenceOf, inHome, readSettings } from './login-evidence.ts'

const mode = (name: string) => `https://agentclientprotocol.com/protocol/session-modes#${name}`

/** GitHub Copilot CLI, through `copilot --acp`. */
export const copilot: AcpProgram = {
  kind: 'copilot',
  agents: ['copilot'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 10, usage: true },
  args: (_agent, allowWrite) => ['--acp', '--no-auto-update', ...(allowWrite ? [] : withoutWriting)],
  env: {
    names: [
      'COPILOT_HOME',
      'COPILOT_MODEL',
      'COPILOT_OFFLINE',
      'COPILOT_PROVIDER_BASE_URL',
      'COPILOT_PROVIDER_TYPE',
      'COPILOT_PROVIDER_WIRE_API',
      'COPILOT_PROVIDER_MODEL_ID',
    ],
    // not the tokens of the GitHub command line, which open more than Copilot
    credentials: ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'],
    values: { COPILOT_AUTO_UPDATE: 'false' },
  },
  // neither of them forbids writing: that is done by its arguments
  modes: { readOnly: [mode('plan'), mode('agent')], write: [mode('agent')] },
  options: [{ id: 'allow_all', value: 'off' }],
  usage: 'session',
  asides: {
    retrying: /^Info: Request failed due to a transient API error\. Retrying\.*\s*$/,
    // the tool that was refused says so itself
    known: /^Info: Operation cancelled by user\s*$/,
    failure: /^Error: (.+)$/s,
  },
  facts: {
    wanted: {
      name: 'copilot',
      override: 'PARLEY_COPILOT',
      places: [],
      readVersion: (stdout) => readVersion(stdout, /^GitHub Copilot CLI v?\d/),
    },
    product: 'GitHub Copilot CLI',
    oldest: [1, 0, 0],
    install: 'npm install -g @github/copilot',
    login: 'copilot login',
    packages: ['@github/copilot'],
    offers: { args: ['--help'], pattern: /^\s*--acp\b/m },
    loginFiles: (env) => [configFileOf(env)],
    async evidenceOfLogin(env) {
      const found = await evidenceOf(env, copilot.env.credentials, [])
      if (found) return found
      if (env.COPILOT_PROVIDER_BASE_URL) return 'found a provider of your own in the environment'
      const config = await readSettings(configFileOf(env))
      return /"(?:logged_in_users|loggedInUsers|last_logged_in_user|lastLoggedInUser)"\s*:\s*[[{]\s*["{]/.test(config)
        ? 'found a login of GitHub Copilot'
        : null
    },
  },
}

const configFileOf = (env: Env) => join(env.COPILOT_HOME ?? inHome(env, '.copilot'), 'config.json')

/** Denied by name, so that the session cannot ask for them either. */
const withoutWriting = ['--deny-tool', 'write', '--deny-tool', 'shell']
