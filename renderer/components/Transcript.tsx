import { useState } from 'react'
import type { OpenConversation } from '../state/model.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { RunBlock } from './RunBlock.tsx'
import { useAnchor } from './use-anchor.ts'

/** What was said, oldest first. It stays at its end only while the person is there. */
export const Transcript = ({ open }: { open: OpenConversation }) => {
  const { box, content, away, scrolled, toEnd, keep } = useAnchor()
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
          {open.older === null ? null : <Older conversationId={open.conversation.conversationId} keep={keep} />}
          {open.runIds.length === 0 ? <Empty open={open} /> : null}
          {open.runIds.map((runId, index) => (
            <Run key={runId} runId={runId} newest={index === open.runIds.length - 1} />
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

const Run = ({ runId, newest }: { runId: string; newest: boolean }) => {
  const run = useWorld((world) => world.runs[runId])
  return run ? <RunBlock run={run} newest={newest} /> : null
}

const Older = ({ conversationId, keep }: { conversationId: string; keep: () => void }) => {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const read = async () => {
    setBusy(true)
    keep()
    await session.openOlder(conversationId)
    setBusy(false)
  }
  return (
    <button type="button" className="button plain small older" disabled={busy} onClick={() => void read()}>
      {busy ? text.common.reading : text.transcript.older}
    </button>
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
