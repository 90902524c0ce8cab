import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

/**
 * A program that takes its task on stdin and prints its answer: `node one-shot-program.ts WHAT [more]`. What it prints
 * is data of the test: `print:<JSON string>` and so on, in order, each after the whole of stdin has been read.
 */
type Step = (rest: string) => void | Promise<void>

const steps: Record<string, Step> = {
  /** Prints its task exactly as it came. */
  echo: async () => write(await task()),
  /** Prints what it was given, as JSON. */
  report: async () => {
    const given = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), stdin: await task() }
    return write(JSON.stringify(given))
  },
  read: async () => void (await task()),
  print: (rest) => write(JSON.parse(`"${rest}"`) as string),
  complain: (rest) => void process.stderr.write(rest),
  /** So many mebibytes without a line break. */
  flood: async (rest) => {
    const mebibyte = 'x'.repeat(1_024 * 1_024)
    for (let count = 0; count < Number(rest); count += 1) await write(mebibyte)
  },
  /** So many mebibytes in lines of a kibibyte. */
  lines: async (rest) => {
    for (let count = 0; count < Number(rest) * 1_024; count += 1) await write(`${'x'.repeat(1_023)}\n`)
  },
  exit: (rest) => process.exit(Number(rest)),
  /** Never ends, and heeds no SIGTERM; neither does its child. */
  stubborn: () => {
    process.on('SIGTERM', () => {})
    spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); ${forEver}`], { stdio: 'ignore' })
    return hang()
  },
  hang: () => hang(),
  /** Ends at once, and leaves its stdout to a child that has the last word, without a line break. */
  heir: (rest) => {
    const script = `setTimeout(() => process.stdout.write(${JSON.stringify(rest)}), 300)`
    spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'ignore'], detached: true })
    process.exit(0)
  },
  /** Notes in a file that it was started. */
  note: (rest) => appendFileSync(rest, 'started\n'),
}

const forEver = 'setInterval(() => {}, 1000)'
const hang = () => {
  setInterval(() => {}, 1_000)
  return Promise.withResolvers<never>().promise
}

let taken: Promise<string> | null = null
const task = () => (taken ??= text(process.stdin))

const write = (what: string) =>
  new Promise<void>((done) => {
    process.stdout.write(what, () => done())
  })

for (const step of process.argv.slice(2)) {
  const [verb = ''] = step.split(':', 1)
  await steps[verb]?.(step.slice(verb.length + 1))
}
