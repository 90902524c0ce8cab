import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'

/** One server-sent event. */
export interface ServerEvent {
  /** `null` where the protocol names none. */
  name: string | null
  data: unknown
  /** Whether it carries a piece of what is said, and so is held up where a step has a pause. */
  isPiece: boolean
}

/** A call of a tool as an agent's own tools want it. */
export interface ToolCall {
  tool: string
  input: unknown
}

/** Cut as a provider cuts: small, and not at words. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,20}/gu) ?? []

export const sendEvents = async (
  response: ServerResponse,
  events: Iterable<ServerEvent>,
  pauseMs: number,
): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { name, data, isPiece } of events) {
    if (response.destroyed) return
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`)
    if (pauseMs > 0 && isPiece) await after(pauseMs)
  }
  response.end()
}
