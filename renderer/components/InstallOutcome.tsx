import type { ReactNode } from 'react'
import type { AgentCard } from '../../shared/agent.ts'
import type { InstallView } from '../../shared/install.ts'
import { installLook } from '../state/status.ts'
import { since } from '../state/time.ts'
import { text } from '../text/text.ts'
import { CopyCommand } from './CopyCommand.tsx'
import { InstallLog } from './InstallLog.tsx'
import { refusalWords } from './refusal-words.ts'
import { State } from './State.tsx'

interface InstallOutcomeProps {
  install: InstallView
  card: AgentCard
  /** What can be done next. */
  children: ReactNode
}

/** How an installation ended, and what is left to do. */
export const InstallOutcome = ({ install, card, children }: InstallOutcomeProps) => (
  <section className="install" aria-label={text.install.title(card.name)}>
    <header className="row" role="status">
      <State look={installLook(install.state)} />
      <span className="meta">{sentenceOf(install)}</span>
    </header>
    {install.state === 'installed' && card.readiness === 'needsLogin' && card.remedy ? (
      <div className="row">
        <span className="quiet-text">{text.install.next}</span>
        <CopyCommand command={card.remedy} />
      </div>
    ) : null}
    {install.failure ? <p className="install-why">{refusalWords(install.failure)}</p> : null}
    {install.log.length > 0 ? <InstallLog lines={install.log} /> : null}
    {children}
  </section>
)

const sentenceOf = ({ state, version, startedAt, endedAt }: InstallView): string => {
  if (state === 'installed') return text.install.done(version, since((endedAt ?? startedAt) - startedAt))
  if (state === 'interrupted') return text.install.interruptedText
  return state === 'cancelled' ? text.install.cancelledText : ''
}
