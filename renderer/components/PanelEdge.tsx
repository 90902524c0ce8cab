import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'

const narrowest = 464
const widest = 1_000
const stepPx = 24

/** The edge that the panel is widened by, with the pointer or with the arrow keys. */
export const PanelEdge = () => {
  const session = useSession()
  const width = useWorld((world) => world.settings.panelWidth)
  const set = (next: number) =>
    void session.saveSettings({ panelWidth: Math.round(Math.min(widest, Math.max(narrowest, next))) })
  return (
    <div
      className="panel-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={text.panel.resize}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          set(document.documentElement.clientWidth - event.clientX)
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') set(width + stepPx)
        if (event.key === 'ArrowRight') set(width - stepPx)
      }}
    />
  )
}
