import { existsSync } from 'node:fs'
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ampAdapter } from '../../../adapters/agents/amp.ts'
import { claudeAdapter } from '../../../adapters/agents/claude.ts'
import { codexAdapter } from '../../../adapters/agents/codex.ts'
import { hermesAdapter } from '../../../adapters/agents/hermes.ts'
import { rehearsalAdapter } from '../../../adapters/agents/rehearsal.ts'
import type { Detection } from '../../../adapters/ports.ts'
import { Processes } from '../../../adapters/process.ts'
import { emptyHome, put, putClaude, putCodex } from './stub-program.ts'

const processes = new Processes()
const soon = () => AbortSignal.timeout(20_000)
const codex = (env: Record<string, string>) => codexAdapter({ processes, env }).detect(soon())
const claude = (env: Record<string, string>) => claudeAdapter({ processes, env }).detect(soon())

const outcomes = ({ card }: Detection) => Object.fromEntries(card.stages.map(({ stage, outcome }) => [stage, outcome]))
const said = ({ card }: Detection, stage: string) => card.stages.find((each) => each.stage === stage)?.how

describe('an agent is taken through its stages', () => {
  test('one that is nowhere is not installed, and the remedy is one command', async () => {
    const { env } = await emptyHome()
    const found = await codex(env)
    expect(found).toMatchObject({ program: null, card: { readiness: 'notInstalled', version: null } })
    expect(found.card.remedy).toBe('npm install -g @openai/codex')
    expect(outcomes(found)).toEqual({ found: 'no' })
  })

  test('one in PATH with a key in the environment is ready', async () => {
    const { env, path } = await emptyHome()
    const file = await putClaude(path)
    const found = await claude({ ...env, ANTHROPIC_API_KEY: 'sk-ant-1' })
    expect(found.program).toMatchObject({ file, before: [], version: '2.1.332' })
    expect(found.card).toMatchObject({ readiness: 'ready', evidence: 'found a key in the environment', remedy: null })
    expect(outcomes(found)).toEqual({
      found: 'yes', version: 'yes', runtime: 'yes', protocol: 'yes', credentials: 'yes', answered: 'unknown',
    })
  })

  test('one in a known place without a login needs one', async () => {
    const { env, home } = await emptyHome()
    const file = await putCodex(join(home, '.local', 'bin'), { status: 'echo Not logged in >&2; exit 1' })
    const found = await codex(env)
    expect(found).toMatchObject({ program: { file }, card: { readiness: 'needsLogin', remedy: 'codex login' } })
    expect(said(found, 'found')).toBe('Found in your home folder.')
  })

  test('a link to a program is a program', async () => {
    const { env, home, path } = await emptyHome()
    await putCodex(join(home, 'real'))
    await symlink(join(home, 'real', 'codex'), join(path, 'codex'))
    expect((await codex(env)).program?.file).toBe(join(path, 'codex'))
  })

  test('the rehearsal goes through the same stages', async () => {
    const found = await rehearsalAdapter(processes).detect(soon())
    expect(found.card.stages.map(({ outcome }) => outcome)).toEqual(['yes', 'yes', 'yes', 'yes', 'yes'])
  })
})

