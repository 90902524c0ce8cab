import { useMemo } from 'react'
import type { Settings } from '../../shared/settings.ts'
import type { CommandName, Input } from '../../shared/ipc.ts'
import { pastPlace, useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import type { IconName } from './icons.tsx'
import { useActiveRun, useShownRun } from './use-active-run.ts'
import { useRehearsal } from './use-rehearsal.ts'

interface Doing {
  word: string
  icon: IconName
  does: () => void
}

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark']

/** What can be done from anywhere in the window. */
export function useDoings(): Doing[] {
  const session = useSession()
  const { go, show, refuse, narrow, draw } = useNavigation()
  const { start } = useRehearsal()
  const run = useActiveRun()
  const shown = useShownRun(null)
  const sidebarOpen = useWorld((world) => world.settings.sidebarOpen)
  const panelOpen = useWorld((world) => world.settings.panelOpen)
  const words = text.palette
  const runId = run?.run.runId
  const status = run?.run.status
  const shownId = shown?.run.runId
  const conversationId = shown?.run.conversationId ?? null
  return useMemo(() => {
    const say = async <N extends CommandName>(name: N, input: Input<N>) => {
      const reply = await session.call(name, input)
      refuse(reply.ok ? null : reply.failure)
    }
    const fold = (which: 'sidebar' | 'panel', open: boolean) => {
      if (narrow) draw(which)
      else void session.saveSettings(which === 'sidebar' ? { sidebarOpen: !open } : { panelOpen: !open })
    }
    const ofRun: Doing[] =
      runId === undefined
        ? []
        : [
            { word: words.stop, icon: 'stop', does: () => void say('run.stop', { runId }) },
            status === 'holding'
              ? { word: words.resume, icon: 'play', does: () => void say('run.resume', { runId }) }
              : { word: words.pause, icon: 'pause', does: () => void say('run.pause', { runId }) },
          ]
    const back: Doing[] =
      shownId === undefined
        ? []
        : [{ word: words.lookBack, icon: 'clock', does: () => go(pastPlace({ runId: shownId, conversationId })) }]
    return [
      ...ofRun,
      ...back,
      { word: words.newConversation, icon: 'plus', does: () => show({ name: 'create', kind: 'group', members: [] }) },
      { word: words.inbox, icon: 'needs', does: () => go({ view: 'inbox', gateId: null }) },
      { word: words.rehearsal, icon: 'play', does: () => void start().then(refuse) },
      { word: words.welcome, icon: 'home', does: () => go({ view: 'welcome' }) },
      { word: text.agents.show, icon: 'wrench', does: () => go({ view: 'agents', agent: null }) },
      { word: words.scan, icon: 'again', does: () => void session.scan() },
      ...themes.map((theme): Doing => ({
        word: words.theme[theme],
        icon: 'theme',
        does: () => void session.saveSettings({ theme }),
      })),
      { word: words.sidebar, icon: 'sidebar', does: () => fold('sidebar', sidebarOpen) },
      { word: words.panel, icon: 'panel', does: () => fold('panel', panelOpen) },
      { word: text.runFile.importTitle, icon: 'file', does: () => show({ name: 'import' }) },
      { word: words.settings, icon: 'settings', does: () => show({ name: 'settings' }) },
      { word: words.keys, icon: 'keys', does: () => show({ name: 'keys' }) },
      { word: words.quit, icon: 'power', does: () => show({ name: 'quit' }) },
    ]
  }, [
    session, go, show, refuse, narrow, draw, start,
    runId, status, shownId, conversationId, sidebarOpen, panelOpen, words,
  ])
}
