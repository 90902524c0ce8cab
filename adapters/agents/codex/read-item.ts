import { basename } from 'node:path'
import type { ToolNote } from '../../../shared/agent-event.ts'
import { placeOf, programsIn } from '../tool-words.ts'
import type { CommandAction, FileChange, Item, ItemStatus } from './protocol.ts'

/** Where and how a session works: what its tools are told by. */
export interface Workplace {
  cwd: string
  allowWrite: boolean
}

/** A tool as it is shown: what kind, in a few words, and how it stands. `null` for items that are no tools. */
export const toolOf = (item: Item, begun: boolean, workplace: Workplace): ToolNote | null => {
  switch (item.type) {
    case 'commandExecution': {
      const output = item.aggregatedOutput ?? null
      const wasRefused = !workplace.allowWrite && output !== null && /read-only file system/i.test(output)
      return {
        toolId: item.id,
        ...commandTitle(item.commandActions ?? [], item.command),
        detail: output,
        status: wasRefused ? 'denied' : statusOf(item.status, (item.exitCode ?? 0) !== 0),
      }
    }
    case 'fileChange':
      return {
        toolId: item.id,
        kind: 'edit',
        title: editTitle(item.changes, workplace.cwd),
        status: statusOf(item.status),
        detail: diffOf(item.changes, workplace.cwd),
      }
    case 'mcpToolCall':
      return {
        toolId: item.id,
        kind: 'other',
        title: `${item.server}: ${item.tool}`,
        status: statusOf(item.status),
        detail: item.error?.message ?? null,
      }
    case 'dynamicToolCall':
    case 'collabAgentToolCall':
      return {
        toolId: item.id,
        kind: 'other',
        title: item.tool,
        status: statusOf(item.status),
        detail: null,
      }
    case 'webSearch':
      return {
        toolId: item.id,
        kind: 'fetch',
        title: item.query ? `Search the web for ${item.query}` : 'Search the web',
        status: begun ? 'running' : 'done',
        detail: null,
      }
    case 'imageView':
      return {
        toolId: item.id,
        kind: 'read',
        title: `Look at ${basename(item.path ?? 'an image')}`,
        status: begun ? 'running' : 'done',
        detail: null,
      }
    case 'agentMessage':
    case 'reasoning':
    case 'plan':
      return null
  }
}

/** The changed files, each with its difference, for a person who must decide on them. */
export const diffOf = (changes: readonly FileChange[], cwd: string): string =>
  changes
    .map((change) => `${change.kind?.type ?? 'change'} ${placeOf(change.path, cwd)}\n${change.diff ?? ''}`)
    .join('\n')
    .trim()

/** The command as the model wrote it, without the shell that codex wraps around it. */
export const unwrapCommand = (command: string): string => {
  const match = /^\S*\/?(?:bash|zsh|sh) -l?c (['"])([\s\S]*)\1$/.exec(command)
  return match ? (match[2] ?? '').replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'") : command
}

const commandTitle = (actions: readonly CommandAction[], command: string): Pick<ToolNote, 'kind' | 'title'> => {
  const [first] = actions
  if (first && actions.every((action) => action.type === 'read')) {
    return { kind: 'read', title: `Read ${actions.map((action) => action.name ?? 'a file').join(', ')}` }
  }
  if (first?.type === 'search') return { kind: 'search', title: first.query ? `Search for ${first.query}` : 'Search' }
  if (first?.type === 'listFiles') return { kind: 'search', title: 'List files' }
  return { kind: 'execute', title: `Run ${programsIn(unwrapCommand(command))}` }
}

const editTitle = (changes: readonly FileChange[], cwd: string) =>
  changes.length === 1 && changes[0] ? `Edit ${placeOf(changes[0].path, cwd)}` : `Edit ${changes.length} files`

const statusOf = (status: ItemStatus, hasFailed = false): ToolNote['status'] => {
  if (status === 'inProgress') return 'running'
  if (status === 'declined') return 'denied'
  return status === 'failed' || hasFailed ? 'failed' : 'done'
}
