import type { TurnEnd } from '../../../adapters/ports.ts'
import type { AgentEvent } from '../../../shared/agent-event.ts'
import type { Failure } from '../../../shared/errors.ts'
import type { Replayed } from './replay.ts'

/** What came of a recording, as a person reads and reviews it: one line for each event. */
export const goldenOf = (turns: readonly Replayed[]): string =>
  turns
    .flatMap(({ events, end }, index) => [
      ...(turns.length > 1 ? [`turn ${index + 1}`] : []),
      ...events.flatMap(lineOf),
      `end ${endOf(end)}`,
      '',
    ])
    .join('\n')

const lineOf = (event: AgentEvent): string[] => {
  switch (event.type) {
    case 'text':
      return [`text ${quoted(event.delta)}`]
    case 'textReplaced':
      return [`text replaced by ${quoted(event.text)}`]
    case 'reasoning':
      return [`reasoning ${quoted(event.delta)}`]
    case 'tool': {
      const { toolId, kind, title, status, detail } = event.tool
      return [`tool ${toolId} ${kind} ${quoted(title)} ${status}${detail ? `: ${quoted(detail)}` : ''}`]
    }
    case 'plan':
      return [`plan ${event.entries.map(({ title, status }) => `${title} (${status})`).join(', ')}`]
    case 'usage': {
      const { inputTokens, cachedTokens, outputTokens, reasoningTokens, costUsd } = event.usage
      return [
        `usage in ${inputTokens} (cached ${cachedTokens}) out ${outputTokens} (reasoning ${reasoningTokens})` +
          (costUsd === null ? '' : ` $${costUsd.toFixed(5)}`),
      ]
    }
    case 'retrying':
      return [
        `retrying ${event.attempt}/${event.max ?? 'endless'}` +
          `${event.delayMs === null ? '' : ` in ${event.delayMs} ms`}: ${failureOf(event.failure)}`,
      ]
    case 'warning':
      return [`warning ${quoted(event.text)}`]
    case 'omitted':
      return [`omitted ${event.what}`]
    case 'asked':
      return [`asked ${event.request.requestId} to ${event.request.title}: ${quoted(event.request.detail)}`]
    case 'askedNoMore':
      return [`asked no more ${event.requestId}`]
    case 'session':
      return []
  }
}

const endOf = (end: TurnEnd) => (end.status === 'failed' ? `failed ${failureOf(end.failure)}` : end.status)

export const failureOf = ({ code, params = {}, retryAfterMs }: Failure): string =>
  [
    code,
    ...Object.entries(params).map(([name, value]) => `${name}=${typeof value === 'string' ? quoted(value) : value}`),
    ...(retryAfterMs === undefined ? [] : [`after ${retryAfterMs} ms`]),
  ].join(' ')

const quoted = (text: string) => JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}… ${text.length}` : text)
