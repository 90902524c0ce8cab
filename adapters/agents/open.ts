import { AppError, type Failure } from '../../shared/errors.ts'
import { launchMs as usualLaunchMs } from '../../shared/limits.ts'
import type { LineHearer } from '../lines.ts'
import type { AgentSession, OpenSession } from '../ports.ts'
import type { LiveProcess } from '../live-process.ts'
import type { Processes } from '../process.ts'
import { redactText, type Hidden } from '../redact.ts'
import { cleanFailure } from '../redact-events.ts'
import { failureOf } from './failures.ts'

interface Opening {
  processes: Processes
  request: OpenSession
  args: readonly string[]
  env: Readonly<Record<string, string>>
  hidden: Hidden
  session: AgentSession & {
    lines: LineHearer
    open(process: LiveProcess): Promise<void>
    /** What was printed instead of the protocol. */
    readonly noise: string
  }
  launchMs: number | undefined
  signal: AbortSignal
}

/** Starts the process and opens the session in it, or leaves nothing alive and throws why. */
export const openOrEnd = async (opening: Opening): Promise<AgentSession> => {
  const { processes, request, args, env, hidden, session, signal } = opening
  if (signal.aborted) throw new AppError('agent.cancelled', 'The start was called off.')
  const process = await processes.launch({
    program: request.program,
    args,
    cwd: request.cwd,
    env,
    token: request.token,
    redact: (text) => redactText(text, hidden),
    hear: session.lines,
  })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(errorOf(failureOf('agent.first-byte-late', session.noise))),
    opening.launchMs ?? usualLaunchMs,
  )
  const abort = () => late.reject(errorOf({ code: 'agent.cancelled', message: 'The start was called off.' }))
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([session.open(process), late.promise])
    return session
  } catch (error) {
    process.kill()
    await process.gone
    throw error instanceof AppError
      ? cleanError(error, hidden)
      : new AppError('agent.garbled', 'The agent could not be understood.', { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

const errorOf = ({ code, message, params }: Failure) => new AppError(code, message, { params })

const cleanError = (error: AppError, hidden: Hidden) => {
  const { message, params } = cleanFailure(
    { code: error.code, message: error.message, ...(error.params ? { params: error.params } : {}) },
    hidden,
  )
  return new AppError(error.code, message, { cause: error.cause, params })
}
