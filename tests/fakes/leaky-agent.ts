import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * An ACP agent that tells all it knows: `node leaky-agent.ts HOW WITNESS`. What its environment and its arguments were
 * it writes into the witness, a file of the test's; then it says its environment in every way that the protocol has,
 * and ends as `HOW` says: `completes`, `fails` with it in the error, `dies` with it on stderr, `refuses` to open.
 */
const [how = '', witness = ''] = process.argv.slice(2)
const all = JSON.stringify(process.env)

interface Message {
  id?: number
  method?: string
}

const modes = { currentModeId: 'plan', availableModes: [{ id: 'plan', name: 'Plan' }] }
const print = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (body: object) => print({ method: 'session/update', params: { sessionId: 's1', update: body } })
const chunk = (sessionUpdate: string, text: string) => update({ sessionUpdate, content: { type: 'text', text } })
const error = (message: string) => ({ code: -32_602, message, data: { details: message } })

appendFileSync(
  witness,
  `${JSON.stringify({ env: process.env, command: readFileSync('/proc/self/cmdline', 'utf8').split('\0') })}\n`,
)
process.stderr.write(`${all}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as Message
  if (method === 'initialize') print({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new' && how === 'refuses') print({ id, error: error(all) })
  else if (method === 'session/new') print({ id, result: { sessionId: 's1', modes } })
  else if (method === 'session/set_mode') print({ id, result: {} })
  else if (method === 'session/prompt') tell(id)
}

function tell(id: number | undefined) {
  for (const sessionUpdate of ['agent_message_chunk', 'agent_thought_chunk']) {
    chunk(sessionUpdate, all)
    // once more in pieces, wherever they may cut
    for (let at = 0; at < all.length; at += 7) chunk(sessionUpdate, all.slice(at, at + 7))
  }
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 't1',
    title: all,
    kind: 'execute',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: all } }],
    rawInput: { command: all },
  })
  update({ sessionUpdate: 'plan', entries: [{ content: all, status: 'pending', priority: 'low' }] })
  if (how === 'completes') return print({ id, result: { stopReason: 'end_turn' } })
  if (how === 'fails') return print({ id, error: error(all) })
  process.stderr.write(`fatal: ${all}\n`)
  return process.stdout.end(() => process.exit(3))
}
