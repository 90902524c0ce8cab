import { WarmSessions } from '../adapters/agents/acp/warm.ts'
import type { LaunchRecorder } from '../adapters/live-process.ts'
import { Processes } from '../adapters/process.ts'
import { LoginShell } from '../adapters/programs/login-shell.ts'
import type { ProviderKind } from '../shared/provider.ts'
import { adaptersOf } from './adapters.ts'
import { newId } from './new-id.ts'
import type { ComposeOptions, HearPush } from './shell.ts'
import { agentsFolder } from './start/data-folder.ts'
import type { Stores } from './stores/stores.ts'
import { Agents } from './supervisors/agents.ts'
import type { AwakeClock } from './supervisors/awake-clock.ts'
import { ConnectionTests } from './supervisors/connection-tests.ts'
import { CustomAgents } from './supervisors/custom-agents.ts'
import { Installs } from './supervisors/installs.ts'
import { Providers } from './supervisors/providers.ts'
import type { Fence } from './wiring/fence.ts'

interface AgentSideOptions {
  options: ComposeOptions
  fence: Fence
  awake: AwakeClock
  /** What is stored, while it is open. */
  stores: () => Stores | null
  launches: LaunchRecorder[]
  /** Remembers an installation that has begun, so that the next start can tell of it. */
  begun: ConstructorParameters<typeof Installs>[0]['begun']
  providersChanged: (moved: readonly ProviderKind[]) => void
  push: HearPush
}

/** Everything that has to do with the agents' programs on this computer; nothing of it is begun by making it. */
export const agentSide = (given: AgentSideOptions) => {
  const { options, fence, awake, stores, launches, begun, providersChanged, push } = given
  const folder = agentsFolder(options.env, options.dataFolder)
  const env = { ...options.env, PARLEY_AGENTS: folder }
  const processes = new Processes(...launches)
  // one for all agents: it bounds how many processes are kept
  const warm = new WarmSessions()
  const shell = new LoginShell(env)
  const providers = new Providers({
    stores, secrets: options.shell.secrets, changed: providersChanged, newId, now: Date.now,
  })
  const adapters = options.adapters?.(processes) ?? adaptersOf({ processes, env, shell, warm })
  const agents = new Agents(adapters, (cards) => push('agents.changed', { agents: cards }), {
    shell,
    providerOf: (kind) => providers.nameFor(kind),
  })
  const connectionTests = new ConnectionTests(agents, {
    env,
    accessFor: (kind) => providers.accessFor(kind),
    now: Date.now,
  })
  const custom = new CustomAgents(agents, { processes, warm })
  const installs = new Installs({
    fence,
    awake,
    agents,
    processes,
    env,
    folder,
    changed: (install) => push('install.changed', { install }),
    begun,
    newId,
    now: Date.now,
  })
  return { env, processes, warm, providers, agents, connectionTests, custom, installs }
}

export type AgentSide = ReturnType<typeof agentSide>
