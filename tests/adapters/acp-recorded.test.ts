import { describe, expect, test } from 'vitest'
import type { AcpProgram } from '../../adapters/agents/acp/agent.ts'
import { openAcpSession } from '../../adapters/agents/acp/open.ts'
import type { AcpSession } from '../../adapters/agents/acp/session.ts'
import { AcpTurn } from '../../adapters/agents/acp/turn.ts'
import { UsageCounter } from '../../adapters/agents/acp/usage.ts'
import { AcpWire } from '../../adapters/agents/acp/wire.ts'
import { copilot } from '../../adapters/agents/copilot.ts'
import { gemini } from '../../adapters/agents/gemini.ts'
import { kimi } from '../../adapters/agents/kimi.ts'
import { opencode } from '../../adapters/agents/opencode.ts'
import { qwen } from '../../adapters/agents/qwen.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { answersIn, countPrompts, firstAnswerOf, pushCut, readTape, TapePlayer } from './acp-tape.ts'

const openTape = async (
  agent: AcpProgram,
  more: { allowWrite?: boolean; resume?: string } = {},
): Promise<{ session: AcpSession; player: TapePlayer }> => {
  const player = new TapePlayer(readTape(agent.kind))
  const session = await openAcpSession({
    agent: { ...agent, detect: () => Promise.reject(new Error('not used here')) },
    processes: player.processes,
    clocks: { openMs: 20_000, firstSignMs: 20_000 },
    request: {
      program: { file: '/bin/agent', before: [], version: '0.0.0' },
      agent: agent.agents[0]!,
      cwd: '/workspace',
      allowWrite: more.allowWrite ?? true,
      resume: more.resume ?? null,
      scope: 'chat',
      token: 't',
      env: {},
    },
    surroundings: { env: {}, hidden: { secrets: [], home: null }, args: [], files: [] },
    signal: new AbortController().signal,
  })
  return { session, player }
}

/** One recorded turn; the person answers and calls off as was recorded. */
const takeTurn = async (
  { session, player }: { session: AcpSession; player: TapePlayer },
  answers: ('grant' | 'deny' | null)[],
) => {
  const events: AgentEvent[] = []
  player.cancelled = () => void session.cancel()
  const end = await session.prompt({ prompt: 'as recorded' }, (event) => {
    events.push(event)
    const effect = event.type === 'asked' ? answers.shift() : null
    if (event.type === 'asked' && effect) session.answer(event.request.requestId, { effect, note: null })
  })
  return { events, end }
}

const byKind = [opencode, gemini, qwen, copilot, kimi].map((agent) => [agent.kind, agent] as const)

describe.each(byKind)('%s', (kind, agent) => {
  test('is understood as it was recorded', async () => {
    const tape = readTape(kind)
    const opened = await openTape(agent)
    const story = [`opened ${opened.session.version}: ${opened.player.heard.join(', ')}`]
    for (let turn = 0; turn < countPrompts(tape); turn += 1) {
      const { events, end } = await takeTurn(opened, answersIn(tape, turn))
      story.push('', `turn ${turn + 1}`, ...tell(events), `= ${JSON.stringify(end)}`)
      expect(events.filter(({ type }) => type === 'omitted')).toEqual([])
    }
    await expect(`${story.join('\n')}\n`).toMatchFileSnapshot(`../fixtures/acp/${kind}.golden.txt`)
  })

  test('asks nobody and writes nothing while it may only read', async () => {
    const tape = readTape(kind)
    const opened = await openTape(agent, { allowWrite: false })
    for (let turn = 0; turn < countPrompts(tape); turn += 1) {
      const { events } = await takeTurn(opened, ['deny', 'deny'])
      const asked = events.flatMap((event) => (event.type === 'asked' ? [event.request.kind] : []))
      expect(asked.filter((what) => what === 'edit' || what === 'execute')).toEqual([])
    }
    expect(opened.player.heard).toContainEqual(expect.stringMatching(/^session\/set_\w+ .*plan$/))
  })

  test('has lost a session that it does not know', async () => {
    const resume = '11111111-2222-3333-4444-555555555555'
    await expect(openTape(agent, { resume })).rejects.toMatchObject({ code: 'agent.session-lost' })
  })

  test('is heard alike wherever its bytes are cut', () => {
    const { bytes, sessionId } = firstAnswerOf(readTape(kind))
    const hear = (at: number) => {
      const events: AgentEvent[] = []
      const wire = new AcpWire()
      const turn = new AcpTurn({
        sessionId,
        number: 1,
        hidden: { secrets: [], home: null },
        declinesWrites: false,
        usage: new UsageCounter('turn', false),
        hear: (event) => events.push(event),
        modeIs: () => {},
      })
      wire.listener = turn
      pushCut(bytes, at, wire)
      turn.end({ status: 'completed' })
      return tell(events)
    }
    const whole = hear(0)
    expect(whole.join('\n')).toContain('안녕 你好 🙂')
    for (let at = 1; at < bytes.length; at += 1) expect(hear(at)).toEqual(whole)
  })
})

/** One line for each event; pieces of one text are one line. */
const tell = (events: readonly AgentEvent[]): string[] => {
  const lines: string[] = []
  let last = ''
  for (const event of events) {
    if (event.type === 'session') continue
    if (event.type === last && (event.type === 'text' || event.type === 'reasoning')) {
      lines.push(lines.pop() + quoted(event.delta))
    } else lines.push(lineOf(event))
    last = event.type
  }
  return lines
}

const lineOf = (event: AgentEvent): string => {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return `${event.type}: ${quoted(event.delta)}`
    case 'tool':
      return `tool ${event.tool.kind} ${event.tool.status}: ${quoted(event.tool.title)}${detailOf(event.tool.detail)}`
    case 'asked':
      return `asks to ${event.request.title}: ${quoted(event.request.detail)}`
    case 'plan':
      return `plan: ${event.entries.map(({ title, status }) => `${title} ${status}`).join(', ')}`
    case 'usage':
      return `usage: ${Object.values(event.usage).join(' ')}`
    default:
      return JSON.stringify(event)
  }
}

const quoted = (text: string) => text.replaceAll('\n', '⏎')
const detailOf = (detail: string | null) => (detail === null ? '' : ` (${quoted(detail).slice(0, 60)})`)
