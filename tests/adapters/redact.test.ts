import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactor, redactText, secretsOf, type Hidden } from '../../adapters/redact.ts'

const hidden: Hidden = { secrets: ['canary-of-the-environment', 'two words and\na line'], home: '/home/person' }

const samples = [
  'sk-proj-abcdefghijklmnopqrst',
  'sk-ant-api03-AAAABBBBCCCCDDDD1234',
  `ghp_${'a1'.repeat(18)}`,
  'AKIAABCDEFGHIJKLMNOP',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'canary-of-the-environment',
  'two words and\na line',
  'Bearer abcdefghijklmnop',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----',
]

/** What must not be seen of each sample. */
const cores = samples.map((sample) => sample.replace(/^Bearer /, '').replace(/^-----[^\n]*\n|\n-----END.*$/g, ''))

test.each(samples)('%s is hidden', (sample) => {
  const text = redactText(`before ${sample} after`, hidden)
  expect(text).toMatch(/^before .*\[secret\].* after$/s)
  for (const core of cores) expect(text).not.toContain(core)
})

test('no secret can be put together again from the pieces, wherever they were cut', () => {
  const part = fc.oneof(
    fc.constantFrom(...samples),
    fc.constantFrom(' ', '\n', ', ', '"', '=', '(', '한글', 'Bearer ', '-----BEGIN '),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('/home/person/notes', 'https://example.org/a?b=c#d'),
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 10 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 }),
      (parts, sizes) => {
        const text = parts.join(' ')
        const clean = redactor(hidden)
        let out = ''
        let from = 0
        for (const size of sizes) {
          out += clean.push(text.slice(from, from + size))
          from += size
        }
        out += clean.push(text.slice(from)) + clean.end()
        expect(out).toBe(redactText(text, hidden))
        for (const core of cores) expect(out).not.toContain(core)
      },
    ),
    { numRuns: 400 },
  )
})

test('what stands close beside a secret does not bring a part of it to light', () => {
  const odd = ['two words and\na line', 'and\na line of another', 'it is "quoted" here']
  const close: Hidden = { secrets: ['canary-of-the-environment', ...odd], home: '/home/a person' }
  const part = fc.constantFrom(
    ...close.secrets, '/home/a person', '"', 'x', ' ', '\n', '한',
    'two words', 'and', 'Bearer ', '-----BEGIN ', 'it is "',
  )
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), sizes, (parts, cuts) => {
      const text = parts.join('')
      const clean = redactor(close)
      let out = ''
      let from = 0
      for (const size of cuts) {
        out += clean.push(text.slice(from, from + size))
        from += size
      }
      out += clean.push(text.slice(from)) + clean.end()
      for (const secret of close.secrets) expect(out).not.toContain(secret)
    }),
    { numRuns: 2_000 },
  )
})

test('a key longer than any buffer is dropped to its end', () => {
  const clean = redactor(hidden)
  let out = clean.push('the key is sk-live-')
  for (let piece = 0; piece < 5_000; piece += 1) out += clean.push('abcdefghij')
  out += clean.push(' and no more.') + clean.end()
  expect(out).toBe('the key is [secret] and no more.')
})

test('a private key that never ends is dropped to the end', () => {
  const clean = redactor(hidden)
  let out = clean.push('see -----BEGIN PRIVATE KEY-----\n')
  for (let line = 0; line < 2_000; line += 1) out += clean.push(`${'QUJD'.repeat(16)}\n`)
  out += clean.end()
  expect(out).toBe('see [secret]')
})

test('a harmless word longer than any buffer comes out whole', () => {
  const clean = redactor(hidden)
  let out = ''
  for (let piece = 0; piece < 3_000; piece += 1) out += clean.push('0123456789')
  out += clean.end()
  expect(out).toBe('0123456789'.repeat(3_000))
})

describe('what is no secret', () => {
  test.each([
    'https://example.org/path/to?x=1&y=2#part',
    'https://user@host.example/repo.git',
    'task-management and risk-free-desk-work',
    'The bearer of news came.',
    'a -----BEGIN sign, not more',
    'git clone git@github.com:a/b.git',
    'http://127.0.0.1:4100/v1',
  ])('%s survives', (text) => {
    expect(redactText(text, hidden)).toBe(text)
  })

  test('a password in an address does not, but its address does', () => {
    expect(redactText('https://ann:geheim123@host.example/x', hidden)).toBe('https://[secret]@host.example/x')
  })
})

test.each([
  ['/home/person/a.txt', '~/a.txt'],
  ['(/home/person)', '(~)'],
  ['"/home/person"', '"~"'],
  ['/home/persona/a', '/home/persona/a'],
  ['/mnt/home/person/a', '/mnt/home/person/a'],
  ['https://x.example/home/person/a', 'https://x.example/home/person/a'],
])('%s is shown as %s', (text, shown) => {
  expect(redactText(text, hidden)).toBe(shown)
})

test('a pause lets go of the last word, but not of the beginning of a secret', () => {
  const clean = redactor(hidden)
  expect(clean.push('I will run it.') + clean.pause()).toBe('I will run it.')
  expect(clean.push('\n\ntwo words and') + clean.pause()).toBe('\n\n')
  expect(clean.push('\na line, told') + clean.end()).toBe('[secret], told')
})

test('secrets are the values of variables whose names say so, and of those named', () => {
  const env = {
    OPENAI_API_KEY: 'key-0123456789',
    GH_TOKEN: 'tok',
    GIT_AUTHOR_NAME: 'Ann Example',
    KEYBOARD_LAYOUT: 'neo-bone-qwertz',
    XAUTHORITY: '/run/ann/xauthority',
    MY_LOGIN: 'login-0123456789',
    PATH: '/usr/bin:/usr/local',
  }
  expect(secretsOf(env, ['MY_LOGIN'])).toEqual(['key-0123456789', 'login-0123456789'])
})
