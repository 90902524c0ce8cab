import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { QuitSurvey, QuitWish } from '../../shared/quit.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { useNavigation } from '../state/place.ts'
import { installLook, rowLook } from '../state/status.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Refusal } from './Refusal.tsx'
import { Sheet } from './Sheet.tsx'
import { State } from './State.tsx'
import { useCommand } from './use-command.ts'

/** Asks main what quitting would mean; quits at once where it cuts nothing off, else lists it and asks. */
export const QuitDialog = () => {
  const session = useSession()
  const { show } = useNavigation()
  const { call, failure, busy } = useCommand()
  const [refused, setRefused] = useState<Failure | null>(null)
  const [survey, setSurvey] = useState<QuitSurvey | null>(null)
  /** Whether main waits for the answer that this dialog has not given yet. */
  const isAsked = useRef(false)
  useEffect(() => {
    let wanted = true
    void session.call('app.quit', { wish: 'ask' }).then((reply) => {
      if (reply.ok) isAsked.current = reply.value.quitting === 'asked'
      if (!wanted) return undefined
      if (reply.ok) setSurvey(reply.value.survey)
      else setRefused(reply.failure)
      return undefined
    })
    return () => {
      wanted = false
      if (isAsked.current) void session.call('app.quit', { wish: 'cancel' })
    }
  }, [session])
  const decide = async (wish: QuitWish) => {
    isAsked.current = false
    await call('app.quit', { wish })
    show(null)
  }
  return (
    <Sheet label={text.quit.title}>
      <h2 className="view-title">{text.quit.title}</h2>
      <Refusal failure={refused} />
      {survey === null && !refused ? <p className="meta">{text.common.reading}</p> : null}
      {survey && (survey.interrupts.length > 0 || survey.install) ? (
        <>
          <Interrupted survey={survey} />
          {survey.keeps.length > 0 ? (
            <Listed words={text.quit.keeps}>
              {survey.keeps.map((row) => (
                <Row key={row.conversationId} row={row} />
              ))}
            </Listed>
          ) : null}
          <p className="meta">{text.quit.waitHint}</p>
          <Refusal failure={failure} />
          <div className="sheet-actions">
            <button type="button" className="button" disabled={busy} onClick={() => void decide('cancel')}>
              {text.common.cancel}
            </button>
            <button type="button" className="button" disabled={busy} onClick={() => void decide('now')}>
              {text.quit.now}
            </button>
            <button
              type="button"
              className="button solid"
              autoFocus
              disabled={busy}
              onClick={() => void decide('wait')}
            >
              {text.quit.wait}
            </button>
          </div>
        </>
      ) : null}
    </Sheet>
  )
}

const Interrupted = ({ survey: { interrupts, install } }: { survey: QuitSurvey }) => {
  const names = useNames()
  return (
    <Listed words={text.quit.interrupts}>
      {interrupts.map((row) => (
        <Row key={row.conversationId} row={row} />
      ))}
      {install ? (
        <li>
          <State look={installLook('installing')} wordless />
          <b className="cut grow">{text.quit.install(names(install.agent))}</b>
          <span className="meta">{`${install.package} ${install.version}`}</span>
        </li>
      ) : null}
    </Listed>
  )
}

const Listed = ({ words, children }: { words: string; children: ReactNode }) => (
  <>
    <p className="quiet-text">{words}</p>
    <ul className="quit-list">{children}</ul>
  </>
)

const Row = ({ row }: { row: ConversationRow }) => (
  <li>
    <State look={rowLook(row)} wordless />
    <b className="cut grow">{row.name}</b>
    <span className="meta">{rowLook(row).word}</span>
  </li>
)
