import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import { settled } from '../../shared/run.ts'
import { BoardStrip } from '../components/BoardStrip.tsx'
import { Composer } from '../components/Composer.tsx'
import { ConversationBar } from '../components/ConversationBar.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Transcript } from '../components/Transcript.tsx'
import { useImported } from '../components/use-imported.ts'
import { useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { AttemptScreen } from './Attempt.tsx'

/** One conversation: its bar, what was said, and where to write; or one of its attempts in their place. */
export const ConversationScreen = ({ conversationId }: { conversationId: string }) => {
  const { place, narrow, go } = useNavigation()
  const open = useWorld((world) => world.conversations[conversationId])
  const run = useWorld((world) => {
    const runId = world.conversations[conversationId]?.runIds.at(-1)
    return runId === undefined ? undefined : world.runs[runId]
  })
  const imported = useImported(conversationId)
  const failure = useOpening(conversationId, open === undefined)
  const isGone = failure?.code === 'conversation.unknown'
  useEffect(() => {
    // deleted elsewhere, or from the list beside it
    if (isGone) go({ view: 'welcome' })
  }, [isGone, go])
  const [asked, setAsked] = useState<string | null>(null)
  if (!open) {
    return (
      <main className="main" data-region tabIndex={-1}>
        <div className="bar" />
        <div className="empty">
          {failure ? <Refusal failure={failure} /> : <p className="meta">{text.common.reading}</p>}
        </div>
      </main>
    )
  }
  const attempt = place.view === 'conversation' && place.attemptId !== null ? place.attemptId : null
  const active = run && !settled(run.run.status) ? run : undefined
  return (
    <main className="main" data-region tabIndex={-1}>
      {attempt ? (
        <AttemptScreen key={attempt} attemptId={attempt} conversationId={conversationId} />
      ) : (
        <>
          <ConversationBar open={open} run={active} newest={run} />
          {narrow && run ? <BoardStrip run={run} /> : null}
          <Transcript key={conversationId} open={open} asked={asked} />
          {imported ? (
            <p className="imported-foot meta" role="note">
              {text.runFile.foot}
            </p>
          ) : (
            <Composer key={`write ${conversationId}`} open={open} active={active !== undefined} asked={setAsked} />
          )}
        </>
      )}
    </main>
  )
}

/** Reads a conversation when it is opened for the first time. */
function useOpening(conversationId: string, missing: boolean): Failure | null {
  const session = useSession()
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    if (!missing) return undefined
    let wanted = true
    void session.openConversation(conversationId).then((refused) => {
      if (wanted) setFailure(refused)
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session, conversationId, missing])
  return failure
}
