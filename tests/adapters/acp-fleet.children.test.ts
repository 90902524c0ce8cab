import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { acpProgramAdapter } from '../../adapters/agents/acp.ts'
import { acpEnvironment } from '../../adapters/agents/acp/environment.ts'
import { copilot } from '../../adapters/agents/copilot.ts'
import { gemini } from '../../adapters/agents/gemini.ts'
import { kimi } from '../../adapters/agents/kimi.ts'
import { opencode } from '../../adapters/agents/opencode.ts'
import { qwen } from '../../adapters/agents/qwen.ts'
import { Processes } from '../../adapters/process.ts'
import { put } from './agents/stub-program.ts'

const fleet = [opencode, gemini, qwen, copilot, kimi]
const byKind = fleet.map((agent) => [agent.kind, agent] as const)

/** A home folder with these files. */
const homeWith = (files: Record<string, string> = {}): string => {
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return home
}

/** What surrounds us when another agent started us: its marks, its keys, and those of everybody else. */
const everything = Object.fromEntries(
  [
    ...fleet.flatMap(({ env }) => [...env.credentials, ...env.names]),
    'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'GEMINI_CLI', 'OPENCODE', 'COPILOT_CLI', 'QWEN_CODE', 'AGENT',
    'ANTHROPIC_API_KEY', 'GH_TOKEN', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'NODE_OPTIONS', 'PARLEY_ATTEMPT',
  ].map((name) => [name, 'canary']),
)

