import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'

/** One server-sent event. */
export interface ServerEvent {
  name: string
  data: unknown
}

/** What an agent calls the two things that every agent can do. */
export interface ToolNames {
  run(command: string): { tool: string; input: unknown }
  write(file: { path: string; content: string }): { tool: string; input: unknown }
}

/** Cut as a provider cuts: small, and not at words. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,20}/gu) ?? []

export const sendEvents = async (
  response: ServerResponse,
  events: Iterable<ServerEvent>,
  pauseMs: number,
): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { name, data } of events) {
    if (response.destroyed) return
    response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    if (pauseMs > 0 && name.endsWith('delta')) await after(pauseMs)
  }
  response.end()
}
