import { activeIds } from '../../machines/chart/reading.ts'
import type { AttemptView } from '../../shared/view.ts'
import { focusGate } from '../components/focus.ts'
import { Refusal } from '../components/Refusal.tsx'
import { useCommand } from '../components/use-command.ts'
import { turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import { stateWord } from './chart-words.ts'
import { ChartView } from './ChartView.tsx'
import { drawn } from './drawings.ts'
import { exitsOf } from './exits.ts'
import { walkOf } from './walk.ts'

/** The attempt's chart with the path it took, and what of it a person may still turn. */
export const AttemptChart = ({ view }: { view: AttemptView }) => {
  const { chart, drawing } = drawn('attempt')
  const { call, failure, busy } = useCommand()
  const { attemptId, runId, gateId } = view.turn
  const { can } = view
  const value = view.actor?.value ?? view.events.at(-1)?.value
  const active = value === undefined ? [] : activeIds(value)
  const lit = { walk: walkOf(chart, view.events), active, tone: turnLook(view.turn).tone }
  const exits = exitsOf(
    chart,
    active,
    0,
    {
      'attempt.stop': can.cancel ? () => void call('attempt.cancel', { runId, attemptId }) : undefined,
      'attempt.retry': can.retry ? () => void call('attempt.retry', { runId, attemptId }) : undefined,
      'attempt.kill': can.kill ? () => void call('attempt.kill', { runId, attemptId }) : undefined,
      'gate.answered': gateId === null ? undefined : () => void focusGate(gateId),
    },
    busy,
  )
  return (
    <div className="plate">
      <ChartView
        chart={chart}
        drawing={drawing}
        lit={lit}
        exits={exits}
        label={text.panel.plate(active.map(stateWord).join(', '))}
      />
      <Refusal failure={failure} />
    </div>
  )
}
