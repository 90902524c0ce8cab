import { useEffect, useState } from 'react'
import type { AgentCard } from '../../shared/agent.ts'
import { isInstallOver, type InstallOffer, type InstallView } from '../../shared/install.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Icon } from './icons.tsx'
import { InstallOutcome } from './InstallOutcome.tsx'
import { InstallProgress } from './InstallProgress.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** Installing one agent: offered where it is missing, confirmed, followed, cancelled, and told how it ended. */
export const InstallSection = ({ card }: { card: AgentCard }) => {
  const session = useSession()
  const offers = useWorld((world) => world.offers)
  const install = useWorld((world) => world.install)
  const { call, failure, busy } = useCommand()
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (offers === null) void session.readInstall()
  }, [session, offers])

  const own = install?.agent === card.agent ? install : null
  const offer = offers?.find(({ agent }) => agent === card.agent) ?? null
  const start = async () => {
    await call('install.start', { agent: card.agent })
    setAsking(false)
  }

  if (offers === null || card.rehearsal || card.kind === 'custom') return null
  if (own && !isInstallOver(own.state)) return <InstallProgress install={own} name={card.name} />
  if (asking && offer) {
    return (
      <Confirmation name={card.name} offer={offer} busy={busy} no={() => setAsking(false)} yes={() => void start()} />
    )
  }
  const missing = isMissing(card)
  const next = (
    <>
      {missing ? <Offer card={card} offer={offer} install={install} ask={() => setAsking(true)} /> : null}
      <Refusal failure={failure} />
    </>
  )
  if (!own || !(missing || own.state === 'installed')) return next
  return (
    <InstallOutcome install={own} card={card}>
      {next}
    </InstallOutcome>
  )
}

/** Only where nothing answers: what is there, though too old, is mended the way it was installed. */
const isMissing = ({ readiness, version }: AgentCard) =>
  version === null && (readiness === 'notInstalled' || readiness === 'incompatible')

interface OfferProps {
  card: AgentCard
  offer: InstallOffer | null
  install: InstallView | null
  ask: () => void
}

const Offer = ({ card, offer, install, ask }: OfferProps) => {
  const names = useNames()
  if (!offer) return <p className="quiet-text">{text.install.noRecipe(card.name)}</p>
  const other = install && !isInstallOver(install.state) ? install.agent : null
  const failed = install?.agent === card.agent && install.state !== 'installed'
  return (
    <div className="row install-offer">
      <button type="button" className="button" disabled={other !== null} onClick={ask}>
        <Icon name={failed ? 'again' : 'plus'} small />
        {failed ? text.install.again : text.install.title(card.name)}
      </button>
      <span className="meta">
        {other === null ? `${offer.package} ${offer.version}` : text.install.busy(names(other))}
      </span>
    </div>
  )
}

interface ConfirmationProps {
  name: string
  offer: InstallOffer
  busy: boolean
  yes: () => void
  no: () => void
}

const Confirmation = ({ name, offer, busy, yes, no }: ConfirmationProps) => (
  <section className="install" aria-label={text.install.title(name)}>
    <h3 className="title">{text.install.confirmTitle(name)}</h3>
    <dl className="install-facts">
      <dt>{text.install.package}</dt>
      <dd className="mono">{offer.package}</dd>
      <dt>{text.install.version}</dt>
      <dd className="mono">{offer.version}</dd>
      <dt>{text.install.folder}</dt>
      <dd className="mono">{offer.folder}</dd>
      <dt>{text.install.how}</dt>
      <dd>{offer.scripts ? text.install.scripts : text.install.noScripts}</dd>
    </dl>
    <p className="meta">{text.install.promise}</p>
    <div className="row">
      <button type="button" className="button solid" disabled={busy} onClick={yes}>
        {text.install.confirm}
      </button>
      <button type="button" className="button" disabled={busy} onClick={no}>
        {text.install.notNow}
      </button>
    </div>
  </section>
)
