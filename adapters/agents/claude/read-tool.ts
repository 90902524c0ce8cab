import { basename } from 'node:path'
import type { PermissionRequest, ToolNote } from '../../../shared/agent-event.ts'
import { placeOf, programsIn } from '../tool-words.ts'
import type { CanUseTool, ToolResult } from './protocol.ts'

type Input = Readonly<Record<string, unknown>>

/** What a tool of claude is about to do, in a few words. */
export const describeTool = (name: string, input: Input, cwd: string): Pick<ToolNote, 'kind' | 'title'> => {
  const place = placeIn(input, cwd)
  switch (name) {
    case 'Read':
      return { kind: 'read', title: `Read ${place ?? 'a file'}` }
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return { kind: 'edit', title: `Edit ${place ?? 'a file'}` }
    case 'Bash':
    case 'PowerShell':
    case 'Monitor':
      return { kind: 'execute', title: `Run ${programsIn(wordIn(input, 'command') ?? '')}` }
    case 'Grep':
    case 'Glob':
      return { kind: 'search', title: `Search for ${wordIn(input, 'pattern') ?? 'files'}` }
    case 'WebSearch':
      return { kind: 'fetch', title: `Search the web for ${wordIn(input, 'query') ?? 'something'}` }
    case 'WebFetch':
      return { kind: 'fetch', title: `Fetch ${hostOf(wordIn(input, 'url'))}` }
    case 'Task':
    case 'Agent':
      return { kind: 'other', title: `Ask a helper: ${wordIn(input, 'description') ?? 'a task'}` }
    default:
      return { kind: 'other', title: name.startsWith('mcp__') ? name.slice(5).replace('__', ': ') : name }
  }
}

/** The question of a tool in our words; the detail is what the person decides on. */
export const describeQuestion = (ask: CanUseTool, cwd: string): Omit<PermissionRequest, 'requestId'> => {
  const { kind } = describeTool(ask.tool_name, ask.input, cwd)
  return {
    toolId: ask.tool_use_id ?? null,
    kind,
    title: questionTitle(kind, ask),
    detail: questionDetail(kind, ask.input, cwd),
    reason: ask.decision_reason ?? (kind === 'execute' ? (ask.description ?? null) : null),
  }
}

/** What came back from a tool, as text. */
export const resultText = ({ content }: ToolResult): string | null => {
  if (typeof content === 'string') return content
  return content?.map((part) => part.text ?? `(${part.type})`).join('\n') ?? null
}

const questionTitle = (kind: ToolNote['kind'], ask: CanUseTool): string => {
  if (kind === 'execute') return 'run a command'
  if (kind === 'edit') return 'edit a file'
  if (kind === 'read') return 'read a file'
  if (kind === 'fetch') return 'fetch a page'
  return `use ${ask.display_name ?? ask.tool_name}`
}

const questionDetail = (kind: ToolNote['kind'], input: Input, cwd: string): string => {
  if (kind === 'execute') return wordIn(input, 'command') ?? asJson(input)
  if (kind === 'fetch') return wordIn(input, 'url') ?? wordIn(input, 'query') ?? asJson(input)
  const place = placeIn(input, cwd)
  if (kind === 'read') return place ?? asJson(input)
  if (kind !== 'edit' || place === null) return asJson(input)
  const removed = wordIn(input, 'old_string')
  const added = wordIn(input, 'new_string') ?? wordIn(input, 'content') ?? wordIn(input, 'new_source') ?? ''
  return [place, ...(removed === null ? [] : marked('-', removed)), ...marked('+', added)].join('\n')
}

const marked = (sign: string, text: string) => text.split('\n').map((line) => `${sign}${line}`)
const placeIn = (input: Input, cwd: string): string | null => {
  const path = wordIn(input, 'file_path') ?? wordIn(input, 'notebook_path') ?? wordIn(input, 'path')
  return path === null ? null : placeOf(path, cwd) || basename(path)
}
const wordIn = (input: Input, name: string): string | null => {
  const value = input[name]
  return typeof value === 'string' ? value : null
}
const hostOf = (url: string | null): string => {
  if (url === null || !URL.canParse(url)) return 'a page'
  return new URL(url).hostname
}
const asJson = (input: Input) => JSON.stringify(input, null, 1)
