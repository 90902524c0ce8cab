import type { Settings } from '../../shared/settings.ts'
import { chord } from '../state/keys.ts'
import { useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { IconButton } from './IconButton.tsx'

const nextTheme: Record<Settings['theme'], Settings['theme']> = { system: 'light', light: 'dark', dark: 'system' }

/** Theme, keys, quitting, and folding the sidebar away. */
export const SidebarFoot = ({ rail = false }: { rail?: boolean }) => {
  const session = useSession()
  const { show, narrow, draw } = useNavigation()
  const theme = useWorld((world) => world.settings.theme)
  const fold = rail ? text.sidebar.unfold : text.sidebar.fold
  const toggle = () => (narrow ? draw(rail ? 'sidebar' : null) : void session.saveSettings({ sidebarOpen: rail }))
  return (
    <footer className={rail ? 'rail-foot' : 'sidebar-foot'}>
      <IconButton
        icon="theme"
        label={text.sidebar.theme[theme]}
        act={() => void session.saveSettings({ theme: nextTheme[theme] })}
      />
      <IconButton icon="settings" label={text.settings.title} act={() => show({ name: 'settings' })} />
      <IconButton icon="keys" label={text.sidebar.allKeys} keys={chord('/')} act={() => show({ name: 'keys' })} />
      {rail ? null : (
        <IconButton icon="file" label={text.runFile.importTitle} act={() => show({ name: 'import' })} />
      )}
      {rail ? null : <IconButton icon="power" label={text.palette.quit} act={() => show({ name: 'quit' })} />}
      <span className="grow" />
      <IconButton icon="sidebar" label={fold} keys={chord('B')} act={toggle} />
    </footer>
  )
}
