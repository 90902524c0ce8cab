import type { PermissionRequest } from '../../../shared/agent-event.ts'
import type { Answer } from '../../ports.ts'
import { CommandAsk, FileAsk, PermissionsAsk, type FileChange } from './protocol.ts'
import { diffOf, unwrapCommand, type Workplace } from './read-item.ts'

interface Asked {
  request: Omit<PermissionRequest, 'requestId'>
  /** A command that codex itself takes for nothing but reading, listing or searching. */
  onlyReads: boolean
  /** What codex expects as the result of its request, for each answer. Only ever for this once. */
  resultOf(effect: Answer['effect']): unknown
}

/** A question of codex in our words, or `null` for a request that is no permission. */
export const readQuestion = (
  method: string,
  params: unknown,
  changesOf: (itemId: string) => readonly FileChange[],
  workplace: Workplace,
): Asked | null => {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return readCommandAsk(params)
    case 'item/fileChange/requestApproval':
      return readFileAsk(params, changesOf, workplace)
    case 'item/permissions/requestApproval':
      return readPermissionsAsk(params)
    default:
      return null
  }
}

/** What to say to a request that nobody can answer here, or `null` when it is to be refused as unknown. */
export const politeNo = (method: string): unknown => {
  switch (method) {
    case 'mcpServer/elicitation/request':
      return { action: 'decline', content: null, _meta: null }
    case 'item/tool/requestUserInput':
      return { answers: {} }
    case 'execCommandApproval':
    case 'applyPatchApproval':
      return { decision: 'denied' }
    default:
      return null
  }
}

const readCommandAsk = (params: unknown): Asked | null => {
  const ask = CommandAsk.safeParse(params)
  if (!ask.success) return null
  const actions = ask.data.commandActions ?? []
  return {
    onlyReads: actions.length > 0 && !ask.data.networkApprovalContext && actions.every(({ type }) => reading.has(type)),
    request: {
      toolId: ask.data.itemId,
      kind: 'execute',
      title: 'run a command',
      detail: unwrapCommand(ask.data.command ?? 'a command that it does not name'),
      reason: ask.data.reason ?? null,
    },
    resultOf: decide,
  }
}

const readFileAsk = (
  params: unknown,
  changesOf: (itemId: string) => readonly FileChange[],
  { cwd }: Workplace,
): Asked | null => {
  const ask = FileAsk.safeParse(params)
  if (!ask.success) return null
  const changes = changesOf(ask.data.itemId)
  const outside = ask.data.grantRoot ? `anything under ${ask.data.grantRoot}\n` : ''
  return {
    onlyReads: false,
    request: {
      toolId: ask.data.itemId,
      kind: 'edit',
      title: changes.length > 1 ? `edit ${changes.length} files` : 'edit a file',
      detail: outside + (diffOf(changes, cwd) || 'files that it does not name'),
      reason: ask.data.reason ?? null,
    },
    resultOf: decide,
  }
}

const readPermissionsAsk = (params: unknown): Asked | null => {
  const ask = PermissionsAsk.safeParse(params)
  if (!ask.success) return null
  return {
    onlyReads: false,
    request: {
      toolId: ask.data.itemId,
      kind: 'other',
      title: 'use more permissions for this turn',
      detail: JSON.stringify(ask.data.permissions, null, 1),
      reason: ask.data.reason ?? null,
    },
    resultOf: (effect) => ({ permissions: effect === 'grant' ? ask.data.permissions : {}, scope: 'turn' }),
  }
}

const decide = (effect: Answer['effect']) => ({ decision: effect === 'grant' ? 'accept' : 'decline' })

const reading = new Set(['read', 'listFiles', 'search'])
