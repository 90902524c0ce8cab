import { LineReader } from '../../adapters/lines.ts'
import { Processes } from '../../adapters/process.ts'

/**
 * Reads a line that never ends, and prints how much memory that took at its highest: `node endless-line.ts process`
 * from a program that would print two gigabytes, `node endless-line.ts reader` two gigabytes from nowhere.
 */
const twoGigabytes = 2 * 1_024 ** 3
const pieceBytes = 65_536
let omitted = 0
const hear = { line: () => {}, omitted: ({ bytes }: { bytes: number }) => void (omitted = bytes) }

const before = process.memoryUsage().rss
let code = ''
if (process.argv[2] === 'process') {
  const live = await new Processes().launch({
    program: { file: '/bin/sh', before: [] },
    args: ['-c', `head -c ${twoGigabytes} /dev/zero | tr '\\0' x`],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    token: `endless-${crypto.randomUUID()}`,
    redact: (text) => text,
    hear,
  })
  await live.gone
  code = live.cause?.code ?? ''
} else {
  const reader = new LineReader(hear)
  const piece = Buffer.alloc(pieceBytes, 'x')
  for (let bytes = 0; bytes < twoGigabytes; bytes += pieceBytes) reader.push(piece)
  reader.end()
}
const grown = process.resourceUsage().maxRSS * 1_024 - before
console.log(JSON.stringify({ grownMegabytes: Math.round(grown / 1_024 ** 2), omitted, code }))
