import { Processes } from '../../adapters/process.ts'
import { guardLaunches } from '../../adapters/start-guard.ts'

/** A Parley in small, to be killed: it launches a tree that heeds nothing, and stays, or leaves in an orderly way. */
const [task = '', token = ''] = process.argv.slice(2)
const processes = new Processes(guardLaunches())
const endless = 'while :; do sleep 1; done'

await processes.launch({
  program: { file: '/bin/sh', before: [] },
  args: ['-c', task === 'stay' ? `trap '' TERM; setsid sh -c "trap '' TERM; ${endless}" & ${endless}` : 'cat'],
  cwd: '/',
  env: { PATH: process.env.PATH ?? '' },
  token,
  redact: (text) => text,
  hear: { line: () => {}, omitted: () => {} },
})
if (task === 'leave') await processes.endAll()
else {
  console.log('up')
  setInterval(() => {}, 1_000)
}
