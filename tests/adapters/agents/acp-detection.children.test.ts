import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { acpProgramAdapter } from '../../../adapters/agents/acp.ts'
import type { AcpProgram } from '../../../adapters/agents/acp/agent.ts'
import { copilot } from '../../../adapters/agents/copilot.ts'
import { gemini } from '../../../adapters/agents/gemini.ts'
import { kimi } from '../../../adapters/agents/kimi.ts'
import { opencode } from '../../../adapters/agents/opencode.ts'
import { qwen } from '../../../adapters/agents/qwen.ts'
import { Processes } from '../../../adapters/process.ts'
import { LoginShell } from '../../../adapters/programs/login-shell.ts'
import { emptyHome, put } from './stub-program.ts'

const processes = new Processes()
const soon = () => AbortSignal.timeout(20_000)
const detect = (agent: AcpProgram, env: Record<string, string>) =>
  acpProgramAdapter(agent, { processes, env, shell: new LoginShell(env) }).detect(soon())

/** What each says of itself, as it was recorded: its version, and the line of its help that names the protocol. */
const recorded = [
  [opencode, '1.18.33', 'acp --help', 'start ACP (Agent Client Protocol) server', '.local/share/opencode/auth.json'],
  [gemini, '0.61.0', '--help', '      --acp    Starts the agent in ACP mode  [boolean]', '.gemini/oauth_creds.json'],
  [qwen, '0.24.4', '--help', '      --acp    Starts the agent in ACP mode  [boolean]', '.qwen/oauth_creds.json'],
  [copilot, 'GitHub Copilot CLI 1.0.102.', '--help', '  --acp', '.copilot/config.json'],
  [
    kimi, '2.1.0', 'acp --help',
    'Run kimi-code as an Agent Client Protocol (ACP) server over stdio.', '.kimi-code/credentials/kimi-code.json',
  ],
] as const

describe.each(recorded.map((each) => [each[0].kind, ...each] as const))(
  '%s',
  (kind, agent, version, asked, help, login) => {
    const key = agent.env.credentials[0]!
    const script = (offers: string) =>
      `case "$*" in --version) echo '${version}' ;; '${asked}') echo '${offers}' ;; *) exit 9 ;; esac`

    test('is asked whether it offers the protocol', async () => {
      const { env, path } = await emptyHome()
      await put(path, kind, script(help))
      const { card } = await detect(agent, { ...env, [key]: 'key' })
      expect(card.stages.find(({ stage }) => stage === 'protocol')?.how)
        .toBe('It says that it offers what Parley speaks.')
      expect(card.readiness).toBe('ready')
    })

    test('is incompatible where its version fits and its help does not know the protocol', async () => {
      const { env, path } = await emptyHome()
      await put(path, kind, script('Usage: program [options]'))
      const { card } = await detect(agent, { ...env, [key]: 'key' })
      expect(card).toMatchObject({ readiness: 'incompatible', failure: { params: { probe: 'protocol' } } })
    })

    test('is taken over with the key that only the login shell exports', async () => {
      const { env, home } = await emptyHome()
      await put(join(home, '.local', 'bin'), kind, script(help))
      await writeFile(join(home, '.bash_profile'), `export ${key}=canary\n`)
      const { card, program } = await detect(agent, { ...env, PATH: '/usr/bin:/bin', SHELL: '/bin/bash' })
      expect(card).toMatchObject({ readiness: 'ready', evidence: 'found a key that your login shell exports' })
      expect(program?.env?.[key]).toBe('canary')
      expect(JSON.stringify(card)).not.toContain('canary')
    })

    test('is not a script of that name out of another package', async () => {
      const { env, home, path } = await emptyHome()
      const folder = join(home, 'lib', 'node_modules', 'tales')
      await put(folder, kind, script(help))
      await put(path, 'node', `case "$1" in --version) echo v99.0.0 ;; *) shift; echo '${version}' ;; esac`)
      const file = join(folder, kind)
      await writeFile(file, '#!/usr/bin/env node\n')
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'tales' }))
      await symlink(file, join(path, kind))
      const { card, program } = await detect(agent, { ...env, PATH: `${path}:/usr/bin:/bin`, [key]: 'key' })
      expect(program).toBeNull()
      expect(card.failure?.message).toBe(`A program of that name is not ${agent.facts.product}.`)
    })

    test('tells when its login was written, so that a newer one ends what an old refusal said', async () => {
      const { env, home, path } = await emptyHome()
      await put(path, kind, script(help))
      const file = join(home, login)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, '{"loggedInUsers":[{"login":"someone"}]}')
      await utimes(agent.facts.loginFiles?.(env)[0] ?? '', 1_000, 1_000)
      const { loginAt, card } = await detect(agent, env)
      expect(card.readiness).toBe('ready')
      expect(loginAt).toBe(1_000_000)
    })
  },
)
