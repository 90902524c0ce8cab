import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { OpenConversation } from '../state/model.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { RunBlock } from './RunBlock.tsx'
import { useAnchor } from './use-anchor.ts'

/** What was said, oldest first. It stays at its end only while the person is there. */
export const Transcript = ({
  open,
  asked,
}: {
  open: OpenConversation
  /** The run that the person has just asked for. */
  asked: string | null
}) => {
  const { box, content, away, atEnd, scrolled, toEnd, keep, kept } = useAnchor()
  const newest = open.runIds.at(-1)
  // what was just asked is where the person wants to be; a run that began by itself moves nobody
  useEffect(() => {
    if (asked !== null && asked === newest) toEnd()
  }, [toEnd, asked, newest])
  return (
    <div className="transcript-box">
      <div
        className="transcript"
        role="region"
        // what scrolls must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={text.transcript.label}
        ref={box}
        onScroll={scrolled}
        data-region
        data-list
      >
        <div className="transcript-inner" ref={content}>
          {open.older === null ? null : (
            <Older conversationId={open.conversation.conversationId} keep={keep} kept={kept} />
          )}
          {open.runIds.length === 0 ? <Empty open={open} /> : null}
          {open.runIds.map((runId, index) => (
            <Run key={runId} runId={runId} newest={index === open.runIds.length - 1} reading={() => !atEnd.current} />
          ))}
        </div>
      </div>
      {away ? (
        <button type="button" className="button latest fade-in" onClick={toEnd}>
          <Icon name="down" small />
          {text.transcript.latest}
        </button>
      ) : null}
    </div>
  )
}

const Run = ({ runId, newest, reading }: { runId: string; newest: boolean; reading: () => boolean }) => {
  const run = useWorld((world) => world.runs[runId])
  return run ? <RunBlock run={run} newest={newest} reading={reading} /> : null
}

const Older = ({ conversationId, keep, kept }: { conversationId: string; keep: () => void; kept: () => void }) => {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const read = async () => {
    setBusy(true)
    keep()
    const refused = await session.openOlder(conversationId)
    if (refused) kept()
    setFailure(refused)
    setBusy(false)
  }
  return (
    <>
      <button type="button" className="button plain small older" disabled={busy} onClick={() => void read()}>
        {busy ? text.common.reading : text.transcript.older}
      </button>
      <Refusal failure={failure} />
    </>
  )
}

const Empty = ({ open }: { open: OpenConversation }) => {
  const names = useNames()
  const members = open.conversation.members.map(names)
  return (
    <div className="empty">
      <h2 className="empty-title">{text.transcript.empty}</h2>
      <p>
        {open.conversation.kind === 'group'
          ? text.transcript.emptyGroup(text.list(members))
          : text.transcript.emptyDirect(members[0] ?? '')}
      </p>
    </div>
  )
}
