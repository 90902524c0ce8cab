import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { ConversationRow } from '../../shared/view.ts'
import { useNavigation } from '../state/place.ts'
import { rowLook } from '../state/status.ts'
import { useSession } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Refusal } from './Refusal.tsx'
import { Sheet } from './Sheet.tsx'
import { State } from './State.tsx'
import { useCommand } from './use-command.ts'

/** Asks main what quitting would interrupt; quits at once where nothing runs, else lists it and asks. */
export const QuitDialog = () => {
  const session = useSession()
  const { show } = useNavigation()
  const { call, failure, busy } = useCommand()
  const [refused, setRefused] = useState<Failure | null>(null)
  const [running, setRunning] = useState<readonly ConversationRow[] | null>(null)
  useEffect(() => {
    let wanted = true
    void session.call('app.quit', { confirmed: false }).then((reply) => {
      if (!wanted) return undefined
      if (reply.ok) setRunning(reply.value.running)
      else setRefused(reply.failure)
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [session])
  return (
    <Sheet label={text.quit.title}>
      <h2 className="view-title">{text.quit.title}</h2>
      <Refusal failure={refused} />
      {running === null && !refused ? <p className="meta">{text.common.reading}</p> : null}
      {running && running.length > 0 ? (
        <>
          <p className="quiet-text">{text.quit.text}</p>
          <ul className="quit-list">
            {running.map((row) => (
              <li key={row.conversationId}>
                <State look={rowLook(row)} wordless />
                <b className="cut grow">{row.name}</b>
                <span className="meta">{rowLook(row).word}</span>
              </li>
            ))}
          </ul>
          <Refusal failure={failure} />
          <div className="sheet-actions">
            <button type="button" className="button" autoFocus onClick={() => show(null)}>
              {text.quit.stay}
            </button>
            <button
              type="button"
              className="button solid"
              disabled={busy}
              onClick={() => void call('app.quit', { confirmed: true })}
            >
              {text.quit.quit}
            </button>
          </div>
        </>
      ) : null}
    </Sheet>
  )
}
