import type { AgentId } from '../../shared/agent.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { chord } from '../state/keys.ts'
import { useNavigation } from '../state/place.ts'
import { isReady } from '../state/status.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Mark, usable, useAgent, useAgentIds } from './Agent.tsx'
import { ConversationItem } from './ConversationItem.tsx'
import { IconButton } from './IconButton.tsx'
import { Icon } from './icons.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { SidebarFoot } from './SidebarFoot.tsx'

/** Everything there is to open: what waits for the person, groups, agents with their chats, the rehearsal. */
export const Sidebar = () => {
  const { show, go } = useNavigation()
  const session = useSession()
  const hidden = useWorld((world) => world.settings.hiddenAgents)
  const agents = useAgentIds().filter((agent) => !hidden.includes(agent))
  const rehearsing = agents.filter((agent) => agent.startsWith('rehearsal'))
  const rows = useWorld((world) => world.rows)
  const more = useWorld((world) => world.moreConversations)
  const { groups, direct, imported } = sorted(rows)
  return (
    <nav className="sidebar" aria-label={text.sidebar.label} data-region tabIndex={-1} data-list>
      <div className="bar">
        <button type="button" className="brand" title={text.sidebar.welcome} onClick={() => go({ view: 'welcome' })}>
          <Icon name="brand" />
          {text.name}
        </button>
        <span className="grow" />
        <IconButton
          icon="plus"
          label={text.sidebar.newConversation}
          keys={chord('N')}
          act={() => show({ name: 'create', kind: 'group', members: [] })}
        />
      </div>
      <button type="button" className="find" onClick={() => show({ name: 'palette' })}>
        <Icon name="search" small />
        <span className="grow">{text.sidebar.find}</span>
        <span className="meta">{chord('K')}</span>
      </button>
      <div className="sidebar-list">
        <NeedsYou />
        <h2 className="sidebar-head">{text.sidebar.groups}</h2>
        {groups.length === 0 ? <p className="sidebar-hint meta">{text.sidebar.noGroups}</p> : null}
        <ul>
          {groups.map((row) => (
            <ConversationItem key={row.conversationId} row={row} />
          ))}
        </ul>
        {imported.length > 0 ? (
          <>
            <h2 className="sidebar-head">{text.runFile.shelf}</h2>
            <ul>
              {imported.map((row) => (
                <ConversationItem key={row.conversationId} row={row} />
              ))}
            </ul>
          </>
        ) : null}
        <div className="row sidebar-head">
          <h2 className="grow">{text.sidebar.agents}</h2>
          <IconButton icon="wrench" label={text.agents.show} act={() => go({ view: 'agents', agent: null })} />
        </div>
        <AgentRows agents={agents.filter((agent) => !agent.startsWith('rehearsal'))} rows={direct} />
        {rehearsing.length > 0 ? <h2 className="sidebar-head">{text.sidebar.rehearsal}</h2> : null}
        <AgentRows agents={rehearsing} rows={direct} />
        {more === null ? null : (
          <button type="button" className="button plain small older" onClick={() => void session.moreConversations()}>
            {text.common.more}
          </button>
        )}
      </div>
      <SidebarFoot />
    </nav>
  )
}

/** What was opened from a file stands by itself: its agents may not be here. */
const sorted = (rows: readonly ConversationRow[]) => {
  const own = rows.filter(({ imported }) => !imported)
  return {
    groups: own.filter(({ kind }) => kind === 'group'),
    direct: own.filter(({ kind }) => kind === 'direct'),
    imported: rows.filter(({ imported }) => imported === true),
  }
}

const AgentRows = ({ agents, rows }: { agents: readonly AgentId[]; rows: readonly ConversationRow[] }) => (
  <ul>
    {agents.map((agent) => (
      <AgentRow key={agent} agent={agent} chats={rows.filter(({ members }) => members[0] === agent)} />
    ))}
  </ul>
)

const AgentRow = ({ agent, chats }: { agent: AgentId; chats: readonly ConversationRow[] }) => {
  const card = useAgent(agent)
  const { show } = useNavigation()
  const ready = isReady(card)
  return (
    <li>
      <button
        type="button"
        className="item"
        data-item
        title={text.sidebar.newChat(card.name)}
        onClick={() => show({ name: 'create', kind: 'direct', members: [agent] })}
      >
        <Mark card={card} />
        <span className={`grow cut${usable(card) ? '' : ' dim'}`}>{card.name}</span>
        {card.rehearsal ? (
          <span className="meta">{text.common.rehearsal}</span>
        ) : ready ? (
          <span className="meta">{chats.length > 0 ? chats.length : ''}</span>
        ) : (
          <span className="meta">{text.readiness[card.readiness]}</span>
        )}
      </button>
      <ul className="chats">
        {chats.map((row) => (
          <ConversationItem key={row.conversationId} row={row} />
        ))}
      </ul>
    </li>
  )
}
