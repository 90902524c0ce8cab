import { startOutside } from './process.ts'

interface OtherProgram {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** Lends this terminal to another program until that ends; gives its exit code, `null` where it did not start. */
export const handOver = async ({ file, args, env }: OtherProgram): Promise<number | null> => {
  const child = startOutside(file, args, { env, stdio: 'inherit' })
  // Ctrl+C reaches both of us; the other program decides what it means
  const ignore = () => {}
  const passOn = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', passOn)
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', (exitCode) => resolve(exitCode ?? killedCode)).once('error', () => resolve(null))
  })
  process.off('SIGINT', ignore).off('SIGTERM', passOn)
  return code
}

/** What shells give for a program that a signal ended. */
const killedCode = 128

/** Starts a program of the desktop that goes on without us; gives whether it started and did not fail at once. */
export const startApart = async ({ file, args, env }: OtherProgram, failsWithinMs: number): Promise<boolean> => {
  const child = startOutside(file, args, { env, stdio: 'ignore', detached: true })
  const outcome = Promise.withResolvers<boolean>()
  child.once('exit', (code) => outcome.resolve(code === 0)).once('error', () => outcome.resolve(false))
  const stays = setTimeout(() => outcome.resolve(true), failsWithinMs)
  const started = await outcome.promise
  clearTimeout(stays)
  child.unref()
  return started
}
