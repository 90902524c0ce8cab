import { describe, expect, test } from 'vitest'
import { readFailure } from '../../../adapters/agents/codex/read-failure.ts'
import { readNotice } from '../../../adapters/agents/notices.ts'
import { waitIn } from '../../../adapters/agents/waits.ts'

const minute = 60_000
const hour = 60 * minute
/** A Monday, at half past six in the evening in Greenwich: half past two in the morning in Shanghai. */
const now = Date.UTC(2026, 10, 30, 18, 30)

describe('a wait that a sentence tells', () => {
  test.each<[string, number | undefined]>([
    ['Please retry after 2s.', 2_000],
    ['Retry-After: 7', 7_000],
    ['try again in 1.5 seconds', 1_500],
    ['Please try again in 250ms', 250],
    ['try again in 3 days 4 hours 5 minutes.', 76 * hour + 5 * minute],
    ['try again in 2 hours and 10 minutes', 130 * minute],
    ['resets in 2h 30m', 150 * minute],
    ['Claude AI usage limit reached|1796064036', 1_796_064_036_000 - now],
    ['You’ve hit your limit · resets 4am (Asia/Shanghai)', 90 * minute],
    ['You’ve hit your limit · resets 2am (Asia/Shanghai)', 23 * hour + 30 * minute],
    ['resets 6:45pm (UTC)', 15 * minute],
    ['try again at 12:15 AM (Etc/GMT)', 5 * hour + 45 * minute],
    ['resets 19:00 (UTC)', 30 * minute],
    ['resets Dec 3, 4am (UTC)', 57 * hour + 30 * minute],
    ['resets Dec 3 at 4am (UTC)', 57 * hour + 30 * minute],
    ['resets Wed 10:00 AM (UTC)', 39 * hour + 30 * minute],
    ['resets Mon 6pm (UTC)', 7 * 24 * hour - 30 * minute],
    ['resets Jan 1, 12am (UTC)', 31 * 24 * hour + 5 * hour + 30 * minute],
    ['resets 4am (Nowhere/Land)', undefined],
    ['retry after 3 attempts', undefined],
    ['It resets 5 counters.', undefined],
    ['try again in 90 days', undefined],
    ['Nothing of the kind.', undefined],
  ])('%s', (sentence, wait) => {
    expect(waitIn(sentence, now)).toBe(wait)
  })

  test('without a zone is until that time here, within a day', () => {
    const wait = waitIn('limit reached ∙ resets 3pm', now)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(24 * hour)
    expect(new Date(now + (wait ?? 0)).getHours()).toBe(15)
  })
})

describe('a whole answer', () => {
  test.each([
    ['You’ve hit your limit · resets 4am (Asia/Shanghai)', 'agent.rate-limited'],
    ["You've hit your usage limit. Upgrade to Pro, or try again in 3 hours.", 'agent.rate-limited'],
    ['Claude AI usage limit reached|1796064036', 'agent.rate-limited'],
    ['5-hour limit reached ∙ resets 3pm', 'agent.rate-limited'],
    ['Weekly limit reached ∙ resets Wed 10am', 'agent.rate-limited'],
    ['API Error: Rate limit reached', 'agent.rate-limited'],
    ['API Error: 401 {"type":"error"}', 'agent.unauthorized'],
    ['API Error: 529 overloaded_error', 'agent.provider-failed'],
    ['API Error: Connection error.', 'agent.unreachable'],
  ])('%s is no answer but %s', (answer, code) => {
    expect(readNotice(answer, now)?.code).toBe(code)
  })

  test.each([
    '',
    'Your rate limit should be 100 requests a second.',
    'API Error: what should it say?',
    'The CLI says “You’ve hit your limit · resets 4am”, so we must wait.',
    'You’ve hit your limit of patience with this code.\nLet us rewrite it.',
    `You’ve hit your limit ${'and so on '.repeat(40)}`,
  ])('%j is an answer', (answer) => {
    expect(readNotice(answer, now)).toBeNull()
  })
})

test('codex tells of a used-up limit in a sentence, with its wait', () => {
  expect(
    readFailure({ message: "You've hit your usage limit. Try again in 2 hours 5 minutes.", codexErrorInfo: null }),
  ).toMatchObject({ code: 'agent.rate-limited', retryAfterMs: 125 * minute })
})