describe('the right product is told by what it prints', () => {
  test.each([
    ['another product of that name', 'echo "codex 9 (a text adventure)"', 'A program of that name is not Codex.'],
    ['one that only prints a version', 'echo 0.171.0', 'A program of that name is not Codex.'],
    ['one that says nothing', 'exit 0', 'A program of that name is not Codex.'],
    ['one that fails', 'echo "codex-cli 0.171.0"; exit 1', 'Codex is there but does not start.'],
    ['one that is too old', 'echo "codex-cli 0.42.0"', 'Codex 0.42.0 is older than Parley can speak with.'],
    [
      'a prerelease that is not listed',
      'echo "codex-cli 0.172.0-alpha.1"',
      'Codex 0.172.0-alpha.1 is a prerelease that nobody has tried with Parley.',
    ],
  ])('%s is incompatible', async (_, script, message) => {
    const { env, path } = await emptyHome()
    await put(path, 'codex', script)
    const found = await codex({ ...env, OPENAI_API_KEY: 'sk-1' })
    expect(found.program).toBeNull()
    expect(found.card).toMatchObject({
      readiness: 'incompatible',
      failure: { code: 'agent.incompatible', message, params: { probe: 'version' } },
    })
  })

  test('colours and other versions around its own are no hindrance', async () => {
    const { env, path } = await emptyHome()
    await put(path, 'codex', `case "$1" in
--version) printf 'node 24.1.0\\n\\033[1;32mcodex-cli\\033[0m \\033[3m0.171.0\\033[0m\\nupdate to 0.999.0\\n' ;;
*) echo app-server ;; esac`)
    expect((await codex(env)).card.version).toBe('0.171.0')
  })

  test('one that does not offer what Parley speaks is incompatible, and the probe is named', async () => {
    const { env, path } = await emptyHome()
    await putCodex(path, { offers: false })
    const { card } = await codex(env)
    expect(card).toMatchObject({ readiness: 'incompatible', failure: { params: { probe: 'protocol' } } })
  })

  test('a version that cannot be read passes if the abilities are there', async () => {
    const { env, path } = await emptyHome()
    await putCodex(path, { version: 'codex-cli (built from source)' })
    const found = await codex({ ...env, OPENAI_API_KEY: 'sk-1' })
    expect(found).toMatchObject({ program: { version: 'unknown' }, card: { readiness: 'ready', version: null } })
    expect(outcomes(found).version).toBe('unknown')
  })

  test('the first that fits is used, however many do not', async () => {
    const { env, home, path } = await emptyHome()
    await put(path, 'codex', 'exit 1')
    await putCodex(join(home, '.local', 'bin'), { version: 'codex-cli 0.42.0' })
    const good = await putCodex(join(home, '.volta', 'bin'))
    const found = await codex(env)
    expect([found.program?.file, said(found, 'found')]).toEqual([good, 'Found in Volta.'])
  })

  test('where none fits the first of them is shown', async () => {
    const { env, home, path } = await emptyHome()
    await putCodex(path, { version: 'codex-cli 0.42.0' })
    await put(join(home, '.local', 'bin'), 'codex', 'exit 1')
    expect((await codex(env)).card).toMatchObject({ version: '0.42.0', readiness: 'incompatible' })
  })

  test('the file that a variable names is used instead of any other', async () => {
    const { env, home, path } = await emptyHome()
    await putCodex(path)
    const own = await putCodex(join(home, 'own'), { version: 'codex-cli 0.200.0' })
    const found = await codex({ ...env, PARLEY_CODEX: own })
    expect(found.program).toMatchObject({ file: own, version: '0.200.0' })
    expect(said(found, 'found')).toBe('Named by PARLEY_CODEX.')
  })
})

