import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { Interrupts } from '../../../electron/shells/terminal/interrupts.ts'
import { openScreen } from '../../../electron/shells/terminal/screen.ts'

const sitAt = () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const interrupts = new Interrupts()
  const screen = openScreen({ input, output, colour: false, interrupts })
  return { input, screen, interrupts, printed: () => String(output.read() ?? '') }
}
const never = () => new AbortController().signal

test('a typed line is the answer', async () => {
  const { input, screen } = sitAt()
  const answer = screen.ask('Your answer: ', never())
  input.write('2\n')
  expect(await answer).toBe('2')
})

test('two questions in a row each get their own line', async () => {
  const { input, screen } = sitAt()
  const first = screen.ask('First: ', never())
  input.write('one\n')
  expect(await first).toBe('one')
  const second = screen.ask('Second: ', never())
  input.write('two\n')
  expect(await second).toBe('two')
})

test('the end of the input is no answer', async () => {
  const { input, screen } = sitAt()
  const answer = screen.ask('Your answer: ', never())
  input.end()
  expect(await answer).toBeNull()
})

test('a question that is taken back is no answer, nor is one taken back before it was asked', async () => {
  const { screen } = sitAt()
  const question = new AbortController()
  const answer = screen.ask('Your answer: ', question.signal)
  question.abort()
  expect(await answer).toBeNull()
  expect(await screen.ask('Again: ', question.signal)).toBeNull()
})

test('lines that come while a question stands are printed above it', async () => {
  const { input, screen, printed } = sitAt()
  const answer = screen.ask('Your answer: ', never())
  printed()
  screen.say('somebody speaks')
  expect(printed()).toMatch(/^\r\u001b\[Ksomebody speaks\n.*Your answer: /s)
  input.write('1\n')
  await answer
  screen.say('later')
  expect(printed()).toMatch(/later\n$/)
})

test('outline lines are indented under their clock', () => {
  const { screen, printed } = sitAt()
  screen.show([{ sinceMs: 61_000, depth: 2, tone: 'good', text: '✓ done' }])
  expect(printed()).toBe('  1:01      ✓ done\n')
})
