import { expect, test } from 'vitest'
import { handOver, startApart } from '../../adapters/other-programs.ts'

const node = (script: string) => ({ file: process.execPath, args: ['-e', script], env: {} })
const missing = { file: '/nowhere/program', args: [], env: {} }

test.each([
  ['its exit code', 7, node('process.exit(7)')],
  ['128 when a signal ended it', 128, node(`process.kill(process.pid, 'SIGKILL')`)],
  ['null when it did not start', null, missing],
])('a program that the terminal is lent to gives %s', async (_what, code, program) => {
  expect(await handOver(program)).toBe(code)
})

test('the wish to end is passed on to the program that has the terminal, and no listener stays', async () => {
  const before = process.listeners('SIGTERM')
  const end = handOver(node(`setInterval(() => {}, 1_000)`))
  // only the new listener: others in this process may take the signal at its word
  const [added] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener))
  added?.('SIGTERM')
  expect({ code: await end, left: process.listenerCount('SIGTERM') - before.length }).toEqual({ code: 128, left: 0 })
})

test.each([
  ['stays', true, node('setTimeout(() => {}, 400)')],
  ['ends well at once', true, node('')],
  ['fails at once', false, node('process.exit(3)')],
  ['is not there', false, missing],
])('a program of the desktop that %s has started: %s', async (_what, started, program) => {
  expect(await startApart(program, 300)).toBe(started)
})
