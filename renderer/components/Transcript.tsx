import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import { settled } from '../../shared/run.ts'
import type { OpenConversation } from '../state/model.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { RunBlock } from './RunBlock.tsx'
import { placeClass, useAnchor } from './use-anchor.ts'
import { Remembered, useNear, useNearness, type Nearness } from './use-near.ts'

/** What was said, oldest first. It stays at its end only while the person is there. */
export const Transcript = ({
  open,
  asked,
}: {
  open: OpenConversation
  /** The run that the person has just asked for. */
  asked: string | null
}) => {
  const { box, content, away, atEnd, scrolled, toEnd } = useAnchor()
  const nearness = useNearness(box)
  const [remembered] = useState(() => new Map<string, boolean>())
  const reading = useCallback(() => !atEnd.current, [atEnd])
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
            <Older conversationId={open.conversation.conversationId} before={open.older} nearness={nearness} />
          )}
          {open.runIds.length === 0 ? <Empty open={open} /> : null}
          <Remembered value={remembered}>
            {open.runIds.map((runId) => (
              <RunPlace key={runId} runId={runId} newest={runId === newest} reading={reading} nearness={nearness} />
            ))}
          </Remembered>
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

interface RunPlaceProps {
  runId: string
  newest: boolean
  reading: () => boolean
  nearness: Nearness
}

/** Where a run stands. One that has settled is drawn only while the reader is near, and keeps its room otherwise. */
const RunPlace = ({ runId, newest, reading, nearness }: RunPlaceProps) => {
  const run = useWorld((world) => world.runs[runId])
  const { place, height } = useNear(nearness)
  const isLeftOut = height !== null && !newest && run !== undefined && settled(run.run.status)
  return (
    <div className={placeClass} ref={place} style={isLeftOut ? { height } : undefined}>
      {run && !isLeftOut ? <RunBlock run={run} newest={newest} reading={reading} /> : null}
    </div>
  )
}

/** Reads the page before when the reader comes near, or asks for it. */
const Older = ({
  conversationId,
  before,
  nearness,
}: {
  conversationId: string
  before: string
  nearness: Nearness
}) => {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const read = useCallback(async () => {
    setBusy(true)
    setFailure(await session.openOlder(conversationId))
    setBusy(false)
  }, [session, conversationId])
  return (
    <div>
      <Brink key={before} nearness={nearness} reached={read} />
      <button type="button" className="button plain small older" disabled={busy} onClick={() => void read()}>
        {busy ? text.common.reading : text.transcript.older}
      </button>
      <Refusal failure={failure} />
    </div>
  )
}

/** Where what has been read begins; tells when the reader comes near. */
const Brink = ({ nearness: { watch }, reached }: { nearness: Nearness; reached: () => unknown }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    return watch(element, ({ isIntersecting }) => {
      if (isIntersecting) reached()
    })
  }, [watch, reached])
  return <div ref={place} />
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
