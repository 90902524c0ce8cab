import { useEffect, useState } from 'react'
import type { AgentCard } from '../../shared/agent.ts'
import type { Failure } from '../../shared/errors.ts'
import { ProviderKind } from '../../shared/provider.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'
import { ProviderChoice } from './ProviderChoice.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { ProviderRow } from './ProviderRow.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** The providers that one agent may work with: which one it does, and the ways to add, try, change and remove one. */
export const ProviderSection = ({ card }: { card: AgentCard }) => {
  const kind = ProviderKind.safeParse(card.kind)
  return kind.success ? <Section card={card} kind={kind.data} /> : null
}

const Section = ({ card, kind }: { card: AgentCard; kind: ProviderKind }) => {
  const session = useSession()
  const known = useWorld((world) => world.providers)
  const [unread, setUnread] = useState<Failure | null>(null)
  const [adding, setAdding] = useState(false)
  const words = text.providers
  useEffect(() => {
    if (known === null) void session.readProviders().then(setUnread)
  }, [session, known])
  const profiles = known?.profiles.filter((profile) => profile.kind === kind) ?? []
  return (
    <section className="providers" aria-label={words.list(card.name)}>
      <header className="row">
        <h3 className="title grow">{words.title}</h3>
        {known && !adding ? (
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            <Icon name="plus" small />
            {words.add}
          </button>
        ) : null}
      </header>
      <p className="meta">{words.about(card.name)}</p>
      <Refusal failure={unread} />
      {!known && !unread ? <p className="meta">{text.common.reading}</p> : null}
      {known && !known.keepsKeys ? <Unkept /> : null}
      {known ? (
        <ul className="provider-list">
          <OwnLogin card={card} kind={kind} active={!profiles.some(({ active }) => active)} />
          {profiles.map((profile) => (
            <ProviderRow key={profile.profileId} agent={card.name} profile={profile} keepsKeys={known.keepsKeys} />
          ))}
        </ul>
      ) : null}
      {known && adding ? (
        <ProviderForm
          agent={card.name}
          kind={kind}
          profile={null}
          keepsKeys={known.keepsKeys}
          leave={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}

const OwnLogin = ({ card, kind, active }: { card: AgentCard; kind: ProviderKind; active: boolean }) => {
  const { call, failure, busy } = useCommand()
  const words = text.providers
  return (
    <li className="provider" data-active={active || undefined}>
      <div className="provider-line">
        <div className="provider-what grow">
          <b>{words.ownLogin}</b>
          <span className="meta">{words.ownLoginText(card.name)}</span>
        </div>
        <ProviderChoice
          name={words.ownLogin}
          active={active}
          busy={busy}
          choose={() => void call('providers.activate', { kind, profileId: null })}
        />
      </div>
      <Refusal failure={failure} />
    </li>
  )
}

const Unkept = () => (
  <div className="provider-unkept" role="note">
    <Icon name="lock" small />
    <div>
      <b>{text.providers.unkept}</b>
      <p className="meta">{text.providers.unkeptText}</p>
    </div>
  </div>
)
