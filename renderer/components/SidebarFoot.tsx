import type { Settings } from '../../shared/settings.ts'
import { chord } from '../state/keys.ts'
import { useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon } from './icons.tsx'

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
      <button
        type="button"
        className="button plain square"
        aria-label={text.sidebar.theme[theme]}
        title={text.sidebar.theme[theme]}
        onClick={() => void session.saveSettings({ theme: nextTheme[theme] })}
      >
        <Icon name="theme" />
      </button>
      <button
        type="button"
        className="button plain square"
        aria-label={text.settings.title}
        title={text.settings.title}
        onClick={() => show({ name: 'settings' })}
      >
        <Icon name="settings" />
      </button>
      <button
        type="button"
        className="button plain square"
        aria-label={text.sidebar.allKeys}
        title={`${text.sidebar.allKeys} (${chord('/')})`}
        onClick={() => show({ name: 'keys' })}
      >
        <Icon name="keys" />
      </button>
      {rail ? null : (
        <button
          type="button"
          className="button plain square"
          aria-label={text.palette.quit}
          title={text.palette.quit}
          onClick={() => show({ name: 'quit' })}
        >
          <Icon name="power" />
        </button>
      )}
      <span className="grow" />
      <button
        type="button"
        className="button plain square"
        aria-label={fold}
        title={`${fold} (${chord('B')})`}
        onClick={toggle}
      >
        <Icon name="sidebar" />
      </button>
    </footer>
  )
}
