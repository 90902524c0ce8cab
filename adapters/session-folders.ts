import type { AgentKind } from '../shared/agent.ts'

/**
 * Where each agent's own tool keeps what was said in its sessions, with `~` for the person's home. As measured where
 * nothing moves it elsewhere; agents that were not measured have none here.
 */
export const sessionFolders = (kind: AgentKind): readonly string[] => folders[kind] ?? []

const folders: Readonly<Partial<Record<AgentKind, readonly string[]>>> = {
  codex: ['~/.codex/sessions'],
  claude: ['~/.claude/projects'],
  opencode: ['~/.local/share/opencode'],
  gemini: ['~/.gemini/tmp'],
  qwen: ['~/.qwen/projects'],
  copilot: ['~/.copilot/session-state'],
  kimi: ['~/.kimi-code'],
  openclaw: ['~/.openclaw'],
}
