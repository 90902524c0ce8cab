import { claudeAdapter } from '../adapters/agents/claude.ts'
import { codexAdapter } from '../adapters/agents/codex.ts'
import { openclawAdapter } from '../adapters/agents/openclaw.ts'
import { rehearsalAdapter } from '../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../adapters/ports.ts'
import type { Processes } from '../adapters/process.ts'
import type { ComposeOptions } from './shell.ts'

/** Every agent that this version knows. */
export const adaptersOf = (processes: Processes, env: ComposeOptions['env']): AgentAdapter[] => [
  codexAdapter({ processes, env }),
  claudeAdapter({ processes, env }),
  openclawAdapter({ processes, env }),
  rehearsalAdapter(processes),
]
