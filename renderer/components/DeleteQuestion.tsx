import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Deletion } from '../../shared/deletion.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { bytes } from '../state/time.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'

/** Asks before a conversation goes, and says what goes, how much that is, and what stays where Parley cannot reach. */
export const DeleteQuestion = ({
  row,
  remove,
  leave,
}: {
  row: ConversationRow
  remove: () => void
  leave: () => void
}) => {
  const running = row.activeRunId !== null
  const deletion = useDeletion(row.conversationId)
  const box = useRef<HTMLDivElement>(null)
  return (
    <div ref={box} className="delete-question fade-in" role="group" aria-label={text.sidebar.deleteTitle(row.name)}>
      <b>{text.sidebar.deleteTitle(row.name)}</b>
      <p className="meta">{running ? text.deletion.running : text.deletion.text}</p>
      {deletion && !running ? <Amounts deletion={deletion} box={box} /> : null}
      <div className="row">
        <button type="button" className="button small solid" disabled={running} onClick={remove}>
          {text.common.delete}
        </button>
        <button type="button" className="button small" autoFocus onClick={leave}>
          {text.common.cancel}
        </button>
      </div>
    </div>
  )
}

const Amounts = ({ deletion, box }: { deletion: Deletion; box: RefObject<HTMLElement | null> }) => {
  const stays = useWhatStays(deletion)
  // the question has grown
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [box])
  return (
    <>
      <p>{text.deletion.amounts(deletion, bytes(deletion.bytes))}</p>
      {deletion.backups > 0 ? <p className="meta">{text.deletion.backups(deletion.backups)}</p> : null}
      {stays.length > 0 ? (
        <>
          <b>{text.deletion.stays}</b>
          <ul className="meta">
            {stays.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

/** What each agent's own tool keeps, and damaged records of before: a sentence each. */
const useWhatStays = ({ agents, quarantined }: Deletion): string[] => {
  const names = useNames()
  const cards = useWorld((world) => world.agents)
  const ofAgents = agents.flatMap((agent) => {
    const card = cards.find((one) => one.agent === agent)
    if (card?.rehearsal) return []
    return [text.deletion.tool(names(agent), card?.sessionFolders ?? [])]
  })
  return quarantined > 0 ? [...ofAgents, text.deletion.quarantined(quarantined)] : ofAgents
}

/** `null` until main has counted, and where it could not. */
const useDeletion = (conversationId: string): Deletion | null => {
  const session = useSession()
  const [deletion, setDeletion] = useState<Deletion | null>(null)
  useEffect(() => {
    let wanted = true
    void session.call('conversation.deletion', { conversationId }).then((reply) => {
      if (wanted && reply.ok) setDeletion(reply.value.deletion)
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session, conversationId])
  return deletion
}
