import { describe, expect, test } from 'vitest'
import { readableLines, readIntegrity, readNpmFailure, tellsOfPackage } from '../../../adapters/installer/npm-output.ts'

const hash = `sha512-${'a'.repeat(86)}==`

test('one hash in JSON is the integrity of a package', () => {
  expect(readIntegrity(`${JSON.stringify(hash)}\n`)).toBe(hash)
})

test.each(['', hash, '{}', 'null', '[]', JSON.stringify(`${hash} ${hash}`), '"sha256-abc="', '"sha512-short=="'])(
  'nothing else is: %s',
  (stdout) => {
    expect(() => readIntegrity(stdout)).toThrow(expect.objectContaining({ code: 'install.unverified' }))
  },
)

describe('a failure of npm', () => {
  test.each([
    ['{"error":{"code":"ENOTFOUND"}}', '', 'install.unreachable'],
    ['', 'npm error code ECONNREFUSED\nnpm error errno ECONNREFUSED', 'install.unreachable'],
    ['', 'npm ERR! code ETIMEDOUT', 'install.unreachable'],
    ['', 'npm error code SELF_SIGNED_CERT_IN_CHAIN', 'install.unreachable'],
    ['', 'npm error code E503', 'install.unreachable'],
    ['', 'npm error code E404', 'install.npm-failed'],
    ['', 'npm error code EINTEGRITY', 'install.npm-failed'],
    ['', 'Segmentation fault', 'install.npm-failed'],
  ])('%s %s is %s', (stdout, stderr, code) => {
    expect(readNpmFailure(stdout, stderr).code).toBe(code)
  })

  test('is told with the code that npm gave, if it is a word', () => {
    expect(readNpmFailure('', 'npm error code EACCES').params).toEqual({ code: 'EACCES' })
    expect(readNpmFailure('{"error":{"code":"a path /x/y"}}', '').params).toBeUndefined()
  })
})

test.each([
  ['npm http fetch GET 200 https://packages.example/a/-/a-1.0.0.tgz 61ms (cache miss)', true],
  ['npm http fetch GET 200 https://packages.example/a 61ms (cache miss)', false],
  ['npm http fetch GET 404 https://packages.example/a/-/a-1.0.0.tgz 61ms', false],
  ['added 2 packages in 9s', false],
])('%s tells of a package: %s', (line, tells) => {
  expect(tellsOfPackage(line)).toBe(tells)
})

test('a secret that comes in two pieces is not read, nor is what paints a terminal', () => {
  const lines: string[] = []
  const reader = readableLines({ secrets: ['hunter2-hunter2'], home: '/home/ann' }, (line) => lines.push(line))
  reader.push(Buffer.from('\x1b[32mkey hunter2-'))
  reader.push(Buffer.from('hunter2\x1b[0m in /home/ann/x\n\n  \n'))
  reader.push(Buffer.from('the end'))
  reader.end()
  expect(lines).toEqual(['key [secret] in ~/x', 'the end'])
})
