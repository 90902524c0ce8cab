import { useState } from 'react'
import type { AgentId } from '../../shared/agent.ts'
import type { RoundSettings } from '../../shared/conversation.ts'
import { nameMaxCharacters, roundsDefault } from '../../shared/limits.ts'
import { conversationPlace, useNavigation } from '../state/place.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent, useAgentIds } from './Agent.tsx'
import { DirectoryField } from './DirectoryField.tsx'
import { Row } from './FormFields.tsx'
import { Icon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { RoundControls } from './RoundControls.tsx'
import { Sheet } from './Sheet.tsx'
import { useCommand } from './use-command.ts'

/** Makes a conversation: with whom, where, and what they may do there. */
export const CreateDialog = ({
  kind: firstKind,
  members: firstMembers,
}: {
  kind: 'direct' | 'group'
  members: readonly string[]
}) => {
  const { go, show } = useNavigation()
  const session = useSession()
  const { call, failure, busy } = useCommand()
  const agents = useAgentIds()
  const [kind, setKind] = useState(firstKind)
  const [members, setMembers] = useState<readonly AgentId[]>(() =>
    agents.filter((agent) => firstMembers.includes(agent)),
  )
  const [name, setName] = useState('')
  const [workdir, setWorkdir] = useState('')
  const [allowWrite, setAllowWrite] = useState(false)
  const [settings, setSettings] = useState<RoundSettings>({ rounds: roundsDefault, blindFirst: false })
  const [unlimited, setUnlimited] = useState(false)
  const missing = whatIsMissing(kind, members, settings, unlimited)

  const toggle = (agent: AgentId) => {
    if (kind === 'direct') setMembers([agent])
    else setMembers(members.includes(agent) ? members.filter((one) => one !== agent) : [...members, agent])
  }
  const change = (next: 'direct' | 'group') => {
    setKind(next)
    if (next === 'direct') setMembers(members.slice(0, 1))
  }
  async function create() {
    if (missing || busy) return
    const made = await call('conversation.create', {
      kind,
      name: name.trim() === '' ? null : name.trim(),
      members: [...members],
      workdir: workdir.trim() === '' ? null : workdir.trim(),
      allowWrite,
      settings: kind === 'group' ? settings : null,
    })
    if (!made) return
    await session.saveSettings({ welcomed: true })
    show(null)
    go(conversationPlace(made.conversationId))
  }

  return (
    <Sheet label={text.create.title} className="create">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <header className="row">
          <h2 className="view-title grow">{text.create.title}</h2>
          <div className="segments" role="group" aria-label={text.create.kind}>
            <button type="button" aria-pressed={kind === 'group'} onClick={() => change('group')}>
              {text.create.group}
            </button>
            <button type="button" aria-pressed={kind === 'direct'} onClick={() => change('direct')}>
              {text.create.direct}
            </button>
          </div>
        </header>
        <Row label={kind === 'group' ? text.create.members : text.create.agent}>
          <div className="members" role="group">
            {agents.map((agent) => (
              <Member key={agent} agent={agent} chosen={members.includes(agent)} toggle={() => toggle(agent)} />
            ))}
          </div>
        </Row>
        <Row label={text.create.name}>
          <input
            className="field"
            aria-label={text.create.name}
            placeholder={text.create.nameHint}
            maxLength={nameMaxCharacters}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Row>
        <Row label={text.create.directory}>
          <div className="row">
            <DirectoryField path={workdir} change={setWorkdir} />
          </div>
        </Row>
        <Row label={text.create.access}>
          <div className="segments" role="group" aria-label={text.create.access}>
            <button type="button" aria-pressed={!allowWrite} onClick={() => setAllowWrite(false)}>
              {text.create.readOnly}
            </button>
            <button type="button" aria-pressed={allowWrite} onClick={() => setAllowWrite(true)}>
              {text.create.write}
            </button>
          </div>
          <p className="meta">{allowWrite ? text.create.writeText : text.create.readOnlyText}</p>
        </Row>
        {kind === 'group' ? (
          <Row label={text.create.rounds}>
            <div className="row round-controls">
              <RoundControls settings={settings} change={setSettings} />
            </div>
            {settings.rounds === null ? (
              <label className="check">
                <input type="checkbox" checked={unlimited} onChange={(event) => setUnlimited(event.target.checked)} />
                {text.create.confirmUnlimited}
              </label>
            ) : null}
            {settings.blindFirst ? <p className="meta">{text.create.blindText}</p> : null}
          </Row>
        ) : null}
        <Refusal failure={failure} />
        <div className="sheet-actions">
          {missing ? <span className="meta grow">{missing}</span> : <span className="grow" />}
          <button type="button" className="button" onClick={() => show(null)}>
            {text.common.cancel}
          </button>
          <button type="submit" className="button solid" aria-disabled={missing !== null || busy || undefined}>
            {text.create.create}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

function whatIsMissing(
  kind: 'direct' | 'group',
  members: readonly AgentId[],
  settings: RoundSettings,
  unlimited: boolean,
) {
  if (kind === 'direct') return members.length === 0 ? text.create.needOne : null
  if (members.length < 2) return text.create.needTwo
  return settings.rounds === null && !unlimited ? text.create.needConfirm : null
}

const Member = ({ agent, chosen, toggle }: { agent: AgentId; chosen: boolean; toggle: () => void }) => {
  const card = useAgent(agent)
  return (
    <button type="button" className="member" aria-pressed={chosen} onClick={toggle}>
      <Mark card={card} />
      <span>{card.name}</span>
      <span className="meta grow">{card.rehearsal ? text.common.rehearsal : text.readiness[card.readiness]}</span>
      {chosen ? <Icon name="check" small /> : null}
    </button>
  )
}
