import type { Failure } from '../../shared/errors.ts'
import { failureOf, failureOfStatus } from './failures.ts'
import { waitIn } from './waits.ts'

/** A notice is a sentence or two; what is longer is an answer, even if it begins like one. */
export const noticeMaxCharacters = 300

/**
 * The failure that a whole answer tells when it is not the model's but the program's own notice: that a usage limit is
 * reached, or that the provider failed. `null` for every other text, however much it quotes of such notices.
 */
export const readNotice = (answer: string, now: number): Failure | null => {
  const text = answer.trim()
  if (text.length > noticeMaxCharacters || text.includes('\n')) return null
  if (isLimit(text)) return failureOfLimit(text, now)
  const error = apiError.exec(text)
  if (!error) return null
  const [, status, words = ''] = error
  if (/rate limit/i.test(words)) return failureOf('agent.rate-limited', text)
  if (status) return failureOfStatus(Number(status), text, waitIn(text, now))
  return failureOf(/overload/i.test(words) ? 'agent.provider-failed' : 'agent.unreachable', text)
}

/** Whether a sentence says that an account has used up what it may use for a while. */
export const isLimit = (text: string): boolean => limitNotices.some((notice) => notice.test(text.trim()))

/** A used-up limit, with the wait until it begins anew where the sentence tells one. */
export const failureOfLimit = (said: string, now: number): Failure => {
  const retryAfterMs = waitIn(said, now)
  return { ...failureOf('agent.rate-limited', said), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

const limitNotices = [
  /^claude (?:ai |code )?usage limit reached\b/i,
  /^you(?:['’]ve| have) (?:hit|reached|exceeded) your (?:[\w-]+ ){0,3}limit\b/i,
  /^(?:\d+-hour|weekly|daily|monthly|session|usage|opus|sonnet)(?: \w+)? limit reached\b/i,
]
const apiError =
  /^API Error: (?:(\d{3})\b|(Rate limit reached|Repeated \d{3}|Overloaded|Connection error|Request timed out))/i
