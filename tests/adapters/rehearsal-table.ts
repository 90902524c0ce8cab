import { randomUUID } from 'node:crypto'
import { rehearsalAdapter } from '../../adapters/agents/rehearsal.ts'
import type { AgentSession, Answer, ProcessEnd, TurnEnd } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import { type AgentId, agentNames } from '../../shared/agent.ts'
import type { AgentEvent, ToolNote } from '../../shared/agent-event.ts'
import { makeCapsule, type Capsule } from '../../shared/capsule.ts'
import { composePrompt, type PromptParts } from '../../shared/prompt.ts'
import type { Vote } from '../../shared/vote.ts'
import { readVote } from '../../shared/vote-text.ts'

export const processes = new Processes()
export const adapter = rehearsalAdapter(processes)

export const openSession = async (
  agent: AgentId, more: { resume?: string; pace?: string; signal?: AbortSignal; allowWrite?: boolean } = {},
): Promise<AgentSession> => {
  const signal = more.signal ?? new AbortController().signal
  const { program } = await adapter.detect(signal)
  return adapter.open({
    program: program!, agent, cwd: process.cwd(), allowWrite: more.allowWrite ?? false, resume: more.resume ?? null,
    token: randomUUID(), env: { ...process.env, PARLEY_REHEARSAL_PACE: more.pace ?? '0' },
  }, signal)
}

export interface Heard {
  end: TurnEnd
  events: AgentEvent[]
  text: string
}

/** One whole turn; questions are answered as they come, or left open with `null`. */
export const takeTurn = async (session: AgentSession, prompt: string, answer: Answer | null): Promise<Heard> => {
  const events: AgentEvent[] = []
  const end = await session.prompt({ prompt }, (event) => {
    events.push(event)
    if (event.type === 'asked' && answer) session.answer(event.request.requestId, answer)
  })
  return { end, events, text: textOf(events) }
}

export const textOf = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('')

export const toolsOf = (events: readonly AgentEvent[]): ToolNote[] =>
  events.flatMap((event) => (event.type === 'tool' ? [event.tool] : []))

export interface Spoken {
  agent: AgentId
  round: number
  text: string
  vote: Vote | null
  asked: number
}

export interface Discussion {
  agents: readonly AgentId[]
  topic: string
  rounds: number
  blindFirst?: boolean
  answer?: Answer
}

/** A discussion as the application holds one: a process per turn, later sessions loaded, capsules passed on. */
export const discuss = async ({ agents, topic, rounds, blindFirst = false, answer = allow }: Discussion): Promise<Spoken[]> => {
  const spoken: Spoken[] = []
  const capsules: Capsule[] = []
  const natives = new Map<AgentId, string>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const agent of agents) {
      const nonce = `n${round}${agent.length}`
      const resume = natives.get(agent)
      const session = await openSession(agent, resume === undefined ? {} : { resume })
      natives.set(agent, session.native.id)
      const { text: prompt } = composePrompt({
        ...partsOf({ agents, agent, topic, round, rounds }), kind: resume === undefined ? 'bootstrap' : 'continuation',
        blind: blindFirst && round === 1, nonce, capsules,
      })
      const heard = await takeTurn(session, prompt, answer)
      await session.close()
      const { reading, text } = readVote(heard.text, nonce)
      const asked = heard.events.filter(({ type }) => type === 'asked').length
      spoken.push({ agent, round, text, vote: reading.vote, asked })
      capsules.push(makeCapsule({
        attemptId: `attempt:${agent.split(':')[1]}-${round}`, round, seat: agent, name: agentNames[agent].name, vote: reading.vote, text,
        tools: toolsOf(heard.events),
      }))
    }
    if (spoken.filter((turn) => turn.round === round).every(({ vote }) => vote?.choice === 'agree')) break
  }
  return spoken
}

export const partsOf = (
  { agents, agent, topic, round, rounds }: { agents: readonly AgentId[]; agent: AgentId; topic: string; round: number; rounds: number },
): PromptParts => ({
  kind: 'bootstrap', topic, round, rounds, blind: false, consensus: true, allowWrite: false, nonce: 'n1', capsules: [],
  you: { seat: agent, name: agentNames[agent].name },
  peers: agents.filter((other) => other !== agent).map((other) => ({ seat: other, name: agentNames[other].name })),
})

export const allow: Answer = { effect: 'grant', note: null }
export const deny: Answer = { effect: 'deny', note: null }
