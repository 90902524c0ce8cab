import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AcpTurn } from '../../adapters/agents/acp/turn.ts'
import { PermissionParams } from '../../adapters/agents/acp/wire.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { textOf } from './rehearsal-table.ts'

interface Recorded {
  method: string
  params: { sessionId: string }
}

/** What real agents said in one recorded session, heard as one turn; every question is refused. */
const hear = async (agent: string) => {
  const lines = readFileSync(new URL(`../fixtures/acp/${agent}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const messages = lines.map((line) => JSON.parse(line) as Recorded)
  const events: AgentEvent[] = []
  const turn = new AcpTurn({
    sessionId: messages[0]!.params.sessionId,
    number: 1,
    hidden: { secrets: [], home: null },
    hear: (event) => events.push(event),
  })
  for (const { method, params } of messages) {
    if (method === 'session/update') turn.update(params)
    else {
      const outcome = turn.ask(PermissionParams.parse(params))
      const asked = events.at(-1)
      if (asked?.type === 'asked') turn.answer(asked.request.requestId, { effect: 'deny', note: null })
      await outcome
    }
  }
  turn.end({ status: 'completed' })
  return events
}

test.each([
  [
    'opencode',
    [
      'edit: /workspace/acp-out.txt',
      'execute: touch rejected.txt',
      'execute: touch rejected.txt',
      'execute: sleep 82; echo end',
    ],
  ],
  [
    'gemini',
    [
      'other: Set 2 todo(s)',
      'edit: /workspace/acp-out.txt',
      'execute: touch rejected.txt\n[current working directory /workspace]',
      'execute: touch rejected.txt\n[current working directory /workspace]',
      'execute: sleep 81; echo end\n[current working directory /workspace]',
    ],
  ],
  [
    'copilot',
    [
      'execute: echo hi > acp-out.txt',
      'execute: touch rejected.txt',
      'execute: touch rejected.txt',
      'execute: sleep 84; echo end',
    ],
  ],
  [
    'kimi',
    [
      expect.stringMatching(/^execute: .*touch rejected\.txt$/s),
      expect.stringMatching(/^execute: .*touch rejected\.txt$/s),
      expect.stringMatching(/^execute: .*sleep 89; echo end$/s),
    ],
  ],
])('everything that %s said is understood', async (agent, asks) => {
  const events = await hear(agent)
  expect(events.filter(({ type }) => type === 'omitted')).toEqual([])
  expect(textOf(events).length).toBeGreaterThan(100)
  expect(
    events.flatMap((event) => (event.type === 'asked' ? [`${event.request.kind}: ${event.request.detail}`] : [])),
  ).toEqual(asks)
})
