import { useEffect, useState } from 'react'
import type { Output, Reply } from '../../shared/ipc.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { CustomAgentForm } from './CustomAgentForm.tsx'
import { CustomAgentItem } from './CustomAgentItem.tsx'
import { draftOf, newDraft, type CustomDraft } from './custom-draft.ts'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'

/** The programs that the person made agents of: added, changed and removed here. */
export const CustomAgents = () => {
  const { agents, failure, readAgain } = useCustomAgents()
  const [draft, setDraft] = useState<CustomDraft | null>(null)
  const done = () => {
    setDraft(null)
    readAgain()
  }
  const words = text.custom
  return (
    <section className="custom-agents" aria-labelledby="custom-agents-title">
      <header className="row">
        <h3 className="card-title grow" id="custom-agents-title">
          {words.title}
        </h3>
        {draft ? null : (
          <button type="button" className="button small" onClick={() => setDraft(newDraft)}>
            <Icon name="plus" small />
            {words.add}
          </button>
        )}
      </header>
      <p className="meta">{words.text}</p>
      <Refusal failure={failure} />
      {agents?.length === 0 && !draft ? <p className="meta custom-none">{words.none}</p> : null}
      {agents && agents.length > 0 ? (
        <ul className="custom-list">
          {agents.map((agent) => (
            <CustomAgentItem
              key={agent.agent}
              agent={agent}
              change={() => setDraft(draftOf(agent))}
              removed={() => {
                if (draft?.changes?.agent === agent.agent) setDraft(null)
                readAgain()
              }}
            />
          ))}
        </ul>
      ) : null}
      {draft ? (
        <CustomAgentForm
          key={draft.changes?.agent ?? ''}
          draft={draft}
          change={setDraft}
          saved={done}
          leave={() => setDraft(null)}
        />
      ) : null}
    </section>
  )
}

/** `null` until they have been read. */
const useCustomAgents = () => {
  const session = useSession()
  const [reply, setReply] = useState<Reply<Output<'custom.list'>> | null>(null)
  useEffect(() => {
    let wanted = true
    void session.call('custom.list', {}).then((first) => (wanted ? setReply(first) : undefined))
    return () => {
      wanted = false
    }
  }, [session])
  return {
    agents: reply?.ok ? reply.value.agents : null,
    failure: reply && !reply.ok ? reply.failure : null,
    readAgain: () => void session.call('custom.list', {}).then(setReply),
  }
}
