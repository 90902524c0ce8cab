import { describe, expect, test } from 'vitest'
import { commands } from '../../shared/ipc.ts'
import { providerPresets } from '../../shared/provider-presets.ts'
import { ProviderKind, type ProviderDraft } from '../../shared/provider.ts'
import {
  isSameOrigin,
  needsModel,
  readBaseUrl,
  readProviderDraft,
  readProviderKey,
} from '../../shared/read-provider.ts'

const draft = (more: Partial<ProviderDraft> = {}): ProviderDraft => ({
  profileId: null,
  kind: 'codex',
  preset: null,
  name: 'Own gateway',
  baseUrl: 'https://gateway.example',
  model: null,
  key: { how: 'none' },
  ...more,
})
const codeOf = (work: () => unknown) => {
  try {
    work()
    return null
  } catch (error) {
    return (error as { code?: string }).code ?? 'no code'
  }
}

describe('an address', () => {
  test.each([
    ['codex', 'https://gateway.example', 'https://gateway.example/v1'],
    ['codex', ' HTTPS://Gateway.Example:443/v1/ ', 'https://gateway.example/v1'],
    ['qwen', 'https://gateway.example/v1/chat/completions', 'https://gateway.example/v1'],
    ['copilot', 'https://gateway.example/v1/responses/', 'https://gateway.example/v1'],
    ['opencode', 'https://gateway.example/api/paas/v4', 'https://gateway.example/api/paas/v4'],
    ['kimi', 'https://gateway.example/proxy', 'https://gateway.example/proxy/v1'],
    ['openclaw', 'https://gateway.example/v1beta/openai/', 'https://gateway.example/v1beta/openai'],
    ['claude', 'https://gateway.example/v1', 'https://gateway.example'],
    ['claude', 'https://gateway.example/anthropic/v1/messages', 'https://gateway.example/anthropic'],
    ['gemini', 'https://gateway.example/v1beta/', 'https://gateway.example'],
    ['codex', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['codex', 'http://localhost:8080/v1', 'http://localhost:8080/v1'],
    ['claude', 'http://[::1]:8080', 'http://[::1]:8080'],
  ] as const)('is made canonical for %s: %s', (kind, written, canonical) => {
    expect(readBaseUrl(kind, written)).toBe(canonical)
    // what was saved is read the same way
    expect(readBaseUrl(kind, canonical)).toBe(canonical)
  })

  test.each([
    '', 'gateway.example', 'ftp://gateway.example', 'file:///etc/passwd', 'javascript:alert(1)',
    'http://gateway.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'http://localhost.example',
    'https://name:password@gateway.example', 'https://name@gateway.example', 'https://gateway.example/?key=1',
    'https://gateway.example/v1#x', 'https://gateway.example/?', 'https://', 'http://0.0.0.0:80',
  ])('is refused: %s', (written) => {
    expect(codeOf(() => readBaseUrl('codex', written))).toBe('provider.bad-url')
  })

  test('that hides its host in another spelling is judged by what it means', () => {
    expect(readBaseUrl('claude', 'http:\\\\127.1\\')).toBe('http://127.0.0.1')
    expect(codeOf(() => readBaseUrl('claude', 'http://127.0.0.1\\@gateway.example'))).toBe(null)
    expect(readBaseUrl('claude', 'http://127.0.0.1\\@gateway.example')).toBe('http://127.0.0.1/@gateway.example')
    expect(codeOf(() => readBaseUrl('claude', 'http://127.0.0.1@gateway.example'))).toBe('provider.bad-url')
  })

  test('carries a kept key only to the same computer and port', () => {
    expect([
      isSameOrigin('https://one.example/v1', 'https://one.example/other/v1'),
      isSameOrigin('https://one.example', 'https://one.example:444'),
      isSameOrigin('https://one.example', 'https://two.example'),
      isSameOrigin('http://localhost:1', 'https://localhost:1'),
    ]).toEqual([true, false, false, false])
  })
})

describe('a draft', () => {
  test('is read with its spaces gone and its address canonical', () => {
    expect(readProviderDraft(draft({ name: ' Own ', model: ' m1 ', baseUrl: 'https://gateway.example/' }))).toEqual({
      kind: 'codex', preset: null, name: 'Own', baseUrl: 'https://gateway.example/v1', model: 'm1',
    })
  })

  test.each([
    ['provider.wrong-kind', { kind: 'amp' }],
    ['provider.wrong-kind', { kind: 'rehearsal' }],
    ['provider.wrong-kind', { kind: 'custom' }],
    ['provider.no-name', { name: '  ' }],
    ['provider.bad-url', { baseUrl: 'http://gateway.example' }],
    ['provider.bad-model', { model: 'two words' }],
    ['provider.bad-model', { model: '--model' }],
    ['provider.bad-model', { model: 'a"b' }],
    ['provider.model-missing', { kind: 'opencode' }],
    ['provider.preset-mismatch', { preset: 'openai', name: 'OpenAI', baseUrl: 'https://gateway.example' }],
    ['provider.preset-mismatch', { preset: 'openai', name: 'Mine', baseUrl: 'https://api.openai.com/v1' }],
    ['provider.preset-mismatch', { preset: 'no-such', name: 'Mine' }],
    ['provider.preset-mismatch', { name: 'openai' }],
  ] as const)('is refused with %s: %o', (code, more) => {
    expect(codeOf(() => readProviderDraft(draft(more)))).toBe(code)
  })

  test('of a preset is sound for every agent that has one', () => {
    const presets = ProviderKind.options.flatMap((kind) =>
      providerPresets[kind].map((preset) => ({ kind, preset: preset.id, ...preset })),
    )
    const read = presets.map(({ kind, preset, name, baseUrl }) =>
      readProviderDraft(draft({ kind, preset, name, baseUrl, model: needsModel(kind) ? 'm1' : null })),
    )
    expect(read.map(({ baseUrl }) => baseUrl)).toEqual(presets.map(({ baseUrl }) => baseUrl))
    expect(new Set(presets.map(({ kind }) => kind)).size).toBe(ProviderKind.options.length)
  })

  test('may hold nothing that the contract does not name', () => {
    const { input } = commands['providers.save']
    expect([
      input.safeParse(draft()).success,
      input.safeParse({ ...draft(), active: true }).success,
      input.safeParse(draft({ key: { how: 'keep', key: 'x' } as never })).success,
      input.safeParse(draft({ key: 'a-plain-key' as never })).success,
    ]).toEqual([true, false, false, false])
  })
})

test('no answer of the contract lets a key through', () => {
  const profile = {
    profileId: 'provider-1', kind: 'codex', preset: null, name: 'n', baseUrl: 'https://x.example/v1', model: null,
    hasKey: true, keyUnreadable: false, active: false, createdAt: 1,
    key: 'a-canary-key', protectedKey: 'a-canary-key',
  }
  const said = JSON.stringify([
    commands['providers.list'].output.parse({ profiles: [profile], keepsKeys: true }),
    commands['providers.save'].output.parse({ profile }),
  ])
  expect(said).not.toContain('canary')
})

test.each([
  ['sk-ant-0123456789', 'sk-ant-0123456789'],
  ['  AIza_0123456789\n', 'AIza_0123456789'],
  ['short', null],
  ['with a blank in it', null],
  ['quote"in-it-0123', null],
  ['brace{in}it-0123', null],
  ['umläut-0123456789', null],
])('a key is taken as it is sent, or refused: %o', (written, key) => {
  const read = codeOf(() => readProviderKey(written)) ?? readProviderKey(written)
  expect(read).toBe(key ?? 'provider.bad-key')
})
