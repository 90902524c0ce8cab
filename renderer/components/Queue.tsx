import { useState } from 'react'
import type { QueuedMessage } from '../../shared/conversation.ts'
import { composes } from '../state/keys.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useActiveRun } from './use-active-run.ts'
import { useCommand } from './use-command.ts'

/** What waits for the active run to end, or for a word of the person where none is active; each can be changed. */
export const Queue = ({ conversationId, queue }: { conversationId: string; queue: readonly QueuedMessage[] }) =>
  queue.length === 0 ? null : (
    <ul className="queue" aria-label={text.composer.queueLabel}>
      {queue.map((message, index) => (
        <Queued key={message.queuedId} conversationId={conversationId} message={message} first={index === 0} />
      ))}
    </ul>
  )

const Queued = ({
  conversationId,
  message,
  first,
}: {
  conversationId: string
  message: QueuedMessage
  first: boolean
}) => {
  const { call, failure, busy } = useCommand()
  const [edited, setEdited] = useState<string | null>(null)
  const { queuedId } = message
  const active = useActiveRun() !== undefined
  const save = async () => {
    if (edited === null || edited.trim() === '') return
    if (await call('queue.edit', { conversationId, queuedId, text: edited })) setEdited(null)
  }
  if (edited !== null) {
    return (
      <li>
        <textarea
          className="field grow"
          rows={1}
          autoFocus
          aria-label={text.composer.edit}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          onKeyDown={(event) => {
            if (composes(event.nativeEvent)) return
            if (event.key === 'Escape') {
              event.stopPropagation()
              setEdited(null)
            }
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            void save()
          }}
        />
        <button type="button" className="button small" onClick={() => setEdited(null)}>
          {text.common.cancel}
        </button>
        <button type="button" className="button small solid" disabled={busy} onClick={() => void save()}>
          {text.common.save}
        </button>
        <Refusal failure={failure} />
      </li>
    )
  }
  return (
    <li>
      <Icon name="clock" small />
      <span className="grow cut">
        {first ? queuedFirst(active)(message.text) : text.composer.queuedLater(message.text)}
      </span>
      {message.images.length === 0 ? null : (
        <span className="meta">{text.images.queued(message.images.length)}</span>
      )}
      <Refusal failure={failure ?? message.refusal} />
      {first && !active ? (
        <button
          type="button"
          className="button small"
          disabled={busy}
          onClick={() => void call('queue.send', { conversationId, queuedId })}
        >
          {text.composer.sendNow}
        </button>
      ) : null}
      <button type="button" className="button plain small" onClick={() => setEdited(message.text)}>
        {text.composer.edit}
      </button>
      <button
        type="button"
        className="button plain small"
        disabled={busy}
        onClick={() => void call('queue.withdraw', { conversationId, queuedId })}
      >
        {text.composer.withdraw}
      </button>
    </li>
  )
}

const queuedFirst = (active: boolean) => (active ? text.composer.queuedNext : text.composer.queuedWaits)
