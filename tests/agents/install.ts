import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** The versions that the recorded tapes and these tests are about. */
export const agentVersions = { codex: '0.171.0', claude: '2.1.332' } as const

/** Installs the two agents into a cache folder unless they are there, and says where their programs are. */
export const installAgents = async (): Promise<{ codex: string; claude: string }> => {
  const folder = resolve(process.env.PARLEY_AGENTS_CACHE ?? join('node_modules', '.cache', 'parley-agents'))
  const place = join(folder, `codex-${agentVersions.codex}-claude-${agentVersions.claude}`)
  const programs = { codex: programIn(place, 'codex'), claude: programIn(place, 'claude') }
  if (existsSync(programs.codex) && existsSync(programs.claude)) return programs
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'package.json'), '{ "private": true }\n')
  await promisify(execFile)(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--loglevel=error',
      `@openai/codex@${agentVersions.codex}`,
      `@anthropic-ai/claude-code@${agentVersions.claude}`,
    ],
    { cwd: place, shell: process.platform === 'win32' },
  )
  return programs
}

const programIn = (place: string, name: string) =>
  join(place, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
