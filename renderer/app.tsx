import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Bridge } from '../shared/ipc.ts'
import { ErrorBoundary } from './components/ErrorBoundary.tsx'
import { Frame } from './components/Frame.tsx'
import { Start, storeTitle } from './screens/Start.tsx'
import { Session } from './state/session.ts'
import { SessionContext } from './state/use-session.ts'
import { speak, text } from './text/text.ts'

/** The whole window over one bridge; without a bridge it says what it needs. */
export const App = ({ bridge }: { bridge: Bridge | null }) =>
  bridge ? <Opened bridge={bridge} /> : <Start title={text.start.noBridge} words={text.start.noBridgeText} />

const Opened = ({ bridge }: { bridge: Bridge }) => {
  const [session] = useState(() => new Session(bridge))
  useEffect(() => session.start(), [session])
  const ready = useSyncExternalStore(session.subscribe, () => session.model.world !== null)
  const failure = useSyncExternalStore(session.subscribe, () => session.model.failure)
  const language = useSyncExternalStore(session.subscribe, () => session.model.world?.settings.language ?? 'en')
  speak(language)
  useTheme(session)
  if (ready) {
    return (
      <SessionContext value={session}>
        <ErrorBoundary>
          <Frame key={language} />
        </ErrorBoundary>
      </SessionContext>
    )
  }
  if (!failure) return <Start title={text.name} words={text.start.opening} />
  return (
    <Start title={storeTitle(failure)} failure={failure}>
      <button type="button" className="button" onClick={() => void session.again()}>
        {text.common.tryAgain}
      </button>
    </Start>
  )
}

function useTheme(session: Session) {
  const theme = useSyncExternalStore(session.subscribe, () => session.model.world?.settings.theme ?? 'system')
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
}