describe('what a script of Node needs', () => {
  /** Codex as npm installs it, asking for this Node, with a `node` that says this version. */
  const npmCodex = async (engines: string, node: string | null) => {
    const { env, home, path } = await emptyHome()
    const folder = join(home, 'lib', 'node_modules', '@openai', 'codex')
    await putCodex(join(folder, 'bin'))
    const script = join(folder, 'bin', 'codex')
    const shell = await put(join(home, 'inner'), 'codex', '')
    await putCodex(join(home, 'inner'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@openai/codex', engines: { node: engines } }))
    // a `node` of the test's: it says its version, and runs any script as the stub that it stands for
    await writeFile(script, '#!/usr/bin/env node\n')
    await chmod(script, 0o755)
    await symlink(script, join(path, 'codex'))
    const putNode = (where: string, version: string) =>
      put(where, 'node', `case "$1" in --version) echo v${version} ;; *) shift; exec '${shell}' "$@" ;; esac`)
    if (node !== null) await putNode(path, node)
    return { env: { ...env, PATH: `${path}:/usr/bin:/bin`, OPENAI_API_KEY: 'sk-1' }, home, putNode }
  }

  test('is there where its Node is new enough', async () => {
    const { env } = await npmCodex('>=22.19.0', '22.19.0')
    const found = await codex(env)
    expect([found.card.readiness, said(found, 'runtime')]).toEqual([
      'ready', 'Runs on Node 22.19.0; it asks for >=22.19.0.',
    ])
  })

  test('is missing where Node is older, even though it says its version and has a key', async () => {
    const { env } = await npmCodex('>=24.16.0 <25 || >=26.1.0', '24.2.0')
    const { card, program } = await codex(env)
    expect(program).toBeNull()
    expect(card).toMatchObject({ readiness: 'incompatible', remedy: 'npm install -g node@24' })
    expect(card.failure).toMatchObject({
      message: 'Codex needs another Node. It needs Node >=24.16.0 <25 || >=26.1.0; here is 24.2.0.',
      params: { probe: 'runtime' },
    })
  })

  test('is mended by the version manager that is here', async () => {
    const { env, home } = await npmCodex('>=22', '20.1.0')
    await mkdir(join(home, '.nvm', 'versions', 'node'), { recursive: true })
    expect((await codex(env)).card.remedy).toBe('nvm install 24')
  })

  test('is taken from a version manager where PATH has only an older one', async () => {
    const { env, home, putNode } = await npmCodex('>=22', '20.1.0')
    const bin = join(home, '.nvm', 'versions', 'node', 'v24.1.0', 'bin')
    await putNode(bin, '24.1.0')
    const found = await codex(env)
    expect(found.card.readiness).toBe('ready')
    expect(found.program?.env?.PATH?.split(':')[0]).toBe(bin)
  })

  test('is no question where the package is another one', async () => {
    const { env, home } = await npmCodex('>=18', '24.1.0')
    await writeFile(
      join(home, 'lib', 'node_modules', '@openai', 'codex', 'package.json'),
      JSON.stringify({ name: 'codex-tales' }),
    )
    expect((await codex(env)).card.failure?.message).toBe('A program of that name is not Codex.')
  })
})

describe('with a provider of its own choice', () => {
  test('an agent is not asked for its login, nor the login shell for keys', async () => {
    const { env, home, path } = await emptyHome()
    const asked = join(home, 'asked')
    await putClaude(path, { status: `echo yes > '${asked}'; exit 3` })
    await writeFile(join(home, '.bash_profile'), `echo yes > '${asked}'\nexport ANTHROPIC_API_KEY=key\n`)
    const around = { processes, env: { ...env, SHELL: '/bin/bash' } }
    const found = await claudeAdapter(around).detect(soon(), true)
    expect([found.card.readiness, said(found, 'credentials')]).toEqual([
      'installed', 'Not looked for: it works with a provider profile.',
    ])
    expect(existsSync(asked)).toBe(false)
    await claudeAdapter(around).detect(soon())
    expect(existsSync(asked)).toBe(true)
  })
})

describe('credentials', () => {
  test('are a key that its configuration names, or a file of its login', async () => {
    const { env, home, path } = await emptyHome()
    await putCodex(path)
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex', 'config.toml'), '[model_providers.own]\nenv_key = "OWN_KEY"\n')
    expect((await codex({ ...env, OWN_KEY: 'x' })).card.evidence).toBe('found the key that its configuration names')
    await writeFile(join(home, '.codex', 'auth.json'), '{}')
    expect((await codex(env)).card.evidence).toBe('found a login of Codex')
  })

  test.each(['', '$OPENAI_API_KEY', '${OPENAI_API_KEY}', 'your-api-key', '<your key>', 'sk-xxxx', 'changeme'])(
    'are not there where %j stands for them',
    async (placeholder) => {
      const { env, path } = await emptyHome()
      await putCodex(path, { status: 'echo "Not logged in"' })
      expect((await codex({ ...env, OPENAI_API_KEY: placeholder })).card.readiness).toBe('needsLogin')
    },
  )

  test.each([
    ['says so in colours and ends well', `printf '\\033[31mNot logged in\\033[0m\\n'`, 'needsLogin'],
    ['says that it is logged in', `echo 'Logged in using an account' >&2`, 'ready'],
    ['cannot be understood, and the file counts', 'echo 42', 'ready'],
  ])('are as its status command says where that %s', async (_, status, readiness) => {
    const { env, home, path } = await emptyHome()
    await putCodex(path, { status })
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex', 'auth.json'), '{"stale": true}')
    expect((await codex(env)).card.readiness).toBe(readiness)
  })

  test.each([
    ['{"loggedIn": false}', 'needsLogin'],
    ['{"loggedIn": true, "configDirectory": "/somewhere"}', 'ready'],
    ['{"loggedIn": "maybe"}', 'installed'],
  ])('of Claude Code without a file are as its status command says: %s', async (status, readiness) => {
    const { env, path } = await emptyHome()
    await putClaude(path, { status: `echo '${status}'` })
    expect((await claude(env)).card.readiness).toBe(readiness)
  })

  test('a key counts even if the status command knows of no login', async () => {
    const { env, path } = await emptyHome()
    await putCodex(path, { status: 'echo Not logged in; exit 1' })
    expect((await codex({ ...env, OPENAI_API_KEY: 'sk-1' })).card.readiness).toBe('ready')
  })

  test('tell when they were last written', async () => {
    const { env, home, path } = await emptyHome()
    await putCodex(path)
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex', 'auth.json'), '{}')
    await utimes(join(home, '.codex', 'auth.json'), 1_000, 1_000)
    expect((await codex(env)).loginAt).toBe(1_000_000)
  })
})

test('an agent that is only found is never more than installed, and opening it says what to do', async () => {
  const { env, path } = await emptyHome()
  await put(path, 'amp', 'echo "0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 2mo ago)"')
  const amp = ampAdapter({ env })
  const found = await amp.detect(soon())
  expect(found.card).toMatchObject({ readiness: 'installed', version: '0.0.1790142911', failure: null })
  expect(said(found, 'protocol')).toContain('does not speak with it')
  const request = { program: found.program!, agent: 'amp', cwd: path, allowWrite: false, resume: null } as const
  await expect(amp.open({ ...request, scope: 's', token: 't', env }, soon())).rejects.toMatchObject({
    code: 'agent.not-spoken-with',
    message: expect.stringContaining('choose another agent'),
  })
})

test('Hermes Agent is told from a JavaScript engine of that name', async () => {
  const { env, path } = await emptyHome()
  const hermes = () => hermesAdapter({ processes, env: { ...env, OPENROUTER_API_KEY: 'k' } }).detect(soon())
  await put(path, 'hermes', 'echo "Hermes JavaScript compiler"; echo "  Hermes release version: 0.14.0"')
  expect((await hermes()).card.readiness).toBe('incompatible')
  await put(path, 'hermes', 'echo "Hermes Agent v0.21.3 (2026.9.1)"; echo "Python: 3.12.1"')
  expect((await hermes()).card).toMatchObject({ readiness: 'ready', version: '0.21.3' })
})

test('no card holds a path or a value, whatever came of the look', async () => {
  const { env, home, path } = await emptyHome()
  const secret = 'sk-canary-0123456789'
  const cards: unknown[] = []
  const look = async (more: Record<string, string> = {}) => {
    cards.push((await codex({ ...env, ...more })).card, (await claude({ ...env, ...more })).card)
  }
  await look()
  await put(path, 'codex', `echo "${home}/codex-cli 0.171.0/${secret}"; echo "${secret}" >&2; exit 1`)
  await put(path, 'claude', `echo "2.1.332/${home} (Claude Code)"`)
  await look({ OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret })
  await putCodex(path, { status: `echo "Logged in ${home} ${secret}"` })
  await putClaude(path, { status: `echo '{"loggedIn": true, "configDirectory": "${home}", "key": "${secret}"}'` })
  await look()
  await look({ OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret })
  const text = JSON.stringify(cards)
  expect(text).toContain('ready')
  expect([home, path, secret, '/usr', '/bin'].filter((hidden) => text.includes(hidden))).toEqual([])
})
