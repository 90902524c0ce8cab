import { useEffect, useMemo, useState } from 'react'
import { conversationsPageMax } from '../../shared/limits.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { composes } from '../state/keys.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { rowLook } from '../state/status.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon, type IconName } from './icons.tsx'
import { Sheet } from './Sheet.tsx'
import { State } from './State.tsx'
import { useDoings } from './use-doings.ts'

interface Entry {
  key: string
  word: string
  icon: IconName
  row: ConversationRow | null
  does: () => void
}

/** One field for two things: finding a conversation, and saying what to do. */
export const Palette = () => {
  const { show, go } = useNavigation()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const rows = useFound(query)
  const doings = useDoings()
  const entries = useMemo<Entry[]>(() => {
    const wanted = query.trim().toLowerCase()
    const commands = doings.filter(({ word }) => word.toLowerCase().includes(wanted))
    return [
      ...rows.map((row): Entry => ({
        key: row.conversationId,
        word: row.name,
        icon: 'right',
        row,
        does: () => go(conversationPlace(row.conversationId)),
      })),
      ...commands.map((doing): Entry => ({ ...doing, key: doing.word, row: null })),
    ]
  }, [rows, doings, query, go])
  const picked = Math.min(at, entries.length - 1)
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    show(null)
    entry.does()
  }
  return (
    <Sheet label={text.palette.label} className="palette">
      <div className="palette-field">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries[picked] ? `palette-${picked}` : undefined}
          aria-label={text.palette.label}
          placeholder={text.palette.placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (composes(event.nativeEvent)) return
            if (event.key === 'Enter') {
              // else the same key press would also press what is opened by it
              event.preventDefault()
              run(entries[picked])
            }
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
            if (step === 0) return
            event.preventDefault()
            setAt(Math.min(entries.length - 1, Math.max(0, picked + step)))
          }}
        />
      </div>
      <ul className="palette-list" id="palette-list" role="listbox" aria-label={text.palette.label}>
        {entries.length === 0 ? <li className="meta palette-none">{text.palette.nothing}</li> : null}
        {entries.map((entry, index) => (
          // the field above has the focus and takes the keys
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === picked}
            ref={index === picked ? scrollIn : undefined}
            onPointerMove={() => setAt(index)}
            onClick={() => run(entry)}
          >
            {entry.row ? <State look={rowLook(entry.row)} wordless /> : <Icon name={entry.icon} />}
            <span className="grow cut">{entry.word}</span>
            <span className="meta">{entry.row ? text.palette.conversations : text.palette.commands}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

const scrollIn = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

const searchAfterMs = 120

/** Conversations that main finds over all history; the newest ones while nothing is asked for. */
function useFound(query: string): readonly ConversationRow[] {
  const session = useSession()
  const newest = useWorld((world) => world.rows)
  const [found, setFound] = useState<{ query: string; rows: readonly ConversationRow[] } | null>(null)
  useEffect(() => {
    if (query.trim() === '') return undefined
    let wanted = true
    const search = async () => {
      const reply = await session.call('conversation.list', {
        after: null,
        limit: conversationsPageMax,
        query: query.trim(),
      })
      if (wanted && reply.ok) setFound({ query, rows: reply.value.rows })
    }
    const timer = setTimeout(() => void search(), searchAfterMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [session, query])
  return useMemo(() => {
    if (found?.query === query) return found.rows
    // until main has answered, what is known and fits
    const wanted = query.trim().toLowerCase()
    return newest.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, newestMax)
  }, [query, found, newest])
}
const newestMax = 5
