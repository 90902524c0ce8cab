import type { AgentCard } from '../../shared/agent.ts'
import type { OutputItem, ToolNote } from '../../shared/agent-event.ts'
import type { ImageNote } from '../../shared/attachment.ts'
import type { Conversation, QueuedMessage } from '../../shared/conversation.ts'
import type { Failure } from '../../shared/errors.ts'
import type { GateRecord } from '../../shared/gate.ts'
import type { InstallOffer, InstallView } from '../../shared/install.ts'
import type { PushName } from '../../shared/ipc.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import type { ProviderProfile } from '../../shared/provider.ts'
import type { Settings } from '../../shared/settings.ts'
import type { AppState, ConversationRow, RunView } from '../../shared/view.ts'

/** A run as main described it, with as much of its history as was read. */
export interface RunState extends RunView {
  /** Transitions without a hole from the first one on; empty until they were read. */
  events: readonly LedgerEvent[]
  eventsRead: boolean
  /** What was heard of each attempt's work while it was watched. */
  work: Readonly<Record<string, Work>>
}

interface Work {
  tool: ToolNote | null
  plan: Extract<OutputItem, { type: 'plan' }>['entries'] | null
  reasoned: boolean
}

export interface OpenConversation {
  conversation: Conversation
  draft: string
  draftImages: readonly ImageNote[]
  queue: readonly QueuedMessage[]
  runIds: readonly string[]
  older: string | null
}

/** What main said, as far as the window has read it. */
export interface World {
  app: AppState
  settings: Settings
  home: string
  agents: readonly AgentCard[]
  rows: readonly ConversationRow[]
  moreConversations: string | null
  gates: readonly GateRecord[]
  /** The installation that goes on or went on last. */
  install: InstallView | null
  /** What can be installed; `null` while nobody has asked. */
  offers: readonly InstallOffer[] | null
  /** `null` until a place that shows them has asked. */
  providers: { profiles: readonly ProviderProfile[]; keepsKeys: boolean } | null
  conversations: Readonly<Record<string, OpenConversation>>
  runs: Readonly<Record<string, RunState>>
}

export interface Model {
  world: World | null
  /** Why the first reading failed. */
  failure: Failure | null
  /** Newest sequence heard of each topic. */
  heard: Readonly<Partial<Record<PushName, number>>>
  /** A push was missed: everything shown has to be read again. */
  missed: boolean
  /** Runs of which something is missing. */
  staleRuns: readonly string[]
}

export const emptyModel: Model = { world: null, failure: null, heard: {}, missed: false, staleRuns: [] }
