import { useRef, useState } from 'react'
import { nameMaxCharacters } from '../../shared/limits.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { composes } from '../state/keys.ts'
import { conversationIn, conversationPlace, useNavigation } from '../state/place.ts'
import { rowLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { useDismiss } from './AgentMenu.tsx'
import { DeleteQuestion } from './DeleteQuestion.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

type Mode = 'plain' | 'actions' | 'renaming' | 'deleting'

/** One conversation in the sidebar; renamed and deleted in its place. */
export const ConversationItem = ({ row }: { row: ConversationRow }) => {
  const { place, go } = useNavigation()
  const { call, failure, clear } = useCommand()
  const [mode, setMode] = useState<Mode>('plain')
  const { conversationId } = row
  const box = useRef<HTMLLIElement>(null)
  const leave = () => {
    clear()
    setMode('plain')
  }
  useDismiss(box, mode === 'actions' || mode === 'deleting', leave)
  const current = conversationIn(place) === conversationId
  const look = rowLook(row)

  const rename = async (name: string) => {
    setMode('plain')
    if (name.trim() !== '' && name.trim() !== row.name)
      await call('conversation.rename', { conversationId, name: name.trim() })
  }
  const remove = async () => {
    if ((await call('conversation.delete', { conversationId })) && current) go({ view: 'welcome' })
  }

  if (mode === 'renaming')
    return (
      <li>
        <NameField name={row.name} keep={(name) => void rename(name)} leave={() => setMode('plain')} />
      </li>
    )
  return (
    <li className="conversation" data-current={current || undefined} ref={box}>
      <button
        type="button"
        className="item"
        data-item
        data-conversation={conversationId}
        aria-current={current ? 'page' : undefined}
        onClick={() => go(conversationPlace(conversationId))}
        onDoubleClick={() => setMode('renaming')}
      >
        <span className="tone" data-tone={look.tone} title={look.word}>
          <Icon name={look.icon} />
          <span className="unseen">{look.word}</span>
        </span>
        <span className="grow cut" title={row.name}>
          {row.name}
        </span>
        <Notes row={row} />
      </button>
      <button
        type="button"
        className="button plain small square item-more"
        aria-label={text.sidebar.actions(row.name)}
        aria-expanded={mode === 'actions'}
        onClick={() => setMode(mode === 'actions' ? 'plain' : 'actions')}
      >
        <Icon name="more" small />
      </button>
      {mode === 'actions' ? (
        <div className="item-actions">
          <button type="button" className="button small" onClick={() => setMode('renaming')}>
            {text.common.rename}
          </button>
          <button type="button" className="button small" onClick={() => setMode('deleting')}>
            {text.common.delete}
          </button>
        </div>
      ) : null}
      {mode === 'deleting' ? (
        <DeleteQuestion row={row} remove={() => void remove()} leave={leave} />
      ) : null}
      <Refusal failure={failure} />
    </li>
  )
}

const Notes = ({ row }: { row: ConversationRow }) => (
  <>
    {row.imported ? (
      <span className="dim" title={text.runFile.imported}>
        <Icon name="file" small />
        <span className="unseen">{text.runFile.imported}</span>
      </span>
    ) : null}
    {row.queued > 0 ? <span className="meta" title={text.sidebar.queued(row.queued)}>{`+${row.queued}`}</span> : null}
    {row.hasDraft ? (
      <span className="dim" title={text.sidebar.draft}>
        <Icon name="pen" small />
        <span className="unseen">{text.sidebar.draft}</span>
      </span>
    ) : null}
  </>
)

const NameField = ({ name, keep, leave }: { name: string; keep: (name: string) => void; leave: () => void }) => (
  <input
    className="field name-field"
    aria-label={text.sidebar.renameLabel}
    defaultValue={name}
    maxLength={nameMaxCharacters}
    autoFocus
    onFocus={(event) => event.currentTarget.select()}
    onBlur={(event) => keep(event.currentTarget.value)}
    onKeyDown={(event) => {
      if (composes(event.nativeEvent)) return
      if (event.key === 'Enter') keep(event.currentTarget.value)
      if (event.key !== 'Escape') return
      event.stopPropagation()
      leave()
    }}
  />
)
