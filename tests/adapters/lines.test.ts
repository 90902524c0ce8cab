import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader, readJson, Tail, type Omitted } from '../../adapters/lines.ts'
import { plainLine, stripTerminalCodes } from '../../adapters/terminal-codes.ts'

const listen = (maxBytes?: number) => {
  const lines: string[] = []
  const omitted: Omitted[] = []
  const reader = new LineReader({ line: (text) => lines.push(text), omitted: (line) => omitted.push(line) }, maxBytes)
  return { reader, lines, omitted }
}

test('a text of several scripts is the same wherever its bytes are cut', () => {
  const text = '한글 中文 😀 ü\n{"a":"é"}\nthe last line has no end 🏁'
  const bytes = Buffer.from(text)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { reader, lines } = listen()
    reader.push(bytes.subarray(0, cut))
    reader.push(bytes.subarray(cut))
    reader.end()
    expect(lines.join('\n')).toBe(text)
  }
})

test('lines come out as they went in, however many pieces they came in', () => {
  const line = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', ' ').toWellFormed())
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 30 }), (all, sizes) => {
      const { reader, lines } = listen()
      let rest = Buffer.from(all.map((each) => `${each}\n`).join(''))
      for (const size of sizes) {
        reader.push(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
      reader.push(rest)
      reader.end()
      expect(lines).toEqual(all)
    }),
  )
})

test('a line that is too long is told by size and hash, and the next one is read', () => {
  const { reader, lines, omitted } = listen(100)
  const long = Buffer.alloc(5_000, 'x')
  reader.push(Buffer.concat([Buffer.from('first\n'), long]))
  reader.push(Buffer.from('\nlast\n'))
  expect(lines).toEqual(['first', 'last'])
  expect(omitted).toEqual([{ bytes: 5_000, sha256: createHash('sha256').update(long).digest('hex') }])
})

test('a line of exactly the greatest length is kept, and one byte more is not', () => {
  const { reader, lines, omitted } = listen(10)
  reader.push(Buffer.from(`${'a'.repeat(10)}\n${'b'.repeat(11)}\n`))
  expect([lines, omitted.map(({ bytes }) => bytes)]).toEqual([['a'.repeat(10)], [11]])
})

test('a stream without any line end never fills the memory', () => {
  const { reader, omitted } = listen(1_024)
  const piece = Buffer.alloc(65_536, 'y')
  const before = process.memoryUsage().arrayBuffers
  for (let pieces = 0; pieces < 4_000; pieces += 1) reader.push(piece)
  const grown = process.memoryUsage().arrayBuffers - before
  reader.end()
  expect(omitted.map(({ bytes }) => bytes)).toEqual([4_000 * 65_536])
  expect(grown).toBeLessThan(8 * 1_024 * 1_024)
})

test('an unterminated last line is delivered once', () => {
  const { reader, lines } = listen()
  reader.push(Buffer.from('{"final":true}'))
  reader.end()
  reader.end()
  expect(lines).toEqual(['{"final":true}'])
})

test.each([
  ['a byte order mark', '\ufeff{"a":1}'],
  ['colours', '\u001b[1;31m{"a":1}\u001b[0m'],
  ['a window title', '\u001b]0;working…\u0007{"a":1}'],
  ['progress on the same line', 'loading 10%\rloading 90%\r{"a":1}'],
  ['NUL', '\u0000{"a":1}\u0000'],
  ['a carriage return at its end', '{"a":1}\r'],
])('a message is read in spite of %s', (_, line) => {
  expect(readJson(line)).toEqual({ a: 1 })
})

test.each(['Loaded cached credentials.', '', '{"half":', '[1, 2]', '42', 'null'])('%j is no message', (line) => {
  expect(readJson(line)).toBeUndefined()
})

test('text that moves no cursor keeps its lines and tabs', () => {
  expect(stripTerminalCodes('a\tb\n\u001b[2Jc\u0007\u009b31md')).toBe('a\tb\ncd')
  expect(plainLine('  \u001b[32mok\u001b[0m ')).toBe('ok')
})

test('the tail of a stream keeps its last bytes and no half character', () => {
  const tail = new Tail(10)
  tail.push(Buffer.from('the beginning is gone '))
  tail.push(Buffer.from('😀😀😀'))
  expect(tail.text()).toBe('😀😀')
})
