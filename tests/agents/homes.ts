import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathWithOurNode, type RealAgent } from './install.ts'

export interface AgentHome {
  folder: string
  /** What main's own environment would be: a home of its own, and where the mock model is. */
  env: Record<string, string>
  /** From now on its model is at another address: for a fault, or another script. */
  pointAt(modelUrl: string): Promise<void>
  /** A new working directory in it. */
  newFolder(): Promise<string>
  remove(): Promise<void>
}

/** Goes to every agent as a setting of the language would, also to one that is given another home for its turn. */
export const homeMark = 'LC_PARLEY_HOME'

/** What one agent needs to speak with the mock model at this address. */
interface Configuration {
  env?: Record<string, string>
  /** Configuration files by their path in its home. */
  files?: Record<string, string>
}

/**
 * A fresh home for one agent, so that no test touches the real one. Some agents unpack themselves into it, a hundred
 * megabytes and more: one for a test file is enough.
 */
export const agentHome = async (agent: RealAgent, modelUrl: string): Promise<AgentHome> => {
  const folder = await mkdtemp(join(tmpdir(), `parley-${agent}-`))
  const env = { PATH: pathWithOurNode(), HOME: folder, LANG: 'C.UTF-8', SHELL: '/bin/sh', [homeMark]: folder }
  const pointAt = async (url: string) => {
    const { files = {}, env: own = {} } = configurations[agent](url)
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    Object.assign(env, own)
  }
  await pointAt(modelUrl)
  return {
    folder,
    env,
    pointAt,
    newFolder: () => mkdtemp(join(folder, 'work-')),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}

const key = 'sk-mock-0123456789abcdef'

const configurations: Readonly<Record<RealAgent, (url: string) => Configuration>> = {
  codex: (url) => ({
    env: { MOCK_MODEL_KEY: key },
    files: {
      '.codex/config.toml': `
model = "gpt-5.5"
model_provider = "mock"
model_reasoning_summary = "detailed"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "MOCK_MODEL_KEY"
wire_api = "responses"

[analytics]
enabled = false
`,
    },
  }),
  claude: (url) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
  }),
  opencode: (url) => ({
    env: { MOCK_MODEL_KEY: key, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'mock/mock-model',
        small_model: 'mock/mock-model',
        enabled_providers: ['mock'],
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Mock',
            options: { baseURL: `${url}/v1`, apiKey: '{env:MOCK_MODEL_KEY}' },
            models: {
              'mock-model': {
                name: 'Mock',
                tool_call: true,
                reasoning: true,
                attachment: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 200_000, output: 8_000 },
              },
            },
          },
        },
      }),
    },
  }),
  gemini: (url) => ({
    env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  }),
  qwen: (url) => ({
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'qwen3-vl-plus' },
    files: {
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        tools: { todoWrite: { enabled: true } },
      }),
    },
  }),
  copilot: (url) => ({
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_PROVIDER_WIRE_API: 'responses',
      COPILOT_MODEL: 'gpt-5.4',
    },
  }),
  kimi: (url) => ({
    env: {
      KIMI_MODEL_NAME: 'mock-model',
      KIMI_MODEL_API_KEY: key,
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_CAPABILITIES: 'image_in,thinking',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    },
  }),
  openclaw: (url) => ({ env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url } }),
  amp: () => ({ env: { AMP_API_KEY: key, AMP_SKIP_UPDATE_CHECK: '1' } }),
}
