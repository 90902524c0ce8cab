import type { RunInput } from '../../machines/blanks.ts'
import { eventPayloadMaxBytes } from '../../shared/limits.ts'
import type { MachineName, StateValue } from '../../shared/ledger.ts'

const spoken: Record<string, string> = {
  'xstate.init': 'began',
  'xstate.done.actor': 'ended',
  'xstate.error.actor': 'broke',
}

/** The event's name as the ledger and the window say it: XState's own names become facts of ours. */
export const nameOf = (machine: MachineName, event: { type: string }): string => {
  const internal = Object.keys(spoken).find((prefix) => event.type.startsWith(prefix))
  if (!internal) return event.type.slice(0, 120)
  if (internal === 'xstate.init') return `${machine}.began`
  const child = machine === 'run' ? 'round' : 'attempt'
  return `${child}.${spoken[internal]}`
}

/** A bounded look at what caused a transition: ids, codes, counts, short words; never a prompt, a path or a class. */
export const causeOf = (event: { type: string }, via: readonly StateValue[]): Record<string, unknown> => {
  const cause: Record<string, unknown> = tableIn(event)
  for (const [name, value] of Object.entries(event)) {
    if (name === 'type' || name === 'at' || name === 'output' || name === 'input') continue
    const told = tell(value)
    if (told !== undefined) cause[name] = told
  }
  if (via.length > 0) cause.via = via
  return JSON.stringify(cause).length <= eventPayloadMaxBytes ? cause : { omitted: true }
}

/** How a run's table was set as it began: later rows only tell how it is now. */
const tableIn = (event: { type: string }): Record<string, unknown> => {
  if (event.type !== 'xstate.init' || !('input' in event) || !isRunInput(event.input)) return {}
  const { seats, mayContinue } = event.input
  return { table: seats.map(({ seat, agent }) => ({ seat, agent, mayContinue: mayContinue[seat] ?? false })) }
}

const isRunInput = (input: unknown): input is RunInput =>
  typeof input === 'object' && input !== null && 'mayContinue' in input && 'messageId' in input

const failureIn = (failure: object & { code: unknown }): Record<string, unknown> => {
  const wait = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined
  return { code: failure.code, ...(wait === undefined ? {} : { retryAfterMs: wait }) }
}

const tell = (value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, 300)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return undefined
  if ('code' in value) return failureIn(value)
  if ('choice' in value && 'position' in value) return { choice: value.choice, position: value.position }
  if ('optionId' in value && 'effect' in value) return { optionId: value.optionId, effect: value.effect }
  return undefined
}
