import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeAdapter } from '../../adapters/agents/claude.ts'
import { codexAdapter } from '../../adapters/agents/codex.ts'
import { programOf } from '../../adapters/find-program.ts'
import { Processes } from '../../adapters/process.ts'

const processes = new Processes()
const soon = () => AbortSignal.timeout(20_000)

/** A home with an empty PATH, so that nothing of this computer is found. */
const emptyHome = async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-home-'))
  await mkdir(join(home, 'path'))
  return { home, path: join(home, 'path'), env: { HOME: home, PATH: join(home, 'path'), SHELL: '/bin/false' } }
}

const put = async (folder: string, name: string, script: string) => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  return file
}

test('an agent that is nowhere is not installed, and the remedy is one command', async () => {
  const { env } = await emptyHome()
  const { card, program } = await codexAdapter({ processes, env }).detect(soon())
  expect(program).toBeNull()
  expect(card).toMatchObject({ readiness: 'notInstalled', version: null, remedy: 'npm install -g @openai/codex' })
})

test('an agent in PATH with a key in the environment is ready', async () => {
  const { env, path } = await emptyHome()
  const file = await put(path, 'claude', 'echo "2.1.332 (Claude Code)"')
  const { card, program } = await claudeAdapter({ processes, env: { ...env, ANTHROPIC_API_KEY: 'x' } }).detect(soon())
  expect(program).toEqual({ file, before: [], version: '2.1.332' })
  expect(card).toMatchObject({ readiness: 'ready', version: '2.1.332', evidence: 'found a key in the environment' })
})

test('an agent in a known place without a login needs one', async () => {
  const { env, home } = await emptyHome()
  const file = await put(join(home, '.local', 'bin'), 'codex', 'echo "codex-cli 0.171.0"')
  const { card, program } = await codexAdapter({ processes, env }).detect(soon())
  expect(program?.file).toBe(file)
  expect(card).toMatchObject({ readiness: 'needsLogin', remedy: 'codex login' })
})

test('a key that its configuration names, or a file of its login, is evidence', async () => {
  const { env, home, path } = await emptyHome()
  await put(path, 'codex', 'echo "codex-cli 0.171.0"')
  await mkdir(join(home, '.codex'))
  await writeFile(join(home, '.codex', 'config.toml'), '[model_providers.own]\nenv_key = "OWN_KEY"\n')
  const detect = async (more: Record<string, string>) =>
    (await codexAdapter({ processes, env: { ...env, ...more } }).detect(soon())).card.evidence
  expect(await detect({ OWN_KEY: 'x' })).toBe('found the key that its configuration names')
  await writeFile(join(home, '.codex', 'auth.json'), '{}')
  expect(await detect({})).toBe('found a login of Codex')
})

test.each([
  ['another product of that name', 'echo "codex 9 (a text adventure)"', 'A program of that name is not Codex.'],
  ['one that fails', 'exit 1', 'Codex is there but does not start.'],
  ['one that is too old', 'echo "codex-cli 0.42.0"', 'Codex 0.42.0 is older than Parley can speak with.'],
])('%s is incompatible', async (_, script, message) => {
  const { env, path } = await emptyHome()
  await put(path, 'codex', script)
  const { card, program } = await codexAdapter({ processes, env }).detect(soon())
  expect(program).toBeNull()
  expect(card).toMatchObject({ readiness: 'incompatible', failure: { code: 'agent.incompatible', message } })
})

test('the first file that fits is used, however many do not', async () => {
  const { env, home, path } = await emptyHome()
  await put(path, 'codex', 'exit 1')
  const good = await put(join(home, '.volta', 'bin'), 'codex', 'echo "codex-cli 0.171.0"')
  const { program } = await codexAdapter({ processes, env }).detect(soon())
  expect(program?.file).toBe(good)
})

test('the file that a variable names is used instead of any other', async () => {
  const { env, home, path } = await emptyHome()
  await put(path, 'codex', 'echo "codex-cli 0.171.0"')
  const own = await put(join(home, 'own'), 'my-codex', 'echo "codex-cli 0.200.0"')
  const { program } = await codexAdapter({ processes, env: { ...env, PARLEY_CODEX: own } }).detect(soon())
  expect(program).toMatchObject({ file: own, version: '0.200.0' })
})

test('what only a login shell knows is found through it', async () => {
  const { env, home } = await emptyHome()
  const hidden = await put(join(home, 'hidden'), 'codex', 'echo "codex-cli 0.171.0"')
  await writeFile(join(home, '.bash_profile'), `echo welcome\nPATH="${join(home, 'hidden')}:$PATH"\n`)
  const { program } = await codexAdapter({ processes, env: { ...env, SHELL: '/bin/bash' } }).detect(soon())
  expect(program?.file).toBe(hidden)
})

test('a shim of npm for Windows is read for the script that it starts', async () => {
  const { home } = await emptyHome()
  const shim = join(home, 'codex.cmd')
  await writeFile(shim, '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\@openai\\codex\\bin\\codex.js" %*\r\n')
  expect(await programOf(shim)).toEqual({
    file: 'node.exe',
    before: [join(home, 'node_modules', '@openai', 'codex', 'bin', 'codex.js')],
  })
})

test('a link to a program is a program', async () => {
  const { env, home, path } = await emptyHome()
  const real = await put(join(home, 'real'), 'codex.sh', 'echo "codex-cli 0.171.0"')
  await symlink(real, join(path, 'codex'))
  const { program } = await codexAdapter({ processes, env }).detect(soon())
  expect(program?.file).toBe(join(path, 'codex'))
})
