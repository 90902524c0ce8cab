import { capLimitsMs } from '../../shared/limits.ts'
import type { AgentAdapter } from '../ports.ts'
import { readVersion } from '../programs/versions.ts'
import { childEnvironment } from '../environment.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent, type AgentFacts } from './detect.ts'
import { evidenceOf } from './login-evidence.ts'
import { oneShotAdapter } from './one-shot.ts'
import type { Workplace } from './one-shot/agent.ts'
import { documentDecoder } from './one-shot/document.ts'
import { readResult } from './openclaw/read-result.ts'
import { makeWorkplace } from './openclaw/workplace.ts'

/**
 * OpenClaw, through `openclaw agent exec --json` and nothing else of it: its other ways need a service that outlives
 * the turn. It asks nothing and has no sandbox, so it never works in the person's folder.
 */
export const openclawAdapter = ({ processes, env, launchMs, shell }: AdapterSurroundings): AgentAdapter =>
  oneShotAdapter(
    {
      kind: 'openclaw',
      agents: ['openclaw'],
      product: 'OpenClaw',
      abilities: { readOnly: 'none', write: true, asks: false, resume: false, imagesMax: 0, usage: true },
      args: argvFor,
      env: { names: credentials, credentials },
      place: (request) => makeWorkplace(request),
      decoder: () => documentDecoder(readResult),
      warnings: [unsandboxed],
      detect: (signal, hasProvider) => detectAgent(facts, env, signal, { shell, hasProvider }),
    },
    { processes, launchMs },
  )

/** Its own deadline is as long as a turn may be at most: Parley's clocks come first. */
const argvFor = ({ cwd, values }: Workplace): string[] => [
  'agent',
  'exec',
  '--json',
  '--config',
  values['OPENCLAW_CONFIG_PATH'] ?? '',
  '--cwd',
  cwd,
  '--timeout',
  String(capLimitsMs.max / 1_000),
  '--message-file',
  '-',
]

const unsandboxed =
  'OpenClaw runs without a sandbox and asks nobody. It works in an empty folder that is thrown away after the turn, '
  + 'not in the folder of this conversation.'

const credentials = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'OPENROUTER_API_KEY',
  'MISTRAL_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
]

const openclawName = /^OpenClaw /

const facts: AgentFacts = {
  wanted: {
    name: 'openclaw',
    override: 'PARLEY_OPENCLAW',
    places: [],
    /** `OpenClaw 2026.9.6 (eb377ac)` */
    readVersion: (stdout) => readVersion(stdout, openclawName),
  },
  product: 'OpenClaw',
  /** `agent exec` reads its message from stdin since then. */
  oldest: [2026, 9],
  install: 'npm install -g openclaw',
  login: 'export ANTHROPIC_API_KEY=',
  packages: ['openclaw'],
  names: openclawName,
  offers: { args: ['agent', 'exec', '--help'], pattern: /--message-file/ },
  keys: credentials,
  environment: (env) => childEnvironment(env, { names: credentials }),
  evidenceOfLogin: (env) => evidenceOf(env, credentials, []),
}
