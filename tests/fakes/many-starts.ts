import { readdirSync } from 'node:fs'
import { Processes } from '../../adapters/process.ts'
import { carriersOf, listProcesses } from '../../adapters/process-tree.ts'

/**
 * Starts and stops trivial programs in batches, each in one of the ways in which a launch can end, and prints what is
 * open and alive before and after: `node many-starts.ts COUNT`.
 */
const count = Number(process.argv[2])
const batch = 50
const processes = new Processes()
const tokens = new Set<string>()
const quiet = { line: () => {}, omitted: () => {} }

const start = async (index: number) => {
  const token = `starts-${crypto.randomUUID()}`
  tokens.add(token)
  const live = await processes.launch({
    program: { file: index % 5 === 4 ? '/bin/false' : '/bin/cat', before: [] },
    args: [],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    token,
    redact: (text) => text,
    hear: quiet,
  })
  if (index % 5 === 3) live.kill()
  else if (index % 5 < 3) await live.end()
  await live.gone
}

const descriptors = () => readdirSync('/proc/self/fd').length
const failing = () =>
  processes
    .launch({
      program: { file: '/no/such', before: [] },
      args: [],
      cwd: '/',
      env: {},
      token: 'x',
      redact: String,
      hear: quiet,
    })
    .catch(() => null)

// what node opens once is no leak
await start(0)
const before = descriptors()
for (let index = 0; index < count; index += batch) {
  await Promise.all(Array.from({ length: batch }, (_, each) => start(index + each)))
  await failing()
}
const alive = (await carriersOf(tokens, await listProcesses(async () => ''))).length
console.log(JSON.stringify({ started: tokens.size, before, after: descriptors(), alive, live: processes.live.length }))
