import { methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import { AppError, toFailure, type Failure } from '../../../shared/errors.ts'
import type { OpenSession } from '../../ports.ts'
import { launchWithFiles } from '../../private-files.ts'
import type { LiveProcess } from '../../live-process.ts'
import type { Processes } from '../../process.ts'
import { cleanFailure } from '../../redact-events.ts'
import { redactText, type Hidden } from '../../redact.ts'
import type { AcpAgent, AcpClocks } from './agent.ts'
import type { Surroundings } from './environment.ts'
import { failureOf } from '../failures.ts'
import { failureOfRequest } from './failures.ts'
import { SessionOffer, settleSession } from './mode.ts'
import { AcpSession } from './session.ts'
import { AcpWire } from './wire.ts'

interface Opening {
  agent: AcpAgent
  processes: Pick<Processes, 'launch'>
  clocks: AcpClocks
  request: OpenSession
  /** What its process gets of our environment, and what of that must never be shown. */
  surroundings: Surroundings
  signal: AbortSignal
}

/** Starts the agent and opens or loads a session in it; nothing is alive after a throw. */
export const openAcpSession = async (opening: Opening): Promise<AcpSession> => {
  const { agent, processes, clocks, request, signal } = opening
  const { env, hidden, args, files } = opening.surroundings
  if (signal.aborted) throw cancelled()
  const wire = new AcpWire()
  const launch = {
    program: request.program,
    args: [...args, ...agent.args(request.agent, request.allowWrite)],
    cwd: request.cwd,
    env,
    token: request.token,
    redact: (text: string) => redactText(text, hidden),
    hear: wire,
  }
  const process = await launchWithFiles(processes, launch, files)
  wire.attach(process)
  const abort = () => process.kill()
  const late = setTimeout(() => process.kill(failureOf('agent.first-byte-late')), clocks.openMs)
  signal.addEventListener('abort', abort)
  // it may have been called off while the process started
  if (signal.aborted) abort()
  try {
    const shaken = await shakeHands(opening, wire)
    return new AcpSession({ ...shaken, agent, process, clocks, wire, hidden, allowWrite: request.allowWrite })
  } catch (error) {
    throw await explain(error, { process, wire, hidden, signal })
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', abort)
  }
}

/** initialize, then a new or loaded session, then its mode; what is replayed meanwhile is heard by nobody. */
const shakeHands = async (opening: Opening, wire: AcpWire) => {
  const { agent } = wire.connection
  const hello = Hello.parse(
    await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'parley', version: '1' },
    }),
  )
  if (hello.protocolVersion !== PROTOCOL_VERSION) {
    throw new AppError('agent.incompatible', 'The agent speaks another version of its protocol.', {
      params: { version: hello.protocolVersion },
    })
  }
  const session = await enterSession(opening, wire, hello.agentCapabilities.loadSession)
  const mode = await settleSession(opening.agent, opening.request.allowWrite, { offer: session, agent })
  return {
    native: { id: session.sessionId, resumed: opening.request.resume !== null },
    version: hello.agentInfo?.version ?? opening.request.program.version,
    mode,
    takesImages: hello.agentCapabilities.promptCapabilities.image,
  }
}

const enterSession = async ({ request }: Opening, wire: AcpWire, mayLoad: boolean): Promise<SessionOffer> => {
  const { agent } = wire.connection
  const place = { cwd: request.cwd, mcpServers: [] }
  if (request.resume === null) return SessionOffer.parse(await agent.request(methods.agent.session.new, place))
  if (!mayLoad) throw sessionLost()
  try {
    const loaded = await agent.request(methods.agent.session.load, { ...place, sessionId: request.resume })
    // some name the session in their answer though they need not
    const entered = SessionOffer.parse({ sessionId: request.resume, ...loaded })
    if (entered.sessionId !== request.resume) throw sessionLost()
    return entered
  } catch (error) {
    // each agent has a code of its own for a session that it does not know
    if (error instanceof RequestError && error.code !== authRequired) throw sessionLost(error)
    throw error
  }
}

interface Started {
  process: LiveProcess
  wire: AcpWire
  hidden: Hidden
  signal: AbortSignal
}

const explain = async (error: unknown, { process, wire, hidden, signal }: Started): Promise<AppError> => {
  if (signal.aborted) {
    await process.gone
    return cancelled()
  }
  const failure = await failureOfOpening(error, process, wire)
  await process.end()
  const { code, message, params, retryAfterMs } = cleanFailure(failure, hidden)
  return new AppError(code, message, { cause: error, params, retryAfterMs })
}

const failureOfOpening = async (error: unknown, process: LiveProcess, wire: AcpWire): Promise<Failure> => {
  if (error instanceof z.ZodError) return failureOf('agent.garbled')
  return error instanceof AppError ? toFailure(error) : failureOfRequest(error, process, wire)
}

const authRequired = -32_000

const cancelled = () => new AppError('agent.cancelled', 'It was stopped while the agent started.')

export const sessionLost = (cause?: unknown) =>
  new AppError('agent.session-lost', 'The agent does not know this session any more; a new one is needed.', { cause })

const Hello = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false).default(false),
      promptCapabilities: z
        .object({ image: z.boolean().catch(false).default(false) })
        .catch({ image: false })
        .prefault({}),
    })
    .prefault({}),
  agentInfo: z
    .object({ version: z.string().max(60) })
    .nullish()
    .catch(null),
})
