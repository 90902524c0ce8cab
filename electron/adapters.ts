import { ampAdapter } from '../adapters/agents/amp.ts'
import { acpProgramAdapter } from '../adapters/agents/acp.ts'
import { WarmSessions } from '../adapters/agents/acp/warm.ts'
import { claudeAdapter } from '../adapters/agents/claude.ts'
import { codexAdapter } from '../adapters/agents/codex.ts'
import { copilot } from '../adapters/agents/copilot.ts'
import { gemini } from '../adapters/agents/gemini.ts'
import { hermesAdapter } from '../adapters/agents/hermes.ts'
import { kimi } from '../adapters/agents/kimi.ts'
import { openclawAdapter } from '../adapters/agents/openclaw.ts'
import { opencode } from '../adapters/agents/opencode.ts'
import { qwen } from '../adapters/agents/qwen.ts'
import { rehearsalAdapter } from '../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../adapters/ports.ts'
import type { Processes } from '../adapters/process.ts'
import type { LoginShell } from '../adapters/programs/login-shell.ts'
import type { ComposeOptions } from './shell.ts'

/** Every agent that this version knows. */
export const adaptersOf = (processes: Processes, env: ComposeOptions['env'], shell: LoginShell): AgentAdapter[] => {
  // those who take seconds to start are kept between their turns
  const around = { processes, env, shell, warm: new WarmSessions() }
  return [
    codexAdapter(around),
    claudeAdapter(around),
    ...[opencode, gemini, qwen, copilot, kimi].map((agent) => acpProgramAdapter(agent, around)),
    openclawAdapter(around),
    ampAdapter(around),
    hermesAdapter(around),
    rehearsalAdapter(processes),
  ]
}
