import type { Asked, Step } from './script.ts'
import type { ServerEvent, ToolCall } from './stream.ts'

/** One way in which models are asked and answer. */
export interface Protocol {
  path: RegExp
  /** Throws where the request is not of this protocol. */
  read(body: unknown): Asked
  events(step: Step, call: ToolCall | null, id: string): Iterable<ServerEvent>
  /** The same answer in one piece; `null` where it is never asked for. */
  whole: ((step: Step, call: ToolCall | null, id: string) => unknown) | null
  errorBody(status: number): unknown
}
