import { activeIds } from '../../machines/chart.ts'
import type { AttemptView } from '../../shared/view.ts'
import { turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { stateWord } from './chart-words.ts'
import { ChartView } from './ChartView.tsx'
import { drawn } from './drawings.ts'
import { walkOf } from './walk.ts'

/** The attempt's chart with the path it took. */
export const AttemptChart = ({ view }: { view: AttemptView }) => {
  const { chart, drawing } = drawn('attempt')
  const value = view.actor?.value ?? view.events.at(-1)?.value
  const active = value === undefined ? [] : activeIds(value)
  const lit = { walk: walkOf(chart, view.events), active, tone: turnLook(view.turn).tone }
  return (
    <div className="plate">
      <ChartView chart={chart} drawing={drawing} lit={lit} exits={[]} label={text.panel.plate(active.map(stateWord).join(', '))} />
    </div>
  )
}
