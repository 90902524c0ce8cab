import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dialectOf, type Line } from './dialects.ts'
import { Input } from './input.ts'
import type { Act, Deed, TapeEntry, Turn } from './tape.ts'

/**
 * A real child process that plays a tape: `node tape-agent.ts TAPE [agent's own arguments]`, where TAPE is a file of
 * JSON lines, or a JSON list itself. See `tape.ts` for what a tape may say.
 *
 * Ids that the client chose otherwise than on a recorded tape are put in their places, and the client's whole line
 * where a message says the word under which it was remembered: `{"dir":"->","msg":{"remember":"WORD"}}`. At the
 * end of the tape it waits for the end of its input, as the real ones do.
 */
interface Message {
  request_id?: string
  session_id?: string
  remember?: string
}

const heeds: Turn = [{ act: 'end', as: 'cancelled' }]
const [tapeName = '', ...args] = process.argv.slice(2)
const chosenSession = args[args.findIndex((arg) => arg === '--session-id' || arg === '--resume') + 1] ?? ''
let promptCharacters = 0
const input = new Input(process.stdin)
const places = new Map<string, string>()

for (const entry of readTape(tapeName)) await play(entry)
await input.end

async function play(entry: TapeEntry): Promise<void> {
  if ('do' in entry) return doIt(entry)
  if (entry.dir === '<-') return print(`${JSON.stringify(entry.msg)}\n`)
  const line = await input.line()
  if (line === null) process.exit(0)
  learn(entry.msg as Message | undefined, line)
}

async function doIt(deed: Deed): Promise<void> {
  switch (deed.do) {
    case 'print':
      return printPieces(deed.base64 ? Buffer.from(deed.base64, 'base64') : Buffer.from(deed.text ?? ''), deed)
    case 'complain':
      return write(Buffer.from(deed.text), 'stderr')
    case 'flood': {
      const bytes = Buffer.from(deed.text)
      for (let time = 0; time < deed.times; time += 1) await write(bytes, deed.to)
      return
    }
    case 'wait':
      return pause(deed.ms)
    case 'read':
      return input.bytes(deed.bytes)
    case 'read-all':
      return input.end
    case 'hang':
      return pause(600_000)
    case 'ignore':
      return void process.on(deed.signal, () => undefined)
    case 'spawn':
      return start(deed.how, deed.tape)
    case 'scribble':
      return void setInterval(() => appendFileSync(deed.file, 'x'), deed.everyMs)
    case 'report':
      return writeFileSync(deed.file, JSON.stringify({ args, env: process.env, cwd: process.cwd(), promptCharacters }))
    case 'refresh':
      return refresh(deed.file, deed.takesMs)
    case 'serve':
      return serve(deed)
    case 'exit':
      return process.exit(deed.code)
    case 'die':
      process.kill(process.pid, deed.signal)
      return pause(600_000)
  }
}

/** Answers at once, and goes on with a turn meanwhile; a turn that is called off plays no further. */
async function serve({ dialect: name, turns, stopped = heeds }: Deed & { do: 'serve' }): Promise<void> {
  const dialect = dialectOf(name, chosenSession)
  const tell = async (act: Act) => {
    for (const message of dialect.tell(act)) await print(`${JSON.stringify(message)}\n`)
  }
  let turn = 0
  let calledOff = { yes: false }
  const speak = async (acts: Turn, off: { yes: boolean }) => {
    for (const act of acts) {
      if (off.yes) return
      await ('act' in act ? tell(act) : doIt(act))
    }
  }
  for (;;) {
    const line = await input.line()
    if (line === null) return
    const wish = dialect.read(JSON.parse(line) as Line)
    if ('reply' in wish && wish.reply) await print(`${JSON.stringify(wish.reply)}\n`)
    if (wish.kind === 'cancel') {
      calledOff.yes = true
      await speak(stopped, { yes: false })
    }
    if (wish.kind !== 'prompt') continue
    calledOff = { yes: false }
    promptCharacters = wish.text.length
    void speak(turns[Math.min(turn, turns.length - 1)] ?? [], calledOff)
    turn += 1
  }
}

function start(how: 'child' | 'setsid' | 'double-fork', tape: readonly TapeEntry[]): void {
  // an orphan is who is left by a parent that starts it and ends
  const played = how === 'double-fork' ? [{ do: 'spawn', how: 'setsid', tape }, { do: 'exit', code: 0 }] : tape
  const self = fileURLToPath(import.meta.url)
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', self, JSON.stringify(played)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: how !== 'child',
  }).unref()
}

/** A token is good once: two who read the same one cannot both spend it. */
async function refresh(file: string, takesMs: number): Promise<void> {
  const token = readFileSync(file, 'utf8')
  await pause(takesMs)
  if (existsSync(`${file}.${token}`)) return doIt({ do: 'exit', code: 77 })
  writeFileSync(`${file}.${token}`, '')
  writeFileSync(file, String(Number(token) + 1))
}

function readTape(name: string): TapeEntry[] {
  if (name.startsWith('[')) return JSON.parse(name) as TapeEntry[]
  const tape = readFileSync(name, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TapeEntry)
  const session = tape.map((entry) => ('msg' in entry ? (entry.msg as Message).session_id : undefined)).find(Boolean)
  if (session && chosenSession && args.length > 1) places.set(session, chosenSession)
  return tape.filter((entry) => 'do' in entry || entry.dir === '->' || entry.dir === '<-')
}

/** Where the client's line differs from the tape's in an id, later lines must say the client's. */
function learn(taped: Message | undefined, line: string) {
  const said = JSON.parse(line) as Message
  // within a text of a message it must be escaped
  if (taped?.remember) places.set(taped.remember, JSON.stringify(line).slice(1, -1))
  if (taped?.request_id && said.request_id) places.set(taped.request_id, said.request_id)
}

async function print(text: string) {
  let said = text
  for (const [taped, actual] of places) said = said.replaceAll(taped, actual)
  await write(Buffer.from(said))
}

async function printPieces(bytes: Buffer, { to, every = bytes.length }: { to?: 'stdout' | 'stderr'; every?: number }) {
  for (let from = 0; from < bytes.length; from += every) await write(bytes.subarray(from, from + every), to)
}

/** Resolves once the system has taken it, so that nothing is piled up here and every write is one of its own. */
function write(bytes: Buffer, to: 'stdout' | 'stderr' = 'stdout') {
  return new Promise<void>((resolve) => {
    process[to].write(bytes, () => resolve())
  })
}

function pause(milliseconds: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
