import { Processes } from '../../adapters/process.ts'
import { guardLaunches } from '../../adapters/start-guard.ts'

/**
 * A Parley in small, to be killed: `node guarded-host.ts TASK TOKEN PROGRAM ARGUMENTS…`. It launches the program, and
 * stays, or leaves in an orderly way.
 */
const [task = '', token = '', file = '', ...args] = process.argv.slice(2)
const processes = new Processes(guardLaunches())

await processes.launch({
  program: { file, before: [] },
  args,
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
