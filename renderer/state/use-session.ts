import { createContext, useContext, useSyncExternalStore } from 'react'
import type { World } from './model.ts'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No session was provided to this part of the window.')
  return session
}

/** A part of the world; it must be a value that stays the same while nothing changed. */
export const useWorld = <Part>(pick: (world: World) => Part): Part => {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, () => {
    const { world } = session.model
    if (!world) throw new Error('The world has not been read yet.')
    return pick(world)
  })
}
