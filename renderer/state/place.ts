import { createContext, useContext } from 'react'

/** Where the person is. */
export type Place =
  | { view: 'welcome' }
  | { view: 'inbox'; gateId: string | null }
  | { view: 'conversation'; conversationId: string; runId: string | null; attemptId: string | null }

/** What lies on top of it. */
export type Overlay =
  | { name: 'palette' }
  | { name: 'create'; kind: 'direct' | 'group'; members: readonly string[] }
  | { name: 'keys' }
  | { name: 'settings' }
  | { name: 'quit' }

export interface Navigation {
  place: Place
  overlay: Overlay | null
  /** The drawer that is open where the window is narrow. */
  drawer: 'sidebar' | 'panel' | null
  narrow: boolean
  go: (place: Place) => void
  show: (overlay: Overlay | null) => void
  draw: (drawer: 'sidebar' | 'panel' | null) => void
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
