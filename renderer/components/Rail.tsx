import { chord } from '../state/keys.ts'
import { conversationIn, conversationPlace, useNavigation } from '../state/place.ts'
import { rowLook } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { SidebarFoot } from './SidebarFoot.tsx'

const shownMax = 6

/** The sidebar folded to 48 pixels: what needs the person, the latest conversations by their state. */
export const Rail = () => {
  const { place, go, show } = useNavigation()
  const rows = useWorld((world) => world.rows)
  return (
    <nav className="rail" aria-label={text.sidebar.label} data-region tabIndex={-1} data-list>
      <button
        type="button"
        className="bar rail-brand"
        aria-label={text.sidebar.welcome}
        title={text.sidebar.welcome}
        onClick={() => go({ view: 'welcome' })}
      >
        <Icon name="brand" />
      </button>
      <div className="rail-list">
        <NeedsYou rail />
        <button
          type="button"
          className="rail-item"
          aria-label={text.sidebar.find}
          title={`${text.sidebar.find} (${chord('K')})`}
          onClick={() => show({ name: 'palette' })}
        >
          <Icon name="search" />
        </button>
        <button
          type="button"
          className="rail-item"
          aria-label={text.sidebar.newConversation}
          title={`${text.sidebar.newConversation} (${chord('N')})`}
          onClick={() => show({ name: 'create', kind: 'group', members: [] })}
        >
          <Icon name="plus" />
        </button>
        {rows.slice(0, shownMax).map((row) => {
          const look = rowLook(row)
          const current = conversationIn(place) === row.conversationId
          return (
            <button
              type="button"
              key={row.conversationId}
              className="rail-item"
              data-item
              data-tone={look.tone}
              aria-current={current ? 'page' : undefined}
              aria-label={`${row.name} ${look.word}`}
              title={row.name}
              onClick={() => go(conversationPlace(row.conversationId))}
            >
              <span className="tone">
                <Icon name={look.icon} />
              </span>
            </button>
          )
        })}
      </div>
      <SidebarFoot rail />
    </nav>
  )
}
