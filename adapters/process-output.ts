import type { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { drainAfterExitMs, probeOutputMaxBytes } from '../shared/limits.ts'

interface Printing extends EventEmitter {
  readonly stdout: Readable
  readonly stderr: Readable
}

/** Settles on exit and on close of its pipes, but waits only so long for a pipe that a child of it has inherited. */
export const drain = async (child: Printing) => {
  const closed = new Promise((resolve) => {
    child.once('close', resolve)
  })
  const exit = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }))
  })
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, drainAfterExitMs)
  await Promise.race([closed, late.promise])
  clearTimeout(timer)
  child.stdout.destroy()
  child.stderr.destroy()
  return exit
}

/** Keeps a bounded beginning of what is printed, and says it when asked. */
export const headOf = (stream: Readable) => {
  const kept: Buffer[] = []
  let bytes = 0
  stream.on('data', (piece: Buffer) => {
    if (bytes < probeOutputMaxBytes) kept.push(piece)
    bytes += piece.length
  })
  return () => Buffer.concat(kept).subarray(0, probeOutputMaxBytes).toString('utf8')
}
