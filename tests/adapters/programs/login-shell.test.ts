import { mkdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claudeAdapter } from '../../../adapters/agents/claude.ts'
import { codexAdapter } from '../../../adapters/agents/codex.ts'
import { Processes } from '../../../adapters/process.ts'
import { LoginShell, terminalPath } from '../../../adapters/programs/login-shell.ts'
import { emptyHome, put, putClaude, putCodex } from '../agents/stub-program.ts'
import { fakeComputer } from './fake-computer.ts'

const processes = new Processes()
const soon = () => AbortSignal.timeout(20_000)

/** A home whose login shell runs these lines, as a terminal would; ours was started with a bare PATH. */
const homeWithProfile = async (...lines: string[]) => {
  const { home } = await emptyHome()
  await writeFile(join(home, '.bash_profile'), `${lines.join('\n')}\n`)
  return { home, env: { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash' } }
}

describe('a login shell', () => {
  test('tells PATH and the names that were wanted, and nothing else', async () => {
    const { env } = await homeWithProfile(
      'echo welcome', 'export PATH=/srv/own:/bin', 'export OPENAI_API_KEY="a b\n=c"', 'export OTHER_KEY=canary',
    )
    const shell = new LoginShell(env)
    shell.wants(['OPENAI_API_KEY', 'UNSET_KEY', 'x; echo canary'])
    expect(await shell.ask()).toEqual({ PATH: '/srv/own:/bin', OPENAI_API_KEY: 'a b\n=c' })
  })

  test('is asked once by all, and anew once that is wished', async () => {
    const { computer, ran } = fakeComputer({ os: 'linux', files: {} })
    const shell = new LoginShell({ SHELL: '/bin/zsh' }, computer)
    await Promise.all([shell.ask(), shell.ask()])
    shell.forget()
    await shell.ask()
    expect(ran.map(({ file, args }) => [file, args[0]])).toEqual([['/bin/zsh', '-lic'], ['/bin/zsh', '-lic']])
  })

  test('gets only what every program gets', async () => {
    const { computer, ran } = fakeComputer({ os: 'linux', files: {}, shell: '/bin/bash' })
    await new LoginShell({ HOME: '/home/me', OPENAI_API_KEY: 'sk', CLAUDECODE: '1' }, computer).ask()
    expect(Object.keys(ran[0]?.env ?? {}).toSorted()).toEqual(['DISABLE_AUTO_UPDATE', 'HOME', 'ZSH_TMUX_AUTOSTART'])
  })

  test.each([
    ['that is not a shell we know', { SHELL: '/opt/odd' }, 'linux'],
    ['that cannot be started', { SHELL: '/nowhere/bash' }, 'linux'],
    ['on Windows', { SHELL: '/bin/bash' }, 'win32'],
  ] as const)('%s tells nothing', async (_, env, os) => {
    const { computer } = fakeComputer({ os, files: {} })
    expect(await new LoginShell(env, computer).ask()).toBeNull()
  })

  test('that ends before it has said everything tells nothing', async () => {
    const { env } = await homeWithProfile('exit 0')
    expect(await new LoginShell(env).ask()).toBeNull()
  })
})

test.each([
  ['/usr/bin:/bin', '/srv:/usr/bin:/bin', '/srv:/usr/bin:/bin'],
  ['/venv:/usr/bin', '/srv:/usr/bin', '/venv:/usr/bin:/srv'],
  ['/b:/a', '/a:/b', '/b:/a'],
  ['', '/a', '/a'],
])('from %j and the shell\'s %j comes %j', (own, shell, path) => {
  const { computer } = fakeComputer({ os: 'linux', files: {} })
  expect(terminalPath({ ...computer, path: posix }, { PATH: own }, { PATH: shell })).toBe(path)
})

test('started from the desktop, an agent in a folder of the start-up files runs with a Node of nvm', async () => {
  const { home, env } = await homeWithProfile('echo hello', 'PATH="$HOME/only here:$PATH"')
  const script = `#!/usr/bin/env node
const [...args] = process.argv.slice(2)
if (args[0] === '--version') console.log('codex-cli 0.171.0')
else if (args.join(' ') === 'app-server --help') console.log('Usage: codex app-server')
else process.exit(9)
`
  await put(join(home, 'only here'), 'codex', '')
  await writeFile(join(home, 'only here', 'codex'), script)
  const bin = join(home, '.nvm', 'versions', 'node', 'v99.1.0', 'bin')
  await put(bin, 'node', `if [ "$1" = --version ]; then echo v99.1.0; else exec '${process.execPath}' "$@"; fi`)
  // this computer may have a Node of its own on a bare PATH; a package that asks for more leaves it out
  await writeFile(join(home, 'only here', 'package.json'), '{"name": "@openai/codex", "engines": {"node": ">=99"}}')
  const { card, program } = await codexAdapter({ processes, env }).detect(soon())
  expect(card.stages.slice(0, 4).map(({ how }) => how)).toEqual([
    'Found in the PATH of your login shell.',
    'It is Codex 0.171.0.',
    'Runs on Node 99.1.0; it asks for >=99.',
    'It says that it offers what Parley speaks.',
  ])
  expect(program?.env?.PATH?.split(':').slice(0, 2)).toEqual([bin, join(home, 'only here')])
  expect(JSON.stringify(card)).not.toContain(home)
})

test('a key that only the login shell exports is enough, and reaches this agent alone', async () => {
  const { home, env } = await homeWithProfile('export ANTHROPIC_API_KEY=sk-ant-canary')
  await mkdir(join(home, '.local', 'bin'), { recursive: true })
  await putClaude(join(home, '.local', 'bin'), { status: `echo '{"loggedIn": false}'` })
  await putCodex(join(home, '.local', 'bin'), { status: 'echo Not logged in' })
  const shell = new LoginShell(env)
  const [claude, codex] = await Promise.all(
    [claudeAdapter, codexAdapter].map((make) => make({ processes, env, shell }).detect(soon())),
  )
  expect(claude?.card).toMatchObject({ readiness: 'ready', evidence: 'found a key that your login shell exports' })
  expect(claude?.program?.env?.ANTHROPIC_API_KEY).toBe('sk-ant-canary')
  expect(JSON.stringify(claude?.card)).not.toContain('canary')
  expect(codex?.card.readiness).toBe('needsLogin')
  expect(JSON.stringify(codex)).not.toContain('canary')
})
