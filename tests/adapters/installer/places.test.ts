import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codexAdapter } from '../../../adapters/agents/codex.ts'
import { programFolder } from '../../../adapters/installer/places.ts'
import { Processes } from '../../../adapters/process.ts'

const put = async (folder: string, version: string) => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'codex'), `#!/bin/sh\necho "codex-cli ${version}"\n`)
  await chmod(join(folder, 'codex'), 0o755)
}

test('an agent that was installed from the window is found, after what the person has in PATH', async () => {
  const home = await mkdtemp(join(tmpdir(), 'parley-home-'))
  const agents = join(home, 'parley-agents')
  const env = { HOME: home, PATH: join(home, 'path'), SHELL: '/bin/false', PARLEY_AGENTS: agents }
  const adapter = codexAdapter({ processes: new Processes(), env })
  const version = async () => (await adapter.detect(AbortSignal.timeout(20_000))).card.version
  await put(programFolder(agents, 'codex'), '0.171.0')
  expect(await version()).toBe('0.171.0')
  await put(join(home, 'path'), '0.172.0')
  expect(await version()).toBe('0.172.0')
})
