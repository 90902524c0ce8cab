import { useCallback, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import { Agents } from '../screens/Agents.tsx'
import { ConversationScreen } from '../screens/Conversation.tsx'
import { Inbox } from '../screens/Inbox.tsx'
import { Past } from '../screens/Past.tsx'
import { readOnlyWords, Start, storeTitle } from '../screens/Start.tsx'
import { Welcome } from '../screens/Welcome.tsx'
import type { World } from '../state/model.ts'
import { conversationPlace, NavigationContext, type Navigation, type Overlay, type Place } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Announcer } from './Announcer.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { InstallInterrupted } from './InstallInterrupted.tsx'
import { Overlays } from './Overlays.tsx'
import { Panel } from './Panel.tsx'
import { Rail } from './Rail.tsx'
import { QuitWaiting } from './QuitWaiting.tsx'
import { ReadOnlyBanner } from './ReadOnlyBanner.tsx'
import { Refusal } from './Refusal.tsx'
import { RestoredBanner } from './RestoredBanner.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useKeys } from './use-keys.ts'
import { useNarrow } from './use-narrow.ts'

/** The three columns, what lies over them, and the keys that work everywhere. */
export const Frame = () => {
  const navigation = useNavigationState()
  const lifecycle = useWorld((world) => world.app.lifecycle)
  if (lifecycle === 'draining' || lifecycle === 'closed')
    return <Start title={text.start.drained} words={text.start.drainedText} />
  return (
    <NavigationContext value={navigation}>
      <Columns navigation={navigation} />
    </NavigationContext>
  )
}

const Columns = ({ navigation }: { navigation: Navigation }) => {
  const { place, narrow, drawer, draw } = navigation
  const sidebarOpen = useWorld((world) => world.settings.sidebarOpen)
  const panelOpen = useWorld((world) => world.settings.panelOpen)
  useKeys()
  useKeptFocus()
  const beside = place.view === 'conversation' && (narrow ? drawer === 'panel' : panelOpen)
  return (
    <div className="frame">
      <ReadOnlyBanner />
      <RestoredBanner />
      <QuitWaiting />
      <InstallInterrupted />
      <Refused navigation={navigation} />
      <div className="columns" data-narrow={narrow || undefined}>
        {narrow || !sidebarOpen ? <Rail /> : <Sidebar />}
        <ErrorBoundary key={placeKey(place)}>
          <Shown place={place} />
        </ErrorBoundary>
        {beside ? (
          <ErrorBoundary>
            <Panel />
          </ErrorBoundary>
        ) : null}
        {narrow && drawer === 'sidebar' ? (
          <div className="drawer-left fade-in">
            <Sidebar />
          </div>
        ) : null}
        {narrow && drawer ? (
          <button type="button" className="scrim" aria-label={text.common.close} onClick={() => draw(null)} />
        ) : null}
      </div>
      <Overlays />
      <Announcer />
    </div>
  )
}

/** What was refused and has no other place, until it is closed or something else is done. */
const Refused = ({ navigation: { refused, refuse } }: { navigation: Navigation }) =>
  refused ? (
    <div className="strip">
      <Refusal failure={refused} />
      <span className="grow" />
      <button type="button" className="button plain small" onClick={() => refuse(null)}>
        {text.common.close}
      </button>
    </div>
  ) : null

const Shown = ({ place }: { place: Place }) => {
  const readOnly = useWorld((world) => (world.rows.length === 0 ? world.app.readOnly : null))
  if (readOnly && place.view !== 'conversation') {
    return (
      <div className="main">
        <Start title={storeTitle(readOnly)} failure={readOnly} words={readOnlyWords(readOnly)} />
      </div>
    )
  }
  switch (place.view) {
    case 'welcome':
      return <Welcome />
    case 'inbox':
      return <Inbox gateId={place.gateId} />
    case 'agents':
      return <Agents agent={place.agent} />
    case 'conversation':
      return <ConversationScreen key={place.conversationId} conversationId={place.conversationId} />
    case 'past':
      return <Past key={place.runId} runId={place.runId} conversationId={place.conversationId} />
  }
}

const placeKey = (place: Place) =>
  place.view === 'conversation' ? `${place.conversationId} ${place.attemptId ?? ''}` : place.view

function useNavigationState(): Navigation {
  const session = useSession()
  const [place, setPlace] = useState<Place>(() =>
    session.model.world ? firstPlace(session.model.world) : { view: 'welcome' },
  )
  const [overlay, show] = useState<Overlay | null>(null)
  const [drawn, draw] = useState<Navigation['drawer']>(null)
  const narrow = useNarrow()
  const drawer = narrow ? drawn : null
  const [refused, refuse] = useState<Failure | null>(null)
  const before = useRef<Place>(place.view === 'inbox' ? { view: 'welcome' } : place)
  const go = useCallback((next: Place) => {
    setPlace(next)
    refuse(null)
    if (next.view !== 'inbox') before.current = next
    draw((open) => (open === 'panel' && next.view === 'conversation' && next.attemptId !== null ? open : null))
  }, [])
  const leaveInbox = useCallback(() => go(before.current), [go])
  return useMemo(
    () => ({ place, overlay, drawer, narrow, refused, go, show, draw, refuse, leaveInbox }),
    [place, overlay, drawer, narrow, refused, go, leaveInbox],
  )
}

/** What needs the person first, else the newest conversation, else the welcome. */
function firstPlace({ rows }: World): Place {
  const first = rows.find((row) => row.gatesWaiting > 0) ?? rows[0]
  return first ? conversationPlace(first.conversationId) : { view: 'welcome' }
}
