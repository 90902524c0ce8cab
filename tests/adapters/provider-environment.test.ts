import { describe, expect, test } from 'vitest'
import { withProvider } from '../../adapters/provider-environment.ts'
import { ProviderKind } from '../../shared/provider.ts'

const key = 'qz-canary-0123456789'
const access = { baseUrl: 'https://gateway.example/v1', model: 'm/1', key }
const hidden = { secrets: ['known-secret'], home: null }
const given = (kind: Parameters<typeof withProvider>[0], more: Partial<typeof access> | { key: null } = {}, env = {}) =>
  withProvider(kind, { env: { PATH: '/bin', ...env }, hidden }, { ...access, ...more })

describe('a provider is given as each program takes it', () => {
  test.each([
    ['claude', {
      ANTHROPIC_BASE_URL: 'https://gateway.example/v1', ANTHROPIC_API_KEY: key, ANTHROPIC_MODEL: 'm/1',
    }],
    ['gemini', { GOOGLE_GEMINI_BASE_URL: 'https://gateway.example/v1', GEMINI_API_KEY: key, GEMINI_MODEL: 'm/1' }],
    ['qwen', { OPENAI_BASE_URL: 'https://gateway.example/v1', OPENAI_API_KEY: key, OPENAI_MODEL: 'm/1' }],
    ['copilot', {
      COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: 'https://gateway.example/v1',
      COPILOT_PROVIDER_API_KEY: key, COPILOT_PROVIDER_WIRE_API: 'responses', COPILOT_MODEL: 'm/1',
    }],
    ['kimi', {
      KIMI_MODEL_BASE_URL: 'https://gateway.example/v1', KIMI_MODEL_API_KEY: key,
      KIMI_MODEL_PROVIDER_TYPE: 'openai', KIMI_MODEL_NAME: 'm/1',
    }],
  ] as const)('%s by its environment', (kind, env) => {
    expect(given(kind)).toEqual({
      env: { PATH: '/bin', ...env }, hidden: { secrets: ['known-secret', key], home: null }, args: [], files: [],
    })
  })

  test('codex by its configuration, which names the variable of the key', () => {
    const { env, args } = given('codex', {}, { OPENAI_API_KEY: 'own', CODEX_HOME: '/c' })
    expect(env).toEqual({ PATH: '/bin', CODEX_HOME: '/c', PARLEY_PROVIDER_KEY: key })
    expect(args.filter((arg) => arg !== '-c')).toEqual([
      'model_provider="parley"',
      'model_providers.parley.name="Parley"',
      'model_providers.parley.base_url="https://gateway.example/v1"',
      'model_providers.parley.env_key="PARLEY_PROVIDER_KEY"',
      'model_providers.parley.wire_api="responses"',
      'model="m/1"',
    ])
  })

  test('opencode by a configuration in its environment, on top of what the adapter says there', () => {
    const { env } = given('opencode', {}, { OPENCODE_CONFIG_CONTENT: '{"share":"disabled","model":"other"}' })
    expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      share: 'disabled',
      model: 'parley/m/1',
      enabled_providers: ['parley'],
      provider: { parley: { options: { baseURL: 'https://gateway.example/v1', apiKey: key }, models: { 'm/1': {} } } },
    })
  })

  test('openclaw by a file that names the variable of the key', () => {
    const { env, files } = given('openclaw', {}, { OPENCLAW_CONFIG_PATH: '/own' })
    expect(env).toEqual({ PATH: '/bin', PARLEY_PROVIDER_KEY: key, OPENCLAW_CONFIG_READONLY: '1' })
    expect(files.map(({ variable, name }) => [variable, name])).toEqual([['OPENCLAW_CONFIG_PATH', 'openclaw.json']])
    expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({
      models: { providers: { parley: { apiKey: '${PARLEY_PROVIDER_KEY}', models: [{ id: 'm/1' }] } } },
      agents: { defaults: { model: { primary: 'parley/m/1' } } },
    })
  })
})

describe('whatever the agent', () => {
  const everybodysKeys = {
    OPENAI_API_KEY: 'own-openai', CODEX_API_KEY: 'own-codex', ANTHROPIC_AUTH_TOKEN: 'own-claude',
    CLAUDE_CODE_OAUTH_TOKEN: 'own-oauth', GOOGLE_API_KEY: 'own-google', GEMINI_API_KEY: 'own-gemini',
    GITHUB_TOKEN: 'own-github', KIMI_API_KEY: 'own-kimi', DASHSCOPE_API_KEY: 'own-dashscope',
    ANTHROPIC_API_KEY: 'own-anthropic', ANTHROPIC_CUSTOM_HEADERS: 'own-headers',
  }
  /** What each program would otherwise send to the address of the profile. */
  const ownOf: Record<ProviderKind, (keyof typeof everybodysKeys)[]> = {
    codex: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    claude: ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_API_KEY', 'ANTHROPIC_CUSTOM_HEADERS'],
    opencode: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'],
    gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    qwen: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
    copilot: ['GITHUB_TOKEN'],
    kimi: ['KIMI_API_KEY'],
    openclaw: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'],
  }

  test.each(ProviderKind.options)('%s: the key is in no argument and no file', (kind) => {
    const { args, files, env } = given(kind)
    expect(JSON.stringify([args, files])).not.toContain(key)
    expect(JSON.stringify(env)).toContain(key)
  })

  test.each(ProviderKind.options)('%s: the person’s own keys do not go to that address', (kind) => {
    const own = Object.fromEntries(ownOf[kind].map((name) => [name, everybodysKeys[name]]))
    const said = JSON.stringify(given(kind, {}, own).env)
    const saidWithout = JSON.stringify(given(kind, { key: null }, own).env)
    for (const value of Object.values(own)) expect(said + saidWithout).not.toContain(value)
  })

  test.each(ProviderKind.options)('%s: without a profile nothing changes', (kind) => {
    const surroundings = { env: { ...everybodysKeys }, hidden }
    expect(withProvider(kind, surroundings, null)).toEqual({ ...surroundings, args: [], files: [] })
  })
})

test('an agent that takes no provider gets none', () => {
  expect(given('amp')).toEqual({ env: { PATH: '/bin' }, hidden, args: [], files: [] })
})
