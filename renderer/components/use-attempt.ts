import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { AttemptView, TurnView } from '../../shared/view.ts'
import { useSession, useWorld } from '../state/use-session.ts'

/** Everything on record about one attempt, read again whenever its run moved; its text is the live one. */
export function useAttempt(attemptId: string): {
  view: AttemptView | null
  failure: Failure | null
  turn: TurnView | null
} {
  const session = useSession()
  const [view, setView] = useState<AttemptView | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const runId = view?.turn.runId
  const seq = useWorld((world) => (runId === undefined ? 0 : (world.runs[runId]?.seq ?? 0)))
  const live = useWorld((world) =>
    runId === undefined ? undefined : world.runs[runId]?.turns.find((turn) => turn.attemptId === attemptId),
  )
  useEffect(() => {
    let wanted = true
    void session.call('attempt.open', { attemptId }).then((reply) => {
      if (!wanted) return undefined
      if (reply.ok) setView(reply.value)
      setFailure(reply.ok ? null : reply.failure)
      return undefined
    })
    return () => {
      wanted = false
    }
    // `seq` is no input of the reading but its reason
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [session, attemptId, seq])
  return { view, failure, turn: live ?? view?.turn ?? null }
}
