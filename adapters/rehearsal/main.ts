import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { Persona } from '../../shared/agent.ts'
import { rehearsalAgent } from './agent.ts'
import { paceVariable } from './identity.ts'

const persona = Persona.safeParse(process.argv[2])
if (!persona.success) {
  process.stderr.write(`Say which persona to rehearse: ${Persona.options.join(', ')}.\n`)
  process.exit(2)
}

let isDeaf = false

const turnDeaf = () => {
  isDeaf = true
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.stdout.on('error', () => {})
  setInterval(() => {}, 60_000)
}

const pace = Number(process.env[paceVariable] ?? 1)
const app = rehearsalAgent({ persona: persona.data, pace: Number.isFinite(pace) && pace >= 0 ? pace : 1, turnDeaf })
const output = Writable.toWeb(process.stdout)
// the first type is Node's own of the same stream
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
const connection = app.connect(ndJsonStream(output, input))

await connection.closed.catch(() => {})
if (!isDeaf) process.exit(0)
