import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Deletion } from '../../shared/deletion.ts'
import { AppError, type Failure } from '../../shared/errors.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { QuitSurvey, QuitWish } from '../../shared/quit.ts'
import type { AppState } from '../../shared/view.ts'
import type { AgentSide } from '../agent-side.ts'
import { newId } from '../new-id.ts'
import type { ComposeOptions, HearPush, SettingsPort, ShellPort } from '../shell.ts'
import type { Stores } from '../stores/stores.ts'
import type { Agents } from '../supervisors/agents.ts'
import type { ConnectionTests } from '../supervisors/connection-tests.ts'
import type { CustomAgents } from '../supervisors/custom-agents.ts'
import type { Gates } from '../supervisors/gates.ts'
import type { Installs } from '../supervisors/installs.ts'
import type { Providers } from '../supervisors/providers.ts'
import type { Runs } from '../supervisors/runs.ts'
import type { Tasks } from '../supervisors/tasks.ts'
import type { Work } from '../work.ts'

/**
 * What the handlers work with. Reading `stores`, `runs`, `gates` or `tasks` throws `app.read-only` where there are
 * none.
 */
export interface Services {
  readonly stores: Stores
  /** `null` when what is stored cannot even be read. */
  readonly storesIfAny: Stores | null
  readonly runs: Runs
  readonly gates: Gates
  readonly tasks: Tasks
  /** Gates that were settled since the start; empty where nothing is live. */
  readonly gatesLately: readonly GateRecord[]
  readonly agents: Agents
  readonly custom: CustomAgents
  readonly installs: Installs
  readonly providers: Providers
  readonly connectionTests: ConnectionTests
  readonly shell: ShellPort
  readonly settings: SettingsPort
  readonly home: string
  readonly env: ComposeOptions['env']
  readonly dataFolder: string
  /** Of this Parley. */
  readonly version: string
  /** Where agents work when nobody has chosen a folder. */
  readonly ownWorkdir: string
  /** Throws `app.read-only` when nothing may be written. */
  requireWritable: () => void
  appState: () => AppState
  survey: () => QuitSurvey
  decideQuit: (wish: QuitWish) => AppState['quitting']
  /** The processes that agents keep between the turns of this conversation end. */
  conversationLeft: (conversationId: string) => void
  /** What goes by the settings looks at them again. */
  settingsChanged: () => void
  /** Something was deleted: the log and the backups are to follow. */
  erased: () => void
  /** How many copies of the record there are beside it. */
  copiesKept: () => Pick<Deletion, 'backups' | 'quarantined'>
  push: HearPush
  newId: (prefix: string) => string
  now: () => number
}

interface Office {
  readonly options: ComposeOptions
  readonly side: AgentSide
  readonly stores: Stores | null
  readonly work: Work | null
  readonly readOnly: Failure | null
  appState: () => AppState
  conversationLeft: (conversationId: string) => void
  erased: () => void
  copiesKept: () => Pick<Deletion, 'backups' | 'quarantined'>
  survey: () => QuitSurvey
  decideQuit: (wish: QuitWish) => AppState['quitting']
  push: HearPush
}

/** The office as the handlers see it: what it has now, not what it had when they were made. */
export const servicesOf = (office: Office): Services => {
  const refuse = (): never => {
    throw new AppError('app.read-only', 'Nothing can be changed now. The banner says why.', {
      params: { because: office.readOnly?.code ?? 'starting' },
    })
  }
  const work = () => office.work ?? refuse()
  return {
    get stores() {
      return office.stores ?? refuse()
    },
    get storesIfAny() {
      return office.stores
    },
    get runs() {
      return work().runs
    },
    get gates() {
      return work().gates
    },
    get tasks() {
      return work().tasks
    },
    get gatesLately() {
      return office.work?.gates.lately ?? []
    },
    agents: office.side.agents,
    custom: office.side.custom,
    installs: office.side.installs,
    providers: office.side.providers,
    connectionTests: office.side.connectionTests,
    shell: office.options.shell,
    settings: office.options.settings,
    home: homedir(),
    env: office.options.env,
    dataFolder: office.options.dataFolder,
    version: office.options.version,
    ownWorkdir: join(office.options.dataFolder, 'workspace'),
    requireWritable: () => {
      if (office.readOnly) refuse()
    },
    appState: () => office.appState(),
    survey: () => office.survey(),
    decideQuit: (wish) => office.decideQuit(wish),
    conversationLeft: (conversationId) => office.conversationLeft(conversationId),
    settingsChanged: () => office.work?.slots.review(),
    erased: () => office.erased(),
    copiesKept: () => office.copiesKept(),
    push: (topic, body) => office.push(topic, body),
    newId,
    now: Date.now,
  }
}
