import { useState } from 'react'
import { settled } from '../../shared/run.ts'
import { DiagramTab } from '../charts/DiagramTab.tsx'
import { useNavigation } from '../state/place.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { IconButton } from './IconButton.tsx'
import { LookBack } from './LookBack.tsx'
import { RunTools } from './RunTools.tsx'
import { Trace } from './Trace.tsx'
import { useShownRun } from './use-active-run.ts'
import { PanelEdge } from './PanelEdge.tsx'

type Tab = 'diagram' | 'trace'

/** The map beside the conversation: the run as a live diagram, and what each attempt did. */
export const Panel = () => {
  const { place, narrow, draw } = useNavigation()
  const session = useSession()
  const [tab, setTab] = useState<Tab>('diagram')
  const [outline, setOutline] = useState(false)
  const run = useShownRun(place.view === 'conversation' ? place.runId : null)
  const width = useWorld((world) => world.settings.panelWidth)
  const fold = () => (narrow ? draw(null) : void session.saveSettings({ panelOpen: false }))
  return (
    <aside
      className="panel"
      aria-label={text.panel.label}
      style={narrow ? undefined : { width }}
      data-region
      tabIndex={-1}
    >
      {narrow ? null : <PanelEdge />}
      <header className="bar panel-bar">
        <div role="tablist" className="tabs">
          {(['diagram', 'trace'] as const).map((one) => (
            <button type="button" key={one} role="tab" aria-selected={tab === one} onClick={() => setTab(one)}>
              {text.panel[one]}
            </button>
          ))}
        </div>
        <span className="grow" />
        {run ? <LookBack run={run.run} small /> : null}
        {tab === 'diagram' ? (
          <div className="segments" role="group" aria-label={text.panel.view}>
            <button type="button" aria-pressed={!outline} onClick={() => setOutline(false)}>
              {text.panel.chart}
            </button>
            <button type="button" aria-pressed={outline} onClick={() => setOutline(true)}>
              {text.panel.outline}
            </button>
          </div>
        ) : null}
        <IconButton icon="panel" label={text.bar.foldPanel} act={fold} />
      </header>
      {run && settled(run.run.status) ? <RunTools key={run.run.runId} run={run} /> : null}
      <div className="scroll" role="tabpanel">
        {run ? (
          tab === 'diagram' ? (
            <DiagramTab run={run} outline={outline} />
          ) : (
            <Trace run={run} />
          )
        ) : (
          <p className="meta panel-empty">{text.panel.noRun}</p>
        )}
      </div>
    </aside>
  )
}
