import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * A real child process that plays a recorded conversation: `node tape-agent.ts TAPE [agent's own arguments]`.
 *
 * A tape is JSON lines. `{"dir":"->","msg":…}` waits for the next line of the client, `{"dir":"<-","msg":…}` is
 * printed.
 * Ids that the client chose otherwise than on the tape are put in their places, and the client's whole line where a
 * message says the word under which it was to be remembered: `{"dir":"->","msg":{"remember":"WORD"}}`. Besides, a
 * tape may say `{"do":"print","text":…}` (as it is), `{"do":"wait","ms":…}`, `{"do":"read-all"}` (its input to the
 * end), `{"do":"hang"}`, `{"do":"exit","code":…}`, `{"do":"complain","text":…}` (to stderr).
 * At the end of the tape it waits for the end of its input, as the real ones do.
 */
interface Message {
  request_id?: string
  session_id?: string
  code?: number
  remember?: string
}

interface Entry {
  dir?: '->' | '<-' | 'exit'
  msg?: Message
  do?: 'print' | 'wait' | 'read-all' | 'hang' | 'exit' | 'complain'
  text?: string
  ms?: number
  code?: number
}

const [tapeFile = '', ...args] = process.argv.slice(2)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const places = new Map<string, string>()

for (const entry of readTape(tapeFile)) await play(entry)
await readAll()

async function play(entry: Entry) {
  if (entry.dir === '->') return learn(entry.msg, await nextLine())
  if (entry.dir === '<-') return print(`${JSON.stringify(entry.msg)}\n`)
  if (entry.do === 'print') return print(entry.text ?? '')
  if (entry.do === 'wait') return pause(entry.ms ?? 0)
  if (entry.do === 'read-all') return readAll()
  if (entry.do === 'hang') return pause(600_000)
  if (entry.do === 'complain') return void process.stderr.write(entry.text ?? '')
  if (entry.do === 'exit') process.exit(entry.code ?? 0)
}

function readTape(file: string): Entry[] {
  const tape = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
  const session = tape.map((entry) => entry.msg?.session_id).find((id) => id)
  const wanted = args[args.findIndex((arg) => arg === '--session-id' || arg === '--resume') + 1]
  if (session && wanted && args.length > 1) places.set(session, wanted)
  return tape.filter((entry) => entry.dir !== 'exit')
}

/** Where the client's line differs from the tape's in an id, later lines must say the client's. */
function learn(taped: Message | undefined, line: string) {
  const said = JSON.parse(line) as Message
  // within a text of a message it must be escaped
  if (taped?.remember) places.set(taped.remember, JSON.stringify(line).slice(1, -1))
  if (taped?.request_id && said.request_id) places.set(taped.request_id, said.request_id)
}

async function nextLine(): Promise<string> {
  const { value, done } = await lines.next()
  if (done) process.exit(0)
  return value
}

async function readAll() {
  let line = await lines.next()
  while (!line.done) line = await lines.next()
}

function print(text: string) {
  for (const [taped, actual] of places) text = text.replaceAll(taped, actual)
  process.stdout.write(text)
}

function pause(milliseconds: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
