import { randomUUID } from 'node:crypto'
import { agent, methods, PROTOCOL_VERSION, RequestError, type AgentApp } from '@agentclientprotocol/sdk'
import type { Persona } from '../../shared/agent.ts'
import { rehearsalModes, rehearsalVersion } from './identity.ts'
import { perform } from './perform.ts'
import { Cancelled, Stage } from './stage.ts'

interface RehearsalParts {
  persona: Persona
  pace: number
  turnDeaf: () => void
}

/**
 * The agent's side of the protocol. It keeps nothing: a session is a name that says whose it is, and each prompt holds
 * all that matters, so a loaded session is as good as a new one.
 */
export const rehearsalAgent = ({ persona, pace, turnDeaf }: RehearsalParts): AgentApp => {
  const turns = new Map<string, AbortController>()
  let isDeaf = false
  const goDeaf = () => {
    isDeaf = true
    turnDeaf()
  }
  return agent({ name: 'rehearsal' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: `rehearsal-${persona}`, title: 'Rehearsal', version: rehearsalVersion },
      agentCapabilities: { loadSession: true },
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: `${prefixOf(persona)}${randomUUID()}`, modes }))
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      if (!params.sessionId.startsWith(prefixOf(persona))) throw RequestError.sessionNotFound(params.sessionId)
      await client.notify(methods.client.session.update, { sessionId: params.sessionId, update: replay })
      return { modes }
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      if (!modes.availableModes.some(({ id }) => id === params.modeId)) throw RequestError.invalidParams()
      return {}
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId } = params
      if (turns.has(sessionId)) throw RequestError.invalidRequest(undefined, 'one turn at a time')
      const controller = new AbortController()
      turns.set(sessionId, controller)
      const stage = new Stage({ client, sessionId, pace, signal: controller.signal })
      try {
        await perform({ persona, stage, turnDeaf: goDeaf }, textOf(params.prompt))
        return { stopReason: 'end_turn' }
      } catch (error) {
        if (error instanceof Cancelled) return { stopReason: 'cancelled' }
        throw error
      } finally {
        turns.delete(sessionId)
      }
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      if (!isDeaf) turns.get(params.sessionId)?.abort()
    })
}

const prefixOf = (persona: Persona) => `rehearsal-${persona}-`

const modes = {
  currentModeId: rehearsalModes.readOnly,
  availableModes: [
    { id: rehearsalModes.readOnly, name: 'Read only' },
    { id: rehearsalModes.write, name: 'Write' },
  ],
}

/** Something to replay, as agents that keep a history do. */
const replay = {
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: 'This rehearsal keeps no history.' },
} as const

const textOf = (blocks: readonly { type: string; text?: unknown }[]): string =>
  blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n')
