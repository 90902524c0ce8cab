import { useEffect } from 'react'
import { composes, onMac, shortcutOf, takesText, type Shortcut } from '../state/keys.ts'
import { conversationPlace, leavingPast, useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { answerByDigit, focusInList, focusNextGate, focusRegion } from './focus.ts'
import { useActiveRun } from './use-active-run.ts'

/** Listens to the keys that work in the whole window. */
export function useKeys() {
  const does = useShortcuts()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if (plain(event) && answerByDigit(event.key)) {
        event.preventDefault()
        return
      }
      const shortcut = shortcutOf(event, { mac: onMac(), inText: takesText(document.activeElement) })
      if (!shortcut) return
      if (does(shortcut)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [does])
}

const plain = (event: KeyboardEvent) => !composes(event) && !event.ctrlKey && !event.metaKey && !event.altKey

function useShortcuts() {
  const session = useSession()
  const navigation = useNavigation()
  const run = useActiveRun()
  const sidebarOpen = useWorld((world) => world.settings.sidebarOpen)
  const panelOpen = useWorld((world) => world.settings.panelOpen)
  const { overlay, narrow, drawer, go, show, draw, refuse } = navigation

  function fold(which: 'sidebar' | 'panel') {
    if (narrow) draw(drawer === which ? null : which)
    else void session.saveSettings(which === 'sidebar' ? { sidebarOpen: !sidebarOpen } : { panelOpen: !panelOpen })
    return true
  }
  /** Closes the topmost thing; never ends a run, never answers a gate. */
  function close() {
    const { place } = navigation
    if (overlay) show(null)
    else if (drawer) draw(null)
    else if (navigation.refused) refuse(null)
    else if (place.view === 'conversation' && place.attemptId !== null) go(conversationPlace(place.conversationId))
    else if (place.view === 'inbox') navigation.leaveInbox()
    else if (place.view === 'past') go(leavingPast(place))
    else return false
    return true
  }
  async function stop(runId: string) {
    const reply = await session.call('run.stop', { runId })
    refuse(reply.ok ? null : reply.failure)
  }
  function nextGate() {
    if (!focusNextGate()) go({ view: 'inbox', gateId: null })
    return true
  }

  return (shortcut: Shortcut): boolean => {
    // what lies on top has the keys; only the palette is closed by the key that opened it
    if (overlay && shortcut !== 'close' && !(shortcut === 'find' && overlay.name === 'palette')) return false
    switch (shortcut) {
      case 'find':
        show(overlay ? null : { name: 'palette' })
        return true
      case 'create':
        show({ name: 'create', kind: 'group', members: [] })
        return true
      case 'keys':
        show({ name: 'keys' })
        return true
      case 'sidebar':
      case 'panel':
        return fold(shortcut)
      case 'stop':
        if (run) void stop(run.run.runId)
        return true
      case 'region':
        focusRegion(1)
        return true
      case 'regionBefore':
        focusRegion(-1)
        return true
      case 'gate':
        return nextGate()
      case 'next':
        focusInList(1)
        return true
      case 'previous':
        focusInList(-1)
        return true
      case 'close':
        return close()
    }
  }
}
