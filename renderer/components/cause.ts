import { errorCatalog, type ErrorCode } from '../../shared/errors.ts'
import type { StateValue } from '../../shared/ledger.ts'
import { text } from '../text/text.ts'

/** The cause of a transition in words: failures by their sentence, what else is known by the words for it. */
export function causeWords(cause: Readonly<Record<string, unknown>>): string {
  const failure = failureIn(cause)
  const rest = Object.entries(cause).flatMap(([name, value]) => wordOf(name, value))
  return [...(failure ? [text.errors[failure]] : []), ...rest].join(text.common.dot)
}

/** The innermost state, of the first region where there are several. */
export function leafOf(value: StateValue): string {
  if (typeof value === 'string') return value
  const inner = Object.entries(value)[0]
  return inner ? (leafOf(inner[1]) === '' ? inner[0] : leafOf(inner[1])) : ''
}

/** The code of the failure in a cause. */
export function failureIn(cause: Readonly<Record<string, unknown>>): ErrorCode | null {
  const code = isRecord(cause['failure']) ? cause['failure']['code'] : cause['code']
  return typeof code === 'string' && isCode(code) ? code : null
}

/** Only what has words is told: ids and times are in the record, not in the sentence. */
function wordOf(name: string, value: unknown): string[] {
  if (name === 'failure') return []
  if (isRecord(value)) return Object.entries(value).flatMap(([inner, one]) => wordOf(inner, one))
  if (typeof value === 'string') return told(text.causes.named[name]?.[value] ?? text.causes.quoted[name]?.(value))
  return typeof value === 'number' ? told(text.causes.counted[name]?.(value)) : []
}

const told = (words: string | undefined) => (words === undefined || words === '' ? [] : [words])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalog, code)
