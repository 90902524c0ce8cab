import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventRedactor } from '../../adapters/redact-events.ts'
import { codeStripper, stripTerminalCodes } from '../../adapters/terminal-codes.ts'
import type { AgentEvent } from '../../shared/agent-event.ts'
import { textOf } from './tapes.ts'

const hidden = {
  // one begins like another, and one holds another
  secrets: ['canary-0123456789', 'canary-0123456789-and-more', 'pass phrase with blanks'],
  home: '/home/person',
}

/** What is heard of these events. */
const hear = (events: readonly AgentEvent[]): AgentEvent[] => {
  const heard: AgentEvent[] = []
  const redactor = eventRedactor(hidden, (event) => heard.push(event))
  for (const event of events) redactor.hear(event)
  redactor.end()
  return heard
}

const spoken = (type: 'text' | 'reasoning', pieces: readonly string[]) =>
  hear(pieces.map((delta) => ({ type, delta })))
    .map((event) => ('delta' in event ? event.delta : ''))
    .join('')

/** A text in two pieces, for every place where it can be cut, and in single characters. */
const everySplit = (text: string): string[][] => [
  ...Array.from({ length: text.length + 1 }, (_, cut) => [text.slice(0, cut), text.slice(cut)]),
  text.split(''),
]

describe.each(['text', 'reasoning'] as const)('in %s that comes in pieces', (type) => {
  test.each([
    ['the key canary-0123456789, yes', 'the key [secret], yes'],
    ['the key canary-0123456789-and-more.', 'the key [secret].'],
    ['a canary-01 is a bird', 'a canary-01 is a bird'],
    ['say "pass phrase with blanks" twice', 'say "[secret]" twice'],
    ['a pass phrase with thanks', 'a pass phrase with thanks'],
    ['sk-ant-api03-AAAABBBBCCCCDDDD1234 and Bearer abcdefghijklmnop', '[secret] and Bearer [secret]'],
    ['{"authorization":"Bearer abcdefghijklmnop","x":1}', '{"authorization":"Bearer [secret]","x":1}'],
    ['(pass phrase with blanks)pass phrase with blanks', '([secret])[secret]'],
    ['see https://example.org/path/to?x=1&y=2#part now', 'see https://example.org/path/to?x=1&y=2#part now'],
    ['https://ann:geheim123@host.example/x', 'https://[secret]@host.example/x'],
    ['in /home/person/notes.txt and /home/persona', 'in ~/notes.txt and /home/persona'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY----- done', '[secret] done'],
    ['painted canary-01\u001b[1;31m23456789\u001b[0m key', 'painted [secret] key'],
    ['titled canary-\u001b]0;busy\u00070123456789 key', 'titled [secret] key'],
  ])('%j is shown as %j, however it is cut', (text, shown) => {
    for (const pieces of everySplit(text)) expect(spoken(type, pieces)).toBe(shown)
  })
})

test('a final text that replaces the pieces is cleaned as a whole, and nothing held back follows it', () => {
  const heard = hear([
    { type: 'text', delta: 'the key is canary-0123' },
    { type: 'textReplaced', text: 'the key is canary-0123456789' },
    { type: 'text', delta: ' and that is all' },
  ])
  expect(textOf(heard)).toBe('the key is [secret] and that is all')
})

test('a secret is in none of the words of any event', () => {
  const [secret = ''] = hidden.secrets
  const said = `\u001b[1m${secret}\u001b[0m in /home/person/x`
  const failure = { code: 'agent.crashed', message: said, params: { said } } as const
  const heard = hear([
    { type: 'tool', tool: { toolId: 't', kind: 'execute', title: said, status: 'done', detail: said } },
    { type: 'plan', entries: [{ title: said, status: 'pending' }] },
    { type: 'retrying', attempt: 1, max: 2, delayMs: null, failure },
    { type: 'warning', text: said },
    { type: 'omitted', what: said, bytes: 1, sha256: null },
    {
      type: 'asked',
      request: { requestId: 'q1', toolId: 't', kind: 'execute', title: said, detail: said, reason: said },
    },
  ])
  expect(heard).toHaveLength(6)
  const whole = JSON.stringify(heard)
  expect(whole).not.toMatch(/canary-|\/home\/person|\\u001b/)
  expect(whole.match(/\[secret\] in ~\/x/g)).toHaveLength(10)
})

test('ids of somebody else’s that are too long stay apart', () => {
  const tool = { kind: 'other', title: 'x', status: 'running', detail: null } as const
  const ids = ['a', 'b'].map((end) => `${'x'.repeat(300)}${end}`)
  const heard = hear(ids.map((toolId) => ({ type: 'tool', tool: { toolId, ...tool } })))
  const shown = heard.map((event) => (event.type === 'tool' ? event.tool.toolId : ''))
  expect(new Set(shown).size).toBe(2)
  for (const id of shown) expect(id.length).toBeLessThanOrEqual(200)
})

test('terminal codes are taken out the same, however a text is cut', () => {
  const part = fc.constantFrom(
    'a', 'word ', '\n', '\t', '\u001b', '[', ']', '0;1',
    'm', '\u0007', '\\', '\u009b', 'P', '(B', '\u0000', '\ufeff',
  )
  const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), sizes, (parts, cuts) => {
      const text = parts.join('')
      const stripper = codeStripper()
      let out = ''
      let from = 0
      for (const size of cuts) {
        out += stripper.push(text.slice(from, from + size))
        from += size
      }
      out += stripper.push(text.slice(from)) + stripper.end()
      expect(out).toBe(stripTerminalCodes(text))
    }),
    { numRuns: 2_000 },
  )
})

const torn = ['\u001b]m\u001b[', '\u001b]P\u001b]a', '\u001bP\t\u001b(BP', '\u001b]0;t\u001b']

test.each(torn)('%j is no exception', (text) => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const stripper = codeStripper()
    const out = stripper.push(text.slice(0, cut)) + stripper.push(text.slice(cut)) + stripper.end()
    expect(out).toBe(stripTerminalCodes(text))
  }
})

test('a title that never ends swallows no more than its line', () => {
  expect(stripTerminalCodes('before \u001b]0;no end\nafter')).toBe('before \nafter')
  const stripper = codeStripper()
  expect(stripper.push(`\u001b]0;${'x'.repeat(5_000)}`)).toContain('x'.repeat(5_000))
})
