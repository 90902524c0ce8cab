import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/**
 * The programs that these tests and the recorded tapes are about, in the versions that they were tried with. None may
 * be missing: what cannot be installed fails its own tests, and those of the others go on.
 */
export const agentPackages = {
  codex: { package: '@openai/codex', version: '0.171.0' },
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.332' },
  opencode: { package: 'opencode-ai', version: '1.18.33' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4' },
  copilot: { package: '@github/copilot', version: '1.0.102' },
  kimi: { package: '@moonshot-ai/kimi-code', version: '2.1.0' },
  openclaw: { package: 'openclaw', version: '2026.9.6' },
  amp: { package: '@sourcegraph/amp', version: '0.0.1790142911-g7618fb' },
} as const satisfies Record<string, { package: string; version: string }>

export type RealAgent = keyof typeof agentPackages

/** Installs one agent alone into the cache folder unless it is there, and says where its program is. */
export const installAgent = (agent: RealAgent): Promise<string> => {
  const known = installs.get(agent) ?? install(agent)
  installs.set(agent, known)
  return known
}

/** With the Node that runs these tests first: some agents are scripts that need a newer one than the computer's. */
export const pathWithOurNode = (): string => [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)

const installs = new Map<RealAgent, Promise<string>>()

const install = async (agent: RealAgent): Promise<string> => {
  const { package: name, version } = agentPackages[agent]
  const cache = resolve(process.env.PARLEY_AGENTS_CACHE ?? join('node_modules', '.cache', 'parley-agents'))
  const place = join(cache, `${agent}-${version}`)
  if (existsSync(place)) return programIn(place, agent)
  await mkdir(cache, { recursive: true })
  // whole or not at all: what was broken off would be taken for an agent
  const scratch = await mkdtemp(join(cache, `.${agent}-`))
  await writeFile(join(scratch, 'package.json'), '{ "private": true }\n')
  try {
    await promisify(execFile)('npm', ['install', ...quietly, `${name}@${version}`], {
      cwd: scratch,
      env: { ...process.env, PATH: pathWithOurNode() },
      shell: process.platform === 'win32',
      maxBuffer: 16 * 1024 * 1024,
    })
    await rename(scratch, place).catch((error: unknown) => {
      if (!existsSync(place)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return programIn(place, agent)
}

const quietly = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']

const programIn = (place: string, agent: RealAgent) =>
  join(place, 'node_modules', '.bin', process.platform === 'win32' ? `${agent}.cmd` : agent)
