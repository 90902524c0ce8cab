import * as z from 'zod'

/** The parts of codex' app-server messages that Parley reads; everything else in them is ignored. */

export const ThreadOpened = z.object({ thread: z.object({ id: z.string() }) })
/** What of its configuration matters here: the servers whose tools no sandbox holds. */
export const ConfigRead = z.object({ config: z.object({ mcp_servers: z.record(z.string(), z.unknown()).nullish() }) })
export const TurnOpened = z.object({ turn: z.object({ id: z.string() }) })
export const Initialized = z.object({ userAgent: z.string() })

export const Delta = z.object({ itemId: z.string(), delta: z.string() })
export const SummaryDelta = Delta.extend({ summaryIndex: z.number().catch(0) })

const CommandAction = z.object({
  type: z.string(),
  command: z.string(),
  name: z.string().nullish(),
  path: z.string().nullish(),
  query: z.string().nullish(),
})
export type CommandAction = z.infer<typeof CommandAction>

const FileChange = z.object({
  path: z.string(),
  kind: z.object({ type: z.string() }).optional(),
  diff: z.string().nullish(),
})
export type FileChange = z.infer<typeof FileChange>

const ItemStatus = z.enum(['inProgress', 'completed', 'failed', 'declined']).catch('completed')
export type ItemStatus = z.infer<typeof ItemStatus>

export const Item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agentMessage'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('reasoning'), id: z.string(), summary: z.array(z.string()).catch([]) }),
  z.object({ type: z.literal('plan'), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('commandExecution'),
    id: z.string(),
    command: z.string(),
    status: ItemStatus,
    commandActions: z.array(CommandAction).nullish().catch(null),
    aggregatedOutput: z.string().nullish().catch(null),
    exitCode: z.number().nullish().catch(null),
  }),
  z.object({ type: z.literal('fileChange'), id: z.string(), changes: z.array(FileChange), status: ItemStatus }),
  z.object({
    type: z.literal('mcpToolCall'),
    id: z.string(),
    server: z.string(),
    tool: z.string(),
    status: ItemStatus,
    error: z.object({ message: z.string() }).nullish(),
  }),
  z.object({ type: z.literal('dynamicToolCall'), id: z.string(), tool: z.string(), status: ItemStatus }),
  z.object({ type: z.literal('collabAgentToolCall'), id: z.string(), tool: z.string(), status: ItemStatus }),
  z.object({ type: z.literal('webSearch'), id: z.string(), query: z.string().nullish() }),
  z.object({ type: z.literal('imageView'), id: z.string(), path: z.string().nullish() }),
])
export type Item = z.infer<typeof Item>

export const ItemNews = z.object({ item: z.object({ id: z.string(), type: z.string() }).loose() })

export const TurnError = z.object({
  message: z.string(),
  codexErrorInfo: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish().catch(null),
  additionalDetails: z.string().nullish().catch(null),
})
export type TurnError = z.infer<typeof TurnError>

export const ErrorNews = z.object({ error: TurnError, willRetry: z.boolean() })

export const TurnNews = z.object({
  threadId: z.string(),
  turn: z.object({ id: z.string(), status: z.string(), error: TurnError.nullish().catch(null) }),
})

export const PlanNews = z.object({
  plan: z.array(
    z.object({ step: z.string(), status: z.enum(['pending', 'inProgress', 'completed']).catch('pending') }),
  ),
})

const Tokens = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number().catch(0),
  outputTokens: z.number(),
  reasoningOutputTokens: z.number().catch(0),
})
export type Tokens = z.infer<typeof Tokens>

export const UsageNews = z.object({
  turnId: z.string(),
  tokenUsage: z.object({ total: Tokens, last: Tokens }),
})
export const WarningNews = z.object({ message: z.string() })
export const ResolvedNews = z.object({ requestId: z.union([z.string(), z.number()]) })

export const CommandAsk = z.object({
  itemId: z.string(),
  command: z.string().nullish(),
  reason: z.string().nullish(),
  commandActions: z.array(CommandAction).nullish(),
  networkApprovalContext: z.unknown().optional(),
})
export const FileAsk = z.object({ itemId: z.string(), reason: z.string().nullish(), grantRoot: z.string().nullish() })
export const PermissionsAsk = z.object({
  itemId: z.string(),
  reason: z.string().nullish(),
  permissions: z.record(z.string(), z.unknown()),
})
