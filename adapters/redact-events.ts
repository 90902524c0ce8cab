import { createHash } from 'node:crypto'
import type { AgentEvent, ToolNote } from '../shared/agent-event.ts'
import type { Failure } from '../shared/errors.ts'
import { beginningOf, redactor, redactText, type Hidden } from './redact.ts'
import { codeStripper, stripTerminalCodes } from './terminal-codes.ts'

type Hear = (event: AgentEvent) => void

/** Passes events on with every secret removed, terminal codes stripped and every text within its bound. */
export interface EventRedactor {
  hear(event: AgentEvent): void
  /** A block has ended, and the next one begins after an empty line: its last word can be let go. */
  pause(of: 'text' | 'reasoning'): void
  /** Lets go of what was held back; afterwards a new turn may begin. */
  end(): void
}

/**
 * Text and reasoning are cleaned across their deltas, everything else by itself. What the hearer throws is a fault of
 * its own: it is told as a warning of the process and changes nothing of the turn.
 */
export const eventRedactor = (hidden: Hidden, heard: Hear): EventRedactor => {
  const hear = (event: AgentEvent) => {
    try {
      heard(event)
    } catch (error) {
      const name = error instanceof Error ? error.name : 'something'
      process.emitWarning(`An event of an agent (${event.type}) was not taken: ${name} was thrown.`)
    }
  }
  const say = (type: 'text' | 'reasoning', delta: string) => {
    if (delta !== '') hear({ type, delta })
  }
  const streams = { text: cleanStream(hidden), reasoning: cleanStream(hidden) }
  return {
    hear(event) {
      if (event.type === 'text' || event.type === 'reasoning')
        return say(event.type, streams[event.type].push(event.delta))
      if (event.type === 'textReplaced') {
        streams.text.end()
        return hear({ type: 'textReplaced', text: redactText(stripTerminalCodes(event.text), hidden) })
      }
      hear(cleanEvent(event, hidden))
    },
    pause(of) {
      say(of, streams[of].pause())
    },
    end() {
      say('text', streams.text.end())
      say('reasoning', streams.reasoning.end())
    },
  }
}

/** Codes are taken out first: a secret that is painted is a secret still. */
const cleanStream = (hidden: Hidden) => {
  const codes = codeStripper()
  const secrets = redactor(hidden)
  return {
    push: (delta: string) => secrets.push(codes.push(delta)),
    pause: () => secrets.pause(),
    end: () => secrets.push(codes.end()) + secrets.end(),
  }
}

/** A failure whose words hold no secret. */
export const cleanFailure = (failure: Failure, hidden: Hidden): Failure => ({
  ...failure,
  message: clean(failure.message, 2_000, hidden),
  ...(failure.params
    ? {
        params: Object.fromEntries(
          Object.entries(failure.params).map(([name, value]) => [
            name,
            typeof value === 'string' ? clean(value, 500, hidden) : value,
          ]),
        ),
      }
    : {}),
})

const cleanEvent = (event: AgentEvent, hidden: Hidden): AgentEvent => {
  switch (event.type) {
    case 'tool':
      return { type: 'tool', tool: cleanTool(event.tool, hidden) }
    case 'plan':
      return {
        type: 'plan',
        entries: event.entries.slice(0, 50).map((entry) => ({ ...entry, title: clean(entry.title, 400, hidden) })),
      }
    case 'retrying':
      return { ...event, failure: cleanFailure(event.failure, hidden) }
    case 'warning':
      return { type: 'warning', text: clean(event.text, 2_000, hidden) }
    case 'omitted':
      return { ...event, what: clean(event.what, 200, hidden) }
    case 'asked':
      return {
        type: 'asked',
        request: {
          ...event.request,
          toolId: event.request.toolId === null ? null : shortId(event.request.toolId),
          title: clean(event.request.title, 400, hidden),
          detail: clean(event.request.detail, 4_000, hidden),
          reason: event.request.reason === null ? null : clean(event.request.reason, 1_000, hidden),
        },
      }
    case 'text':
    case 'textReplaced':
    case 'reasoning':
    case 'usage':
    case 'session':
    case 'askedNoMore':
      return event
  }
}

const cleanTool = (tool: ToolNote, hidden: Hidden): ToolNote => ({
  ...tool,
  toolId: shortId(tool.toolId),
  title: clean(tool.title, 400, hidden),
  detail: tool.detail === null ? null : clean(tool.detail, 2_000, hidden),
})

/** An id of somebody else's that is too long keeps its beginning, and a hash tells it from others like it. */
const shortId = (id: string): string =>
  id.length <= idMaxCharacters
    ? id
    : `${id.slice(0, idHeadCharacters)}#${createHash('sha256').update(id).digest('hex').slice(0, idHashCharacters)}`

const idMaxCharacters = 200
const idHeadCharacters = 160
const idHashCharacters = 32

/** Cut before the cleaning for speed, without the word that the cut tears, and after it to the bound. */
const clean = (text: string, maxCharacters: number, hidden: Hidden): string => {
  const cleaned = redactText(stripTerminalCodes(beginningOf(text, maxCharacters * 4)), hidden)
  return cleaned.length <= maxCharacters ? cleaned : `${cleaned.slice(0, maxCharacters - 1)}…`
}
