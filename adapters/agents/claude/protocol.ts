import * as z from 'zod'

/** The parts of claude's stream-json lines that Parley reads; everything else in them is ignored. */

export const Tokens = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
})
export type Tokens = z.infer<typeof Tokens>

const ToolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
})

const Block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  ToolUse,
  z.object({ type: z.string() }),
])
export type Block = z.infer<typeof Block>

const ToolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))]).nullish(),
})
export type ToolResult = z.infer<typeof ToolResult>

export const AssistantLine = z.object({
  parent_tool_use_id: z.string().nullish(),
  message: z.object({
    id: z.string(),
    content: z.array(Block.catch({ type: 'unreadable' })),
    usage: Tokens.nullish().catch(null),
    model: z.string().nullish().catch(null),
  }),
  error: z.string().nullish().catch(null),
  is_api_error_message: z.boolean().nullish().catch(null),
})

export const UserLine = z.object({
  parent_tool_use_id: z.string().nullish(),
  message: z.object({
    content: z.union([
      z.array(z.union([ToolResult, z.object({ type: z.string() })]).catch({ type: 'unreadable' })),
      // what the person said, repeated
      z.string().transform(() => []),
    ]),
  }),
  tool_result_meta: z
    .array(
      z.object({
        id: z.string(),
        non_execution_kind: z.string().nullish(),
        permission_decision: z.object({ decision: z.string() }).nullish(),
      }),
    )
    .nullish()
    .catch(null),
})

export const SystemLine = z.object({ subtype: z.string() }).loose()
export const InitLine = z.object({ session_id: z.string() })
export const RetryLine = z.object({
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
})
export const DeniedLine = z.object({ tool_name: z.string(), tool_use_id: z.string(), message: z.string().nullish() })

export const ResultLine = z
  .object({
    subtype: z.string().nullish().catch(null),
    is_error: z.boolean().nullish().catch(null),
    result: z.string().nullish().catch(null),
    errors: z.array(z.string()).nullish().catch(null),
    terminal_reason: z.string().nullish().catch(null),
    api_error_status: z.number().nullish().catch(null),
    api_error: z.string().nullish().catch(null),
    stop_reason: z.string().nullish().catch(null),
    usage: Tokens.nullish().catch(null),
    model_usage_since_last_result: z
      .record(
        z.string(),
        z.object({
          inputTokens: z.number(),
          outputTokens: z.number(),
          cacheReadInputTokens: z.number().catch(0),
          cacheCreationInputTokens: z.number().catch(0),
          thinkingTokens: z.number().catch(0),
          costUSD: z.number().catch(0),
        }),
      )
      .nullish()
      .catch(null),
  })
  // either tells it; an end that tells neither is understood by nobody
  .refine(({ subtype, is_error }) => typeof subtype === 'string' || typeof is_error === 'boolean')
export type ResultLine = z.infer<typeof ResultLine>

export const ControlAsk = z.object({ request_id: z.string(), request: z.object({ subtype: z.string() }).loose() })
export const CanUseTool = z.object({
  tool_name: z.string(),
  display_name: z.string().nullish(),
  input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().nullish(),
  description: z.string().nullish(),
  decision_reason: z.string().nullish(),
})
export type CanUseTool = z.infer<typeof CanUseTool>
export const ControlAnswer = z.object({
  response: z.object({
    subtype: z.string(),
    request_id: z.string(),
    response: z.unknown().optional(),
    error: z.string().optional(),
  }),
})
export const ControlCancel = z.object({ request_id: z.string() })
