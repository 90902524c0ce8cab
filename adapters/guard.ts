import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { reapBy, type Leftover } from './process-sweep.ts'

/**
 * A program of its own: it reads which launches live, one line each, and ends them when its input ends before it was
 * told that they are gone. That happens only when Parley was killed, since an orderly end ends them first.
 */
const patienceMs = 500
const watched = new Map<string, Leftover>()

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, token = '', pid, startTime = ''] = line.split(' ')
  if (verb === 'watch') watched.set(token, { token, pid: Number(pid), startTime: decodeURIComponent(startTime) })
  if (verb === 'forget') watched.delete(token)
}
if (watched.size > 0) await endWatched([...watched.values()])

async function endWatched(left: readonly Leftover[]) {
  signalGroups(left, 'SIGTERM')
  await after(patienceMs)
  signalGroups(left, 'SIGKILL')
  // who has left its group is found by its marker, where the system can tell
  if (process.platform === 'linux') await reapBy(left, () => Promise.resolve(''))
}

function signalGroups(left: readonly Leftover[], signal: NodeJS.Signals) {
  for (const { pid } of left) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      // it is gone already
    }
  }
}
