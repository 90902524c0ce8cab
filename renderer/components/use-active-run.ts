import { settled } from '../../shared/run.ts'
import type { RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { useWorld } from '../state/use-session.ts'

/** The run that goes on in the open conversation. */
export function useActiveRun(): RunState | undefined {
  const run = useShownRun(null)
  return run && !settled(run.run.status) ? run : undefined
}

/** The run that the panel is about: the named one, else the newest of the open conversation. */
export function useShownRun(runId: string | null): RunState | undefined {
  const { place } = useNavigation()
  const conversationId = place.view === 'conversation' ? place.conversationId : null
  return useWorld((world) => {
    const newest = conversationId === null ? undefined : world.conversations[conversationId]?.runIds.at(-1)
    const shown = runId ?? newest
    return shown === undefined ? undefined : world.runs[shown]
  })
}
