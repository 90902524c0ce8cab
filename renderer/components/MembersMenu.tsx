import { useRef, useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { Conversation } from '../../shared/conversation.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent, useAgentIds } from './Agent.tsx'
import { useDismiss } from './AgentMenu.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** Who sits at the table of a group: changed here, between runs. */
export const MembersMenu = ({ conversation }: { conversation: Conversation }) => {
  const session = useSession()
  const { call, failure, clear } = useCommand()
  const agents = useAgentIds()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    clear()
  }
  useDismiss(box, open, close)
  const { conversationId, members } = conversation
  const toggle = async (agent: AgentId) => {
    const next = members.includes(agent) ? members.filter((one) => one !== agent) : [...members, agent]
    const updated = await call('conversation.update', { conversationId, members: next })
    if (updated) session.knowConversation(updated.conversation)
  }
  return (
    <div className="menu-anchor" ref={box}>
      <button
        type="button"
        className="button plain small square"
        aria-label={text.composer.members}
        title={text.composer.members}
        aria-expanded={open}
        onClick={() => (open ? close() : setOpen(true))}
      >
        <Icon name="plus" small />
      </button>
      {open ? (
        <div className="menu-list up" role="group" aria-label={text.composer.members} data-list>
          {agents.map((agent) => (
            <MemberItem key={agent} agent={agent} member={members.includes(agent)} toggle={() => void toggle(agent)} />
          ))}
          <Refusal failure={failure} />
        </div>
      ) : null}
    </div>
  )
}

const MemberItem = ({ agent, member, toggle }: { agent: AgentId; member: boolean; toggle: () => void }) => {
  const card = useAgent(agent)
  return (
    <button type="button" className="button menu-item" data-item aria-pressed={member} onClick={toggle}>
      <Mark card={card} />
      <span className="grow menu-name">{card.name}</span>
      {card.rehearsal ? <span className="tag">{text.common.rehearsal}</span> : null}
      {member ? <Icon name="check" small /> : null}
    </button>
  )
}
