import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { WarmSessions } from '../../adapters/agents/acp/warm.ts'
import { Processes } from '../../adapters/process.ts'
import { LoginShell } from '../../adapters/programs/login-shell.ts'
import { adaptersOf } from '../../electron/adapters.ts'
import { Agents } from '../../electron/supervisors/agents.ts'
import { nameOfAgent, type AgentCard } from '../../shared/agent.ts'
import { median, type Figure } from './figure.ts'

const repeats = 5

/** What a program of each name prints as its version: the right product, at once. */
const versions: Readonly<Record<string, string>> = {
  codex: 'codex-cli 0.171.0',
  claude: '2.1.332 (Claude Code)',
  opencode: '1.18.33',
  gemini: '0.61.0',
  qwen: '0.24.4',
  copilot: 'GitHub Copilot CLI 1.0.102.',
  kimi: '2.1.0',
  openclaw: 'OpenClaw 2026.9.6 (eb377ac)',
  amp: '0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 2mo ago)',
  hermes: 'Hermes Agent v0.21.3 (2026.9.1)',
}

/** How long one look for every agent takes, and how long main is held up by it at most. */
export const measureDetection = async (): Promise<Figure[]> => [
  ...(await figuresOf('no agent installed', () => undefined)),
  ...(await figuresOf('every agent installed', putEveryAgent)),
]

const figuresOf = async (what: string, fill: (folder: string) => void): Promise<Figure[]> => {
  const looks: { took: number; stall: number }[] = []
  for (let repeat = 0; repeat < repeats; repeat += 1) looks.push(await lookOnce(fill))
  return [
    { what: `a look, ${what}`, value: median(looks.map(({ took }) => took)), unit: 'ms', budget: { atMost: 2_000 } },
    {
      what: '  the longest that main was held up',
      value: median(looks.map(({ stall }) => stall)),
      unit: 'ms',
      budget: { atMost: 50 },
    },
  ]
}

const lookOnce = async (fill: (folder: string) => void) => {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const folder = join(home, '.local', 'bin')
  mkdirSync(folder, { recursive: true })
  fill(folder)
  const env = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' }
  const shell = new LoginShell(env)
  const around = { processes: new Processes(), env, shell, warm: new WarmSessions() }
  const agents = new Agents(adaptersOf(around), () => undefined, { shell })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const before = performance.now()
  const cards = await agents.scan()
  const took = performance.now() - before
  delay.disable()
  rmSync(home, { recursive: true, force: true })
  check(cards, fill === putEveryAgent)
  return { took, stall: delay.max / 1_000_000 }
}

/** A look that finds something else than what is there measures nothing. */
const check = (cards: readonly AgentCard[], areInstalled: boolean) => {
  const wrong = cards.filter(
    ({ rehearsal, readiness }) => !rehearsal && (readiness === 'notInstalled') === areInstalled,
  )
  if (wrong.length > 0) throw new Error(`not as it is: ${wrong.map(({ agent }) => nameOfAgent(agent).name).join(', ')}`)
}

const putEveryAgent = (folder: string) => {
  const offered = ['app-server --input-format', '--acp', 'Agent Client Protocol', '--message-file']
  for (const [name, version] of Object.entries(versions)) {
    const says = `--version) echo '${version}' ;; *) printf '%s\\n' '${offered.join(`' '`)}' ;;`
    writeFileSync(join(folder, name), `#!/bin/sh\ncase "$*" in ${says} esac\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
