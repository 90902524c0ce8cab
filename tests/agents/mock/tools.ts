import type { RealAgent } from '../install.ts'
import type { ToolCall } from './stream.ts'

/** What an agent calls the two things that every agent can do. */
interface ToolNames {
  run(command: string): ToolCall
  write(file: { path: string; content: string }): ToolCall
}

const patch = ({ path, content }: { path: string; content: string }): string => {
  const added = content.split('\n').map((line) => `+${line}`)
  return ['*** Begin Patch', `*** Add File: ${path}`, ...added, '*** End Patch'].join('\n')
}

/** The agents that can be spoken with; Amp's models are behind a server of its own. */
export type SpokenAgent = Exclude<RealAgent, 'amp'>

export const toolNames: Readonly<Record<SpokenAgent, ToolNames>> = {
  codex: {
    run: (command) => ({ tool: 'exec_command', input: { cmd: command, yield_time_ms: 60_000 } }),
    write: (file) => ({ tool: 'exec_command', input: { cmd: `apply_patch <<'EOF'\n${patch(file)}\nEOF` } }),
  },
  claude: {
    run: (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } }),
    write: ({ path, content }) => ({ tool: 'Write', input: { file_path: path, content } }),
  },
  opencode: {
    run: (command) => ({ tool: 'bash', input: { command, description: 'Run it' } }),
    write: ({ path, content }) => ({ tool: 'write', input: { filePath: path, content } }),
  },
  gemini: {
    run: (command) => ({ tool: 'run_shell_command', input: { command } }),
    write: ({ path, content }) => ({ tool: 'write_file', input: { file_path: path, content } }),
  },
  qwen: {
    run: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
    write: ({ path, content }) => ({ tool: 'write_file', input: { file_path: path, content } }),
  },
  copilot: {
    run: (command) => ({ tool: 'bash', input: { command, description: 'Run it', initial_wait: 60 } }),
    write: (file) => ({ tool: 'apply_patch', input: patch(file) }),
  },
  kimi: {
    run: (command) => ({ tool: 'Bash', input: { command, timeout: 100 } }),
    write: ({ path, content }) => ({ tool: 'Write', input: { path, content } }),
  },
  openclaw: {
    run: (command) => ({ tool: 'exec', input: { command, yieldMs: 60_000 } }),
    write: ({ path, content }) => ({ tool: 'write', input: { path, content } }),
  },
}
