import { join } from 'node:path'
import { childEnvironment, homeOf, type Env } from '../environment.ts'
import type { AgentAdapter } from '../ports.ts'
import { readVersion } from '../programs/versions.ts'
import { acpAdapter } from './acp.ts'
import type { AcpAgent } from './acp/agent.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent, type AgentFacts } from './detect.ts'
import { evidenceOf } from './login-evidence.ts'

/** Hermes Agent, through `hermes acp`. Built from its documentation alone: never tried on the real program. */
export const hermesAdapter = ({ processes, env, shell }: AdapterSurroundings): AgentAdapter =>
  acpAdapter(
    { ...hermes, detect: (signal) => detectAgent(hermesFacts, env, signal, { shell }) },
    processes,
  )

const keys = [
  'ANTHROPIC_API_KEY',
  'DEEPSEEK_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'NOUS_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'XAI_API_KEY',
]

const hermes: Omit<AcpAgent, 'detect'> = {
  kind: 'hermes',
  agents: ['hermes'],
  // it asks before edits and before commands that it holds dangerous; other commands it runs: nothing keeps it reading
  abilities: { readOnly: 'none', write: true, asks: true, resume: true, imagesMax: 1, usage: true },
  args: () => ['acp'],
  env: { names: ['HERMES_HOME', 'OPENAI_BASE_URL'], credentials: keys },
  modes: { readOnly: [], write: ['default'] },
  usage: 'turn',
}

const hermesHome = (env: Env) => env.HERMES_HOME ?? join(homeOf(env), '.hermes')

const hermesFacts: AgentFacts = {
  wanted: {
    name: 'hermes',
    override: 'PARLEY_HERMES',
    places: [],
    /** `Hermes Agent v0.14.0 (2026.5.16)`; a JavaScript engine has this name too. */
    readVersion: (stdout) => readVersion(stdout, /^Hermes Agent v/),
  },
  product: 'Hermes Agent',
  oldest: [0, 14],
  install:
    process.platform === 'win32'
      ? 'iex (irm https://hermes-agent.nousresearch.com/install.ps1)'
      : 'curl -fsSL https://hermes-agent.nousresearch.com/install.sh | bash',
  login: 'hermes setup',
  keys,
  loginFiles: (env) => [join(hermesHome(env), 'auth.json'), join(hermesHome(env), '.env')],
  environment: (env) => childEnvironment(env, { names: [...hermes.env.names, ...keys] }),
  async evidenceOfLogin(env) {
    const files = hermesFacts.loginFiles?.(env) ?? []
    return evidenceOf(env, keys, files.map((file) => ({ file, says: 'found its own settings' })))
  },
}
