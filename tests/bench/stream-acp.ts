import type { AcpAgent } from '../../adapters/agents/acp/agent.ts'
import { AcpSession } from '../../adapters/agents/acp/session.ts'
import { AcpWire } from '../../adapters/agents/acp/wire.ts'
import { benchHidden, idleProcess, type Talker } from './talker.ts'

/** Any agent that talks by the Agent Client Protocol. */
export const acpTalker: Talker = {
  name: 'ACP',
  async open(hear) {
    const wire = new AcpWire()
    const asked = Promise.withResolvers<void>()
    const process = idleProcess((line) => {
      promptId = (JSON.parse(line) as { id: number }).id
      asked.resolve()
    })
    wire.attach(process)
    const session = new AcpSession({
      agent,
      clocks: { openMs: 60_000, firstSignMs: 60_000 },
      process,
      wire,
      hidden: benchHidden,
      native: { id: sessionId, resumed: false },
      version: '1',
      allowWrite: true,
      mode: null,
      takesImages: false,
    })
    const turn = session.prompt({ prompt: 'Go.' }, hear)
    await asked.promise
    return { lines: wire, turn }
  },
  message(index) {
    if (index % 50 === 7) {
      return update({
        sessionUpdate: 'tool_call', toolCallId: `call_${index}`, title: 'npm test', kind: 'execute',
        status: 'in_progress', rawInput: { command: `npm test -- --part ${index}` },
      })
    }
    if (index % 50 === 8) {
      const text = 'ok 1 - reads /home/someone/notes\nok 2'
      return update({
        sessionUpdate: 'tool_call_update', toolCallId: `call_${index - 1}`, status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text } }],
      })
    }
    if (index % 10 === 3) return chunk('agent_thought_chunk', ' weighing')
    if (index % 1_000 === 500) return chunk('agent_message_chunk', ' the key sk-bench-0123456789abcdef,')
    return chunk('agent_message_chunk', ` word${index}`)
  },
  last: () => ({ jsonrpc: '2.0', id: promptId, result: { stopReason: 'end_turn' } }),
}

/** Each session is the first of its connection, and so are the ids of its requests. */
let promptId = 0
const sessionId = '93b1e17d-1287-435a-ac93-207cce22bc3c'
const agent: AcpAgent = {
  kind: 'opencode',
  agents: ['opencode'],
  abilities: { readOnly: 'permissions', write: true, asks: true, resume: true, imagesMax: 0, usage: true },
  args: () => [],
  env: { names: [], credentials: [] },
  modes: { readOnly: [], write: [] },
  usage: 'turn',
  detect: () => Promise.reject(new Error('nothing is looked for here')),
}

const update = (body: object) => ({
  jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: body },
})
const chunk = (sessionUpdate: string, text: string) => update({ sessionUpdate, content: { type: 'text', text } })
