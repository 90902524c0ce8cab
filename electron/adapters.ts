import { ampAdapter } from '../adapters/agents/amp.ts'
import { claudeAdapter } from '../adapters/agents/claude.ts'
import { codexAdapter } from '../adapters/agents/codex.ts'
import { hermesAdapter } from '../adapters/agents/hermes.ts'
import { openclawAdapter } from '../adapters/agents/openclaw.ts'
import { rehearsalAdapter } from '../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../adapters/ports.ts'
import type { Processes } from '../adapters/process.ts'
import type { LoginShell } from '../adapters/programs/login-shell.ts'
import type { ComposeOptions } from './shell.ts'

/** Every agent that this version knows. */
export const adaptersOf = (processes: Processes, env: ComposeOptions['env'], shell: LoginShell): AgentAdapter[] => [
  codexAdapter({ processes, env, shell }),
  claudeAdapter({ processes, env, shell }),
  openclawAdapter({ processes, env, shell }),
  ampAdapter({ env, shell }),
  hermesAdapter({ processes, env, shell }),
  rehearsalAdapter(processes),
]
