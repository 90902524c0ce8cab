import { dirname } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { launchMs as usualLaunchMs } from '../../shared/limits.ts'
import { childEnvironment, withFolderOnPath } from '../environment.ts'
import type { AgentAdapter, AgentSession, OpenSession } from '../ports.ts'
import { launchWithFiles } from '../private-files.ts'
import type { Processes } from '../process.ts'
import { withProvider } from '../provider-environment.ts'
import { hiddenOf, redactText } from '../redact.ts'
import type { OneShotAgent, Workplace } from './one-shot/agent.ts'
import { OneShotSession } from './one-shot/session.ts'

/** An agent that gets one process for each turn: the prompt on its stdin, what it prints as its answer. */
export const oneShotAdapter = (
  agent: OneShotAgent,
  { processes, launchMs = usualLaunchMs }: { processes: Processes; launchMs?: number | undefined },
): AgentAdapter => ({
  kind: agent.kind,
  agents: agent.agents,
  transport: 'one-shot',
  abilities: agent.abilities,
  mayContinue: false,
  detect: agent.detect,
  async open(request, signal) {
    refuse(agent, request, signal)
    const place = await (agent.place ?? conversationsFolder)(request)
    try {
      return await start({ agent, processes, launchMs, request, place, signal })
    } catch (error) {
      await place.leave()
      throw error
    }
  },
})

interface Opening {
  agent: OneShotAgent
  processes: Processes
  launchMs: number
  request: OpenSession
  place: Workplace
  signal: AbortSignal
}

const start = async ({ agent, processes, launchMs, request, place, signal }: Opening): Promise<AgentSession> => {
  const { names, credentials } = agent.env
  const own = withFolderOnPath(childEnvironment(request.env, { names }), dirname(request.program.file))
  const plain = hiddenOf({ ...request.env, ...own }, credentials)
  const { env, hidden, args, files } = withProvider(agent.kind, { env: own, hidden: plain }, request.provider)
  const session = new OneShotSession({
    decoder: agent.decoder(),
    hidden,
    warnings: agent.warnings,
    launchMs,
    version: request.program.version,
  })
  const launch = {
    program: request.program,
    args: [...args, ...agent.args(place)],
    cwd: place.cwd,
    env: { ...env, ...place.values },
    token: request.token,
    redact: (text: string) => redactText(text, hidden),
    hear: session,
  }
  // what its place holds already is not made twice
  const others = files.filter(({ variable }) => !(variable in place.values))
  const process = await launchWithFiles(processes, launch, others)
  if (signal.aborted) {
    process.kill()
    await process.gone
    throw cancelled()
  }
  session.attach(process, place.leave)
  return session
}

/** Nothing is started for what it cannot do. */
const refuse = (agent: OneShotAgent, { allowWrite, resume }: OpenSession, signal: AbortSignal): void => {
  if (signal.aborted) throw cancelled()
  if (resume !== null) {
    throw new AppError('agent.session-lost', 'This agent remembers nothing between two turns; a new one is needed.')
  }
  if (allowWrite || agent.abilities.readOnly !== 'none') return
  throw new AppError('agent.not-held', `${agent.product} cannot be held to reading.`, {
    params: { agent: agent.product },
  })
}

const conversationsFolder = async ({ cwd }: OpenSession): Promise<Workplace> => ({
  cwd,
  values: {},
  leave: async () => {},
})

const cancelled = () => new AppError('agent.cancelled', 'The start was called off.')
