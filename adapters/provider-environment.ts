import * as z from 'zod'
import type { AgentKind } from '../shared/agent.ts'
import { ProviderKind } from '../shared/provider.ts'
import type { ProviderAccess } from './ports.ts'
import type { PrivateFile } from './private-files.ts'
import type { Hidden } from './redact.ts'

interface Surroundings {
  env: Record<string, string>
  hidden: Hidden
}

/** What an agent's process gets besides, when it works with a provider of the person's choice. */
interface Provided extends Surroundings {
  /** Come before the adapter's own arguments; the key is never among them. */
  args: readonly string[]
  /** Files that live as long as the process; the key is never in them. */
  files: readonly PrivateFile[]
}

/**
 * Adds a provider to what one agent's process would get, as its program takes it, and hides the key in all it says.
 * The person's other logins of this agent stay out of it: they are not for that address.
 */
export const withProvider = (
  kind: AgentKind,
  { env, hidden }: Surroundings,
  access: ProviderAccess | null | undefined,
): Provided => {
  const known = ProviderKind.safeParse(kind)
  if (!access || !known.success) return { env, hidden, args: [], files: [] }
  const way = ways[known.data]
  const key = access.key ?? noKey
  const own = Object.entries(env).filter(([name]) => !way.replaces.includes(name))
  return {
    env: { ...Object.fromEntries(own), ...way.values({ ...access, key }, env) },
    hidden: { ...hidden, secrets: access.key === null ? hidden.secrets : [...hidden.secrets, access.key] },
    args: way.args?.(access) ?? [],
    files: way.files?.(access) ?? [],
  }
}

/** How one program takes a provider. */
interface Way {
  /** Variables that would say something else, or carry another key to this address. */
  replaces: readonly string[]
  values: (access: ProviderAccess & { key: string }, env: Readonly<Record<string, string>>) => Record<string, string>
  args?: (access: ProviderAccess) => readonly string[]
  files?: (access: ProviderAccess) => readonly PrivateFile[]
}

/** Programs want a key also where the provider asks for none. */
const noKey = 'none'
/** The variable that a configuration names instead of holding the key. */
const keyName = 'PARLEY_PROVIDER_KEY'
/** What our provider is called in an agent's configuration. */
const ours = 'parley'

const onlyWith = (name: string, value: string | null): Record<string, string> =>
  value === null ? {} : { [name]: value }
const openAiNames = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL']

const ways: Readonly<Record<ProviderKind, Way>> = {
  codex: {
    replaces: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', ...openAiNames],
    values: ({ key }) => ({ [keyName]: key }),
    args: ({ baseUrl, model }) =>
      Object.entries({
        model_provider: ours,
        [`model_providers.${ours}.name`]: 'Parley',
        [`model_providers.${ours}.base_url`]: baseUrl,
        [`model_providers.${ours}.env_key`]: keyName,
        [`model_providers.${ours}.wire_api`]: 'responses',
        ...onlyWith('model', model),
      }).flatMap(([name, value]) => ['-c', `${name}=${toml(value)}`]),
  },
  claude: {
    replaces: [
      'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_MODEL',
      'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX',
    ],
    values: ({ baseUrl, model, key }) => ({
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: key,
      ...onlyWith('ANTHROPIC_MODEL', model),
    }),
  },
  opencode: {
    replaces: ['ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY', ...openAiNames],
    values: (access, env) => {
      const config = { ...configIn(env['OPENCODE_CONFIG_CONTENT']), ...openCodeConfig(access) }
      return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
    },
  },
  gemini: {
    replaces: ['GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_MODEL'],
    values: ({ baseUrl, model, key }) => ({
      GOOGLE_GEMINI_BASE_URL: baseUrl,
      GEMINI_API_KEY: key,
      ...onlyWith('GEMINI_MODEL', model),
    }),
  },
  qwen: {
    replaces: ['DASHSCOPE_API_KEY', ...openAiNames],
    values: ({ baseUrl, model, key }) => ({
      OPENAI_BASE_URL: baseUrl,
      OPENAI_API_KEY: key,
      ...onlyWith('OPENAI_MODEL', model),
    }),
  },
  copilot: {
    replaces: ['GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_BEARER_TOKEN', 'COPILOT_MODEL'],
    values: ({ baseUrl, model, key }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: baseUrl,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_PROVIDER_WIRE_API: 'responses',
      ...onlyWith('COPILOT_MODEL', model),
    }),
  },
  kimi: {
    replaces: ['KIMI_API_KEY', 'MOONSHOT_API_KEY', 'KIMI_MODEL_NAME'],
    values: ({ baseUrl, model, key }) => ({
      KIMI_MODEL_BASE_URL: baseUrl,
      KIMI_MODEL_API_KEY: key,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      ...onlyWith('KIMI_MODEL_NAME', model),
    }),
  },
  openclaw: {
    replaces: ['ANTHROPIC_API_KEY', 'OPENROUTER_API_KEY', 'OPENCLAW_CONFIG_PATH', ...openAiNames],
    // it must not write into a file that is gone when it ends
    values: ({ key }) => ({ [keyName]: key, OPENCLAW_CONFIG_READONLY: '1' }),
    files: (access) => [
      { variable: 'OPENCLAW_CONFIG_PATH', name: 'openclaw.json', text: JSON.stringify(openClawConfig(access)) },
    ],
  },
}

const openCodeConfig = ({ baseUrl, model, key }: ProviderAccess) => ({
  enabled_providers: [ours],
  ...(model === null ? {} : { model: `${ours}/${model}`, small_model: `${ours}/${model}` }),
  provider: {
    [ours]: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Parley',
      options: { baseURL: baseUrl, apiKey: key },
      models: model === null ? {} : { [model]: { name: model, tool_call: true } },
    },
  },
})

const openClawConfig = ({ baseUrl, model }: ProviderAccess) => ({
  models: {
    providers: {
      [ours]: {
        baseUrl,
        apiKey: `\${${keyName}}`,
        api: 'openai-completions',
        models: model === null ? [] : [{ id: model, name: model, input: ['text'] }],
      },
    },
  },
  ...(model === null ? {} : { agents: { defaults: { model: { primary: `${ours}/${model}` } } } }),
})

/** What the adapter says by the same variable stays: ours comes on top. */
const configIn = (text: string | undefined): Record<string, unknown> => {
  if (text === undefined) return {}
  try {
    return Config.parse(JSON.parse(text))
  } catch {
    // one that cannot be read would not have been used either
    return {}
  }
}

const Config = z.record(z.string(), z.unknown())

/** A JSON string is a TOML string where it holds no control character, and addresses and names hold none. */
const toml = (text: string) => JSON.stringify(text)
