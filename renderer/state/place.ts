import { createContext, useContext } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { ImageNote } from '../../shared/attachment.ts'
import type { Failure } from '../../shared/errors.ts'
import type { TurnView } from '../../shared/view.ts'

/** Where the person is. */
export type Place =
  | { view: 'welcome' }
  | { view: 'inbox'; gateId: string | null }
  | AgentPlace
  | { view: 'conversation'; conversationId: string; runId: string | null; attemptId: string | null }
  | PastPlace

/** A run that is looked back at. */
interface PastPlace {
  view: 'past'
  runId: string
  /** `null` for a run that belongs to no conversation here. */
  conversationId: string | null
}

export interface AgentPlace {
  view: 'agents'
  /** The one that is looked at; the first one unless said. */
  agent: AgentId | null
}

/** What lies on top of it. */
export type Overlay =
  | { name: 'palette' }
  | { name: 'create'; kind: 'direct' | 'group'; members: readonly string[] }
  | { name: 'keys' }
  | { name: 'settings' }
  | { name: 'quit' }
  | { name: 'image'; image: ImageNote }
  | { name: 'export'; runId: string }
  | { name: 'import' }

export interface Navigation {
  place: Place
  overlay: Overlay | null
  /** The drawer that is open where the window is narrow. */
  drawer: 'sidebar' | 'panel' | null
  narrow: boolean
  /** What main refused of something that was said by key or from the palette, and so has no place of its own. */
  refused: Failure | null
  go: (place: Place) => void
  show: (overlay: Overlay | null) => void
  draw: (drawer: 'sidebar' | 'panel' | null) => void
  refuse: (failure: Failure | null) => void
  /** Leaves the inbox for where the person was before. */
  leaveInbox: () => void
}

export const NavigationContext = createContext<Navigation | null>(null)

export const useNavigation = (): Navigation => {
  const navigation = useContext(NavigationContext)
  if (!navigation) throw new Error('No navigation was provided to this part of the window.')
  return navigation
}

export const conversationPlace = (conversationId: string): Place => ({
  view: 'conversation',
  conversationId,
  runId: null,
  attemptId: null,
})

export const attemptPlace = ({ conversationId, runId, attemptId }: TurnView): Place => ({
  view: 'conversation',
  conversationId,
  runId,
  attemptId,
})

export const pastPlace = ({ runId, conversationId }: Omit<PastPlace, 'view'>): PastPlace => ({
  view: 'past',
  runId,
  conversationId,
})

/** The conversation that the person is in, also where they look back at one of its runs. */
export const conversationIn = (place: Place): string | null =>
  place.view === 'conversation' || place.view === 'past' ? place.conversationId : null

/** Where looking back ends: at the run's conversation, as it is now. */
export const leavingPast = ({ runId, conversationId }: PastPlace): Place =>
  conversationId === null
    ? { view: 'welcome' }
    : { view: 'conversation', conversationId, runId, attemptId: null }
