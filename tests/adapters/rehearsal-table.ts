import { randomUUID } from 'node:crypto'
import { client, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { rehearsalAdapter } from '../../adapters/agents/rehearsal.ts'
import type { AgentSession, Answer, TurnEnd } from '../../adapters/ports.ts'
import { Processes } from '../../adapters/process.ts'
import { rehearsalAgent } from '../../adapters/rehearsal/agent.ts'
import { type AgentId, nameOfAgent, Persona } from '../../shared/agent.ts'
import type { AgentEvent, ToolNote } from '../../shared/agent-event.ts'
import { makeCapsule, type Capsule } from '../../shared/capsule.ts'
import { composePrompt, type PromptParts } from '../../shared/prompt.ts'
import type { Vote } from '../../shared/vote.ts'
import { readVote } from '../../shared/vote-text.ts'

export const processes = new Processes()
export const adapter = rehearsalAdapter(processes)

export const openSession = async (
  agent: AgentId,
  more: { resume?: string; pace?: string; signal?: AbortSignal; allowWrite?: boolean } = {},
): Promise<AgentSession> => {
  const signal = more.signal ?? new AbortController().signal
  const { program } = await adapter.detect(signal)
  return adapter.open(
    {
      program: program!,
      agent,
      cwd: process.cwd(),
      allowWrite: more.allowWrite ?? false,
      resume: more.resume ?? null,
      scope: 'chat',
      token: randomUUID(),
      env: { ...process.env, PARLEY_REHEARSAL_PACE: more.pace ?? '0' },
    },
    signal,
  )
}

interface Heard {
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

interface Spoken {
  agent: AgentId
  round: number
  text: string
  vote: Vote | null
  asked: number
}

interface Discussion {
  agents: readonly AgentId[]
  topic: string
  rounds: number
  blindFirst?: boolean
  answer?: Answer
}

/** How an agent is given the floor; `resume` names its earlier session. */
type GiveFloor = (agent: AgentId, prompt: string, answer: Answer, resume: string | null) => Promise<Said>

interface Said {
  text: string
  asked: number
  tools: ToolNote[]
  native: string
}

/** A discussion as the application holds one: capsules passed on, later turns as continuations. */
export const discuss = async (discussion: Discussion, giveFloor: GiveFloor = inOneProcess()): Promise<Spoken[]> => {
  const { agents, topic, rounds, blindFirst = false, answer = allow } = discussion
  const spoken: Spoken[] = []
  const capsules: Capsule[] = []
  const natives = new Map<AgentId, string>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const agent of agents) {
      const nonce = `n${round}${agent.length}`
      const resume = natives.get(agent) ?? null
      const { text: prompt } = composePrompt({
        ...partsOf({ agents, agent, topic, round, rounds }),
        kind: resume === null ? 'bootstrap' : 'continuation',
        blind: blindFirst && round === 1,
        nonce,
        capsules,
      })
      const said = await giveFloor(agent, prompt, answer, resume)
      natives.set(agent, said.native)
      const { reading, text } = readVote(said.text, nonce)
      spoken.push({ agent, round, text, vote: reading.vote, asked: said.asked })
      capsules.push(
        makeCapsule({
          attemptId: `attempt:${agent.split(':')[1]}-${round}`,
          round,
          seat: agent,
          name: nameOfAgent(agent).name,
          vote: reading.vote,
          text,
          tools: said.tools,
        }),
      )
    }
    if (spoken.filter((turn) => turn.round === round).every(({ vote }) => vote?.choice === 'agree')) break
  }
  return spoken
}

/** Each turn in a process of its own; later ones load the session of the first. */
export const inProcesses: GiveFloor = async (agent, prompt, answer, resume) => {
  const session = await openSession(agent, resume === null ? {} : { resume })
  const { events, text } = await takeTurn(session, prompt, answer)
  await session.close()
  return { text, asked: countAsked(events), tools: toolsOf(events), native: session.native.id }
}

/** The agents' side of the protocol alone, without processes: what they say is the same. */
const inOneProcess = (): GiveFloor => async (agent, prompt, answer) => {
  let text = ''
  let asked = 0
  const connection = client()
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked += 1
      const wanted = answer.effect === 'grant' ? 'allow_once' : 'reject_once'
      return {
        outcome: { outcome: 'selected', optionId: params.options.find(({ kind }) => kind === wanted)!.optionId },
      }
    })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') text += update.content.text
    })
    .connect(rehearsalAgent({ persona: Persona.parse(agent.split(':')[1]), pace: 0, turnDeaf: () => {} }))
  await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION })
  const { sessionId } = await connection.agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] })
  await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: prompt }] })
  connection.close()
  return { text, asked, tools: [], native: sessionId }
}

const countAsked = (events: readonly AgentEvent[]): number => events.filter(({ type }) => type === 'asked').length

export const partsOf = ({
  agents,
  agent,
  topic,
  round,
  rounds,
}: {
  agents: readonly AgentId[]
  agent: AgentId
  topic: string
  round: number
  rounds: number
}): PromptParts => ({
  kind: 'bootstrap',
  topic,
  round,
  rounds,
  blind: false,
  consensus: true,
  allowWrite: false,
  nonce: 'n1',
  capsules: [],
  you: { seat: agent, name: nameOfAgent(agent).name },
  peers: agents.filter((other) => other !== agent).map((other) => ({ seat: other, name: nameOfAgent(other).name })),
})

export const allow: Answer = { effect: 'grant', note: null }
export const deny: Answer = { effect: 'deny', note: null }
