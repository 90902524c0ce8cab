import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

const narrowest = 464
const widest = 1_000
const stepPx = 24
/** What stays beside it: the sidebar or its rail, and a conversation that can be read. */
const beside = { sidebar: 216, rail: 48, conversation: 440 }

/** The edge that the panel is widened by, with the pointer or with the arrow keys. */
export const PanelEdge = () => {
  const session = useSession()
  const sidebarOpen = useWorld((world) => world.settings.sidebarOpen)
  const kept = useWorld((world) => world.settings.panelWidth)
  const room =
    document.documentElement.clientWidth - beside.conversation - (sidebarOpen ? beside.sidebar : beside.rail)
  const most = Math.max(narrowest, Math.min(widest, room))
  const bounded = (next: number) => Math.round(Math.min(most, Math.max(narrowest, next)))
  const width = bounded(kept)
  const set = (next: number) => void session.saveSettings({ panelWidth: bounded(next) })
  return (
    <div
      className="panel-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={text.panel.resize}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={most}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          session.showSettings({ panelWidth: bounded(document.documentElement.clientWidth - event.clientX) })
      }}
      onLostPointerCapture={() => set(session.model.world?.settings.panelWidth ?? width)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') set(width + stepPx)
        if (event.key === 'ArrowRight') set(width - stepPx)
      }}
    />
  )
}
