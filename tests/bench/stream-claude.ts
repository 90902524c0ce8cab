import { ClaudeSession } from '../../adapters/agents/claude/session.ts'
import { benchHidden, idleProcess, type Talker } from './talker.ts'

/** Claude Code as it talks by stream-json, with every piece of the provider's stream. */
export const claudeTalker: Talker = {
  name: 'claude',
  async open(hear) {
    const session = new ClaudeSession(request, sessionId, benchHidden)
    await session.open(
      idleProcess((line) => {
        const { type, request_id: id } = JSON.parse(line) as { type: string; request_id?: string }
        if (type !== 'control_request') return
        const response = { subtype: 'success', request_id: id, response: {} }
        queueMicrotask(() => session.lines.line(JSON.stringify({ type: 'control_response', response })))
      }),
    )
    return { lines: session.lines, turn: session.prompt({ prompt: 'Go.' }, hear) }
  },
  message(index) {
    if (index % 50 === 7) return assistant(index, { type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input })
    if (index % 50 === 8) return toolResult(`toolu_${index - 1}`)
    if (index % 10 === 3) return delta(1, { type: 'thinking_delta', thinking: ' weighing' })
    if (index % 1_000 === 500) return delta(0, { type: 'text_delta', text: ' the key sk-bench-0123456789abcdef,' })
    return delta(0, { type: 'text_delta', text: ` word${index}` })
  },
  last: () => ({ type: 'result', subtype: 'success', is_error: false, session_id: sessionId, result: '', usage }),
}

const sessionId = '5f0f6c2e-3a55-4d1c-9d0e-3f3a1f0e9a11'
const request = {
  program: { file: 'claude', before: [], version: '1' },
  agent: 'claude',
  cwd: '/workspace',
  allowWrite: false,
  resume: null,
  scope: 'chat',
  token: 'bench',
  env: {},
} as const
const input = { command: 'npm test -- --part 1' }
const usage = { input_tokens: 1_200, output_tokens: 34, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }

const line = (body: object) => ({ ...body, parent_tool_use_id: null, session_id: sessionId, uuid: '0000' })

const delta = (index: number, body: object) =>
  line({ type: 'stream_event', event: { type: 'content_block_delta', index, delta: body } })

const assistant = (index: number, block: object) =>
  line({ type: 'assistant', message: { id: `msg_${index}`, role: 'assistant', model: 'm', content: [block], usage } })

const toolResult = (id: string) =>
  line({
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: 'ok 1 - reads /home/someone/notes\nok 2' }],
    },
  })
