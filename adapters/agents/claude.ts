import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { childEnvironment, homeOf, withFolderOnPath, type Env } from '../environment.ts'
import type { AgentAdapter, OpenSession } from '../ports.ts'
import { readVersion } from '../programs/versions.ts'
import { withProvider } from '../provider-environment.ts'
import { hiddenOf } from '../redact.ts'
import { ClaudeSession } from './claude/session.ts'
import type { AdapterSurroundings } from './codex.ts'
import { detectAgent, type AgentFacts } from './detect.ts'
import { evidenceOf } from './login-evidence.ts'
import { openOrEnd } from './open.ts'

/** Claude Code, through stream-json both ways and its control protocol: one process for one session. */
export const claudeAdapter = ({ processes, env, shell, launchMs }: AdapterSurroundings): AgentAdapter => ({
  kind: 'claude',
  agents: ['claude'],
  transport: 'stream-json',
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 20, usage: true },
  mayContinue: true,
  detect: (signal, hasProvider) => detectAgent(claudeFacts, env, signal, { shell, hasProvider }),
  async open(request, signal) {
    const childEnv = withFolderOnPath(claudeEnvironment(request.env), dirname(request.program.file))
    const plain = hiddenOf({ ...request.env, ...childEnv }, claudeCredentials)
    const { env: given, hidden } = withProvider('claude', { env: childEnv, hidden: plain }, request.provider)
    const sessionId = request.resume ?? randomUUID()
    const session = new ClaudeSession(request, sessionId, hidden, launchMs)
    const args = argvFor(request, sessionId)
    return openOrEnd({ processes, request, args, env: given, hidden, session, launchMs, signal })
  },
})

/** The prompt is never among the arguments: it goes by the protocol. */
export const argvFor = (
  { allowWrite, resume }: Pick<OpenSession, 'allowWrite' | 'resume'>,
  sessionId: string,
): string[] => [
  '-p',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
  '--include-partial-messages',
  '--permission-prompt-tool',
  'stdio',
  ...(allowWrite ? writeMode : readOnlyMode),
  ...(resume === null ? ['--session-id', sessionId] : ['--resume', sessionId]),
]

const claudeName = /\(Claude Code\)/

/** One object of JSON, perhaps among warnings. */
const readClaudeStatus = (printed: string): boolean | null => {
  const said = /"loggedIn"\s*:\s*(true|false)/.exec(printed)?.[1]
  return said === undefined ? null : said === 'true'
}

export const claudeEnvironment = (env: Env): Record<string, string> =>
  childEnvironment(env, {
    names: [...claudeCredentials, ...claudeSettings],
    // it must not replace itself between two rounds
    values: { DISABLE_AUTOUPDATER: '1' },
  })

/** What could write is not there at all, so that no rule in a person's own settings lets it through. */
const readOnlyMode = ['--permission-mode', 'dontAsk', '--tools', 'Read,Grep,Glob', '--strict-mcp-config']

/** What it wants to do it asks; what needs a person at its own window, or outlives the turn, it does not have. */
const writeMode = [
  '--permission-mode',
  'default',
  '--disallowedTools',
  'AskUserQuestion,EnterPlanMode,EnterWorktree,ScheduleWakeup,CronCreate',
]

const claudeCredentials = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']
const claudeSettings = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CONFIG_DIR',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'DISABLE_TELEMETRY',
  'DISABLE_ERROR_REPORTING',
]

const claudeFacts: AgentFacts = {
  wanted: {
    name: 'claude',
    override: 'PARLEY_CLAUDE',
    places: ['~/.claude/local/claude', '~/.claude/local/node_modules/.bin/claude'],
    /** `2.1.332 (Claude Code)` */
    readVersion: (stdout) => readVersion(stdout, claudeName),
  },
  product: 'Claude Code',
  /** The control protocol asked about tools by `can_use_tool` before, but not with all that is read here. */
  oldest: [2, 1, 200],
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude auth login',
  packages: ['@anthropic-ai/claude-code'],
  names: claudeName,
  offers: { args: ['--help'], pattern: /--input-format\b/ },
  keys: claudeCredentials,
  status: { args: ['auth', 'status'], read: readClaudeStatus },
  loginFiles: (env) => [loginFileOf(env)],
  environment: claudeEnvironment,
  async evidenceOfLogin(env) {
    return evidenceOf(env, claudeCredentials, [{ file: loginFileOf(env), says: 'found a login of Claude Code' }])
  },
}

const loginFileOf = (env: Env): string =>
  join(env.CLAUDE_CONFIG_DIR ?? join(homeOf(env), '.claude'), '.credentials.json')
