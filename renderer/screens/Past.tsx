import { useState } from 'react'
import { Icon } from '../components/icons.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { PastBar } from '../past/PastBar.tsx'
import { PastPanel } from '../past/PastPanel.tsx'
import { PastTranscript } from '../past/PastTranscript.tsx'
import { Scrubber } from '../past/Scrubber.tsx'
import { useLooking, type Looking } from '../past/use-looking.ts'
import { usePastKeys } from '../past/use-past-keys.ts'
import { ShownMoment, useNow } from '../state/clock.ts'
import { leavingPast, pastPlace, useNavigation } from '../state/place.ts'
import { moment as momentWords } from '../state/time.ts'
import { text } from '../text/text.ts'

/** A run as it was at any of its moments: transcript, board, usage and chart, and the way through all of them. */
export const Past = ({ runId, conversationId }: { runId: string; conversationId: string | null }) => {
  const { looking, failure, isRead } = useLooking(runId)
  const { go } = useNavigation()
  const leave = () => go(leavingPast(pastPlace({ runId, conversationId })))
  if (looking) return <Looked looking={looking} conversationId={conversationId} leave={leave} />
  return (
    <main className="main" data-region tabIndex={-1}>
      <header className="bar">
        <button type="button" className="button plain back" onClick={leave}>
          <Icon name="left" small />
          {conversationId === null ? text.past.home : text.past.leave}
        </button>
        <h1 className="title">{text.past.title}</h1>
      </header>
      <div className="empty">
        <Refusal failure={failure} />
        {failure ? null : <p className="meta">{isRead ? text.past.empty : text.common.reading}</p>}
      </div>
    </main>
  )
}

type View = 'transcript' | 'diagram'

const Looked = ({
  looking,
  conversationId,
  leave,
}: {
  looking: Looking
  conversationId: string | null
  leave: () => void
}) => {
  const { narrow } = useNavigation()
  const [view, setView] = useState<View>('transcript')
  usePastKeys(looking)
  const now = useNow()
  const time = momentWords(looking.moment.at, now)
  return (
    <main className="main past" aria-label={text.past.label}>
      <PastBar looking={looking} conversationId={conversationId} leave={leave} time={time}>
        {narrow ? <Views view={view} set={setView} /> : null}
      </PastBar>
      <ShownMoment value={looking.moment.at}>
        <div className="past-columns">
          {narrow && view === 'diagram' ? null : <PastTranscript looking={looking} time={time} />}
          {narrow && view === 'transcript' ? null : <PastPanel looking={looking} time={time} />}
        </div>
        <Scrubber looking={looking} time={time} />
      </ShownMoment>
    </main>
  )
}

const Views = ({ view, set }: { view: View; set: (view: View) => void }) => (
  <div className="segments" role="group" aria-label={text.past.shown}>
    {(['transcript', 'diagram'] as const).map((one) => (
      <button type="button" key={one} aria-pressed={view === one} onClick={() => set(one)}>
        {text.past[one]}
      </button>
    ))}
  </div>
)