describe.each(byKind)('%s', (kind, agent) => {
  test('gets its own names and no other agent’s, and keeps its own home', async () => {
    const home = homeWith()
    const given = { ...everything, HOME: home, PATH: '/bin' }
    const env = await acpEnvironment(agent, given, false)
    const told = { ...agent.env.values, ...agent.env.byMode?.readOnly }
    const own = [...agent.env.names, ...agent.env.credentials, ...Object.keys(told)]
    expect(Object.keys(env).toSorted()).toEqual([...new Set([...own, 'HOME', 'PATH'])].toSorted())
    expect(env).toMatchObject({ ...told, HOME: home })
  })

  test('has a mode for reading and another one for writing', () => {
    expect(agent.modes.readOnly[0]).toMatch(/plan$/)
    expect(agent.modes.write).toHaveLength(1)
    expect(agent.modes.readOnly[0]).not.toBe(agent.modes.write[0])
  })

  test('is found by its version, and is ready with a key of its own', async () => {
    const help = '  --acp  Agent Client Protocol'
    const script = `case "$*" in *help) echo '${help}' ;; *) echo '${versions[kind]}' ;; esac`
    const home = homeWith()
    const program = await put(join(home, 'bin'), 'program', script)
    const surroundings = { HOME: home, PATH: '/usr/bin:/bin', [agent.facts.wanted.override]: program }
    const detect = (env: Record<string, string>) =>
      acpProgramAdapter(agent, { processes: new Processes(), env }).detect(AbortSignal.timeout(20_000))
    const without = await detect(surroundings)
    expect(without.card).toMatchObject({ readiness: 'needsLogin', remedy: agent.facts.login })
    const found = await detect({ ...surroundings, [agent.env.credentials[0]!]: 'key' })
    expect(found.card).toMatchObject({ readiness: 'ready', evidence: 'found a key in the environment' })
    expect(found.program?.version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('is not taken for another product', () => {
    for (const [other, line] of Object.entries(versions)) {
      const isOwn = other === kind || (kind !== 'copilot' && other !== 'copilot')
      expect(agent.facts.wanted.readVersion(line) !== null).toBe(isOwn)
    }
  })
})

/** What each prints, as it was recorded; all but one only print a number. */
const versions: Record<string, string> = {
  opencode: '1.18.33',
  gemini: '0.61.0',
  qwen: '0.24.4',
  copilot: 'GitHub Copilot CLI 1.0.102.\nRun copilot update to check for updates.',
  kimi: '2.1.0',
}

describe('what lets an agent answer', () => {
  test.each([
    ['opencode', '.local/share/opencode/auth.json', '{}', 'found a login of OpenCode'],
    ['opencode', '.config/opencode/opencode.json', '{"provider": {}}', 'found a provider in its configuration'],
    ['gemini', '.gemini/oauth_creds.json', '{}', 'found a login of Gemini CLI'],
    ['gemini', '.gemini/.env', 'GEMINI_API_KEY=x', 'found a key in its own settings'],
    ['qwen', '.qwen/oauth_creds.json', '{}', 'found a login of Qwen Code'],
    ['qwen', '.qwen/settings.json', '{"env":{"SOME_API_KEY":"x"}}', 'found a key in its own settings'],
    ['copilot', '.copilot/config.json', '{"loggedInUsers":[{"login":"x"}]}', 'found a login of GitHub Copilot'],
    ['copilot', '.copilot/config.json', '{"loggedInUsers":[]}', null],
    ['kimi', '.kimi-code/credentials/kimi-code.json', '{}', 'found a login of Kimi Code'],
    ['kimi', '.kimi-code/config.toml', 'api_key = "x"', 'found a key in its own settings'],
    ['kimi', '.kimi-code/config.toml', 'api_key = ""', null],
  ])('%s with %s of %s: %s', async (kind, file, text, evidence) => {
    const agent = fleet.find((each) => each.kind === kind)!
    expect(await agent.facts.evidenceOfLogin({ HOME: homeWith({ [file]: text }) })).toBe(evidence)
  })

  test('copilot may have a provider of the person’s own', async () => {
    const env = { HOME: homeWith(), COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:1' }
    expect(await copilot.facts.evidenceOfLogin(env)).toBe('found a provider of your own in the environment')
  })

  test('opencode gets the keys that the person’s configuration names, and no others', async () => {
    const home = homeWith({ '.config/opencode/opencode.jsonc': '{"apiKey": "{env:MY_KEY}" /* mine */}' })
    const given = { HOME: home, MY_KEY: 'mine', OTHER_KEY: 'not mine' }
    expect(await acpEnvironment(opencode, given, true)).toMatchObject({ MY_KEY: 'mine' })
    expect(await acpEnvironment(opencode, given, true)).not.toHaveProperty('OTHER_KEY')
    expect(await opencode.facts.evidenceOfLogin(given)).toBe('found the key that its configuration names')
  })
})

test('opencode is told by whether it may write what it may do', async () => {
  const told = async (allowWrite: boolean): Promise<unknown> =>
    JSON.parse((await acpEnvironment(opencode, {}, allowWrite)).OPENCODE_PERMISSION ?? '')
  expect(await told(false)).toEqual({ edit: 'deny', bash: 'deny', webfetch: 'deny' })
  expect(await told(true)).toEqual({ edit: 'ask', bash: 'ask', webfetch: 'ask' })
})

test('copilot is started without what writes while it may only read', () => {
  expect(copilot.args('copilot', false)).toEqual([
    '--acp', '--no-auto-update', '--deny-tool', 'write', '--deny-tool', 'shell',
  ])
  expect(copilot.args('copilot', true)).toEqual(['--acp', '--no-auto-update'])
})

test.each([
  ['2026-11-30T10:00:20Z', '2026-11-30T10:00:59Z', false],
  ['2026-11-30T10:00:20Z', '2026-11-30T10:01:00Z', true],
  // its recording may have been named in the minute after
  ['2026-11-30T10:00:55Z', '2026-11-30T10:01:30Z', false],
  ['2026-11-30T10:00:55Z', '2026-11-30T10:02:00Z', true],
])('a session of gemini last used at %s may be loaded at %s: %s', (at, now, may) => {
  expect(gemini.mayResume?.({ at: Date.parse(at), version: null }, Date.parse(now))).toBe(may)
})
