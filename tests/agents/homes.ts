import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface AgentHome {
  /** What main's own environment would be: a home of its own, and where the mock model is. */
  env: Record<string, string>
  /** A working directory in it. */
  cwd: string
  remove(): Promise<void>
}

/** A fresh home for one agent, so that no test touches the real one, configured for the mock model at this address. */
export const agentHome = async (kind: 'codex' | 'claude', mockUrl: string): Promise<AgentHome> => {
  const home = await mkdtemp(join(tmpdir(), `parley-${kind}-`))
  const cwd = join(home, 'work')
  await mkdir(cwd)
  if (kind === 'codex') await configureCodex(home, mockUrl)
  return {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      ...(kind === 'codex' ? codexEnv : claudeEnv(mockUrl)),
    },
    cwd,
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const configureCodex = async (home: string, mockUrl: string) => {
  await mkdir(join(home, '.codex'))
  await writeFile(
    join(home, '.codex', 'config.toml'),
    `
model = "gpt-5.5"
model_provider = "mock"
model_reasoning_summary = "detailed"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${mockUrl}/v1"
env_key = "MOCK_MODEL_KEY"
wire_api = "responses"

[analytics]
enabled = false
`,
  )
}

const codexEnv = { MOCK_MODEL_KEY: 'sk-mock-0123456789abcdef' }

const claudeEnv = (mockUrl: string) => ({
  ANTHROPIC_BASE_URL: mockUrl,
  ANTHROPIC_API_KEY: 'sk-ant-mock-0123456789abcdef',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
})
