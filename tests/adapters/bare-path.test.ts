import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { codexAdapter } from '../../adapters/agents/codex.ts'
import { Processes } from '../../adapters/process.ts'
import type { TapeEntry } from '../fakes/tape.ts'
import { tapeAgent } from '../fakes/tape-file.ts'
import { say } from './agents/fake-agent.ts'

const processes = new Processes()

afterAll(() => processes.endAll())

/** A script of npm's kind, and beside it the node that it asks for, in a folder that only a login shell knows. */
const hideAway = async (home: string, tape: readonly TapeEntry[]): Promise<string> => {
  const folder = join(home, 'versions', 'bin')
  await mkdir(folder, { recursive: true })
  await symlink(process.execPath, join(folder, 'node'))
  const file = join(folder, 'codex')
  const script = [
    '#!/usr/bin/env node',
    "if (process.argv[2] === '--version') console.log('codex-cli 0.171.0')",
    "else if (process.argv[3] === '--help') console.log('Usage: codex app-server')",
    "else if (process.argv[2] === 'login') console.log('Logged in using an API key')",
    'else {',
    `  process.argv.splice(2, 0, ${JSON.stringify(JSON.stringify(tape))})`,
    `  import(${JSON.stringify(tapeAgent)})`,
    '}',
  ]
  await writeFile(file, `${script.join('\n')}\n`)
  await chmod(file, 0o755)
  await writeFile(join(home, '.bash_profile'), `echo welcome\nexport PATH="${folder}:$PATH"\n`)
  return file
}

test('a script that a login shell knows, and the node beside it, are found and run from a bare PATH', async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-bare-'))
  const bare = join(home, 'bare')
  await mkdir(bare)
  const file = await hideAway(home, [
    { do: 'serve', dialect: 'codex', turns: [[{ act: 'say', text: 'Here.' }, { act: 'end', as: 'completed' }]] },
  ])
  const env = { HOME: home, PATH: bare, SHELL: '/bin/bash', OPENAI_API_KEY: 'key-0123456789' }
  const adapter = codexAdapter({ processes, env })
  const { card, program } = await adapter.detect(AbortSignal.timeout(20_000))
  expect([card.readiness, program?.file, program?.version]).toEqual(['ready', file, '0.171.0'])
  if (!program) throw new Error('nothing was found')
  const session = await adapter.open(
    {
      program,
      agent: 'codex',
      cwd: home,
      allowWrite: false,
      resume: null,
      scope: 'chat',
      token: `bare-${crypto.randomUUID()}`,
      env,
    },
    AbortSignal.timeout(20_000),
  )
  expect(await say(session)).toMatchObject({ end: { status: 'completed' }, text: 'Here.' })
  await session.close()
}, 30_000)
