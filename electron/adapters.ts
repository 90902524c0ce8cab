import { ampAdapter } from '../adapters/agents/amp.ts'
import { acpProgramAdapter } from '../adapters/agents/acp.ts'
import type { WarmSessions } from '../adapters/agents/acp/warm.ts'
import { claudeAdapter } from '../adapters/agents/claude.ts'
import { codexAdapter, type AdapterSurroundings } from '../adapters/agents/codex.ts'
import { copilot } from '../adapters/agents/copilot.ts'
import { gemini } from '../adapters/agents/gemini.ts'
import { hermesAdapter } from '../adapters/agents/hermes.ts'
import { kimi } from '../adapters/agents/kimi.ts'
import { openclawAdapter } from '../adapters/agents/openclaw.ts'
import { opencode } from '../adapters/agents/opencode.ts'
import { qwen } from '../adapters/agents/qwen.ts'
import { rehearsalAdapter } from '../adapters/agents/rehearsal.ts'
import type { AgentAdapter } from '../adapters/ports.ts'

/** Every agent that this version knows; `warm` keeps those between their turns who take seconds to start. */
export const adaptersOf = (around: AdapterSurroundings & { warm: WarmSessions }): AgentAdapter[] => [
  codexAdapter(around),
  claudeAdapter(around),
  ...[opencode, gemini, qwen, copilot, kimi].map((agent) => acpProgramAdapter(agent, around)),
  openclawAdapter(around),
  ampAdapter(around),
  hermesAdapter(around),
  rehearsalAdapter(around.processes),
]
