import type { AgentKind } from '../shared/agent.ts'

/**
 * Where each agent looks for `<name>/SKILL.md`: in the working directory, and with `~` in the person's home. Measured
 * by planting one in each folder; agents that were not measured have none here.
 */
export const skillFolders = (kind: AgentKind): readonly string[] => folders[kind] ?? []

const shared = ['.agents/skills', '~/.agents/skills']

const folders: Readonly<Partial<Record<AgentKind, readonly string[]>>> = {
  codex: [...shared, '.codex/skills', '~/.codex/skills'],
  claude: ['.claude/skills', '~/.claude/skills'],
  opencode: [...shared, '.claude/skills', '~/.claude/skills', '.opencode/skills', '~/.config/opencode/skills'],
  gemini: [...shared, '.gemini/skills', '~/.gemini/skills'],
  qwen: [...shared, '.qwen/skills', '~/.qwen/skills'],
  copilot: [...shared, '.claude/skills', '.github/skills', '~/.copilot/skills'],
  kimi: [...shared, '.kimi-code/skills', '~/.kimi-code/skills'],
}
