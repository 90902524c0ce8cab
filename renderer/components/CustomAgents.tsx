import { useCallback, useEffect, useState } from 'react'
import type { CustomAgentView } from '../../shared/custom-agent.ts'
import type { Failure } from '../../shared/errors.ts'
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
        <h3 className="custom-title grow" id="custom-agents-title">
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
  const [agents, setAgents] = useState<readonly CustomAgentView[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [readings, setReadings] = useState(0)
  useEffect(() => {
    let wanted = true
    void session.call('custom.list', {}).then((reply) => {
      if (!wanted) return undefined
      setFailure(reply.ok ? null : reply.failure)
      if (reply.ok) setAgents(reply.value.agents)
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session, readings])
  return { agents, failure, readAgain: useCallback(() => setReadings((before) => before + 1), []) }
}
