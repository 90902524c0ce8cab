import type { AgentEvent, ToolNote } from '../shared/agent-event.ts'
import type { Failure } from '../shared/errors.ts'
import { stripTerminalCodes } from './lines.ts'
import { beginningOf, redactor, redactText, type Hidden } from './redact.ts'

type Hear = (event: AgentEvent) => void

/** Passes events on with every secret removed, terminal codes stripped and every text within its bound. */
export interface EventRedactor {
  hear(event: AgentEvent): void
  /** A block has ended, and the next one begins after an empty line: its last word can be let go. */
  pause(of: 'text' | 'reasoning'): void
  /** Lets go of what was held back; afterwards a new turn may begin. */
  end(): void
}

/** Text and reasoning are cleaned across their deltas, everything else by itself. */
export const eventRedactor = (hidden: Hidden, hear: Hear): EventRedactor => {
  const text = redactor(hidden)
  const reasoning = redactor(hidden)
  const say = (type: 'text' | 'reasoning', delta: string) => {
    if (delta !== '') hear({ type, delta })
  }
  return {
    hear(event) {
      if (event.type === 'text') return say('text', text.push(stripTerminalCodes(event.delta)))
      if (event.type === 'reasoning') return say('reasoning', reasoning.push(stripTerminalCodes(event.delta)))
      if (event.type === 'textReplaced') {
        text.end()
        return hear({ type: 'textReplaced', text: redactText(stripTerminalCodes(event.text), hidden) })
      }
      hear(cleanEvent(event, hidden))
    },
    pause(of) {
      say(of, of === 'text' ? text.pause() : reasoning.pause())
    },
    end() {
      say('text', text.end())
      say('reasoning', reasoning.end())
    },
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
  toolId: tool.toolId.slice(0, 200),
  title: clean(tool.title, 400, hidden),
  detail: tool.detail === null ? null : clean(tool.detail, 2_000, hidden),
})

/** Cut before the cleaning for speed, without the word that the cut tears, and after it to the bound. */
const clean = (text: string, maxCharacters: number, hidden: Hidden): string => {
  const cleaned = redactText(stripTerminalCodes(beginningOf(text, maxCharacters * 4)), hidden)
  return cleaned.length <= maxCharacters ? cleaned : `${cleaned.slice(0, maxCharacters - 1)}…`
}
