import { useState } from 'react'
import { useNames } from '../components/Agent.tsx'
import { Board } from '../components/Board.tsx'
import { leafOf } from '../components/cause.ts'
import { Icon } from '../components/icons.tsx'
import { stateWord } from '../charts/chart-words.ts'
import { useNavigation } from '../state/place.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { EventList } from './EventList.tsx'
import { PastChart } from './PastChart.tsx'
import { PastUsage } from './PastUsage.tsx'
import type { Looking } from './use-looking.ts'
import { whatHappened, whoMoved, whyItHappened } from './words.ts'

/** What moved and why, what had been used, the board and the chart as they stood, and the events around it. */
export const PastPanel = ({ looking, time }: { looking: Looking; time: string }) => {
  const { picture, moment, sights, goTo } = looking
  const { narrow } = useNavigation()
  const width = useWorld((world) => world.settings.panelWidth)
  const [outline, setOutline] = useState(false)
  const toAttempt = (attemptId: string) => {
    const span = sights.attempts.find(({ turn }) => turn.attemptId === attemptId)
    if (span) goTo(Math.min(span.to, looking.index) === looking.index ? span.from : span.to)
  }
  return (
    <aside
      className="panel past-panel"
      aria-label={text.panel.label}
      style={narrow ? undefined : { width }}
      data-region
      tabIndex={-1}
    >
      <header className="past-head">
        <What looking={looking} time={time} />
        <PastUsage picture={picture} />
      </header>
      <div className="scroll">
        <div className="diagram">
          <Board
            run={picture.run}
            past={{ picked: moment.event?.machine === 'attempt' ? moment.event.actor : null, pick: toAttempt }}
          />
          <PastChart looking={looking} outline={outline} setOutline={setOutline} />
        </div>
      </div>
      <EventList looking={looking} />
    </aside>
  )
}

/** The transition in words, with its cause; the chart below shows it as an arrow. */
const What = ({ looking, time }: { looking: Looking; time: string }) => {
  const names = useNames()
  const { moment, history } = looking
  const { event } = moment
  const said = [event ? whatHappened(moment) : '', whyItHappened(moment)].filter((words) => words !== '')
  return (
    <div className="past-what">
      <p className="row">
        <Icon name="clock" small />
        <b className="grow">
          {event
            ? text.past.was(time, whoMoved(event, history.end, names), stateWord(leafOf(event.value)))
            : text.past.found(time)}
        </b>
        {event ? <code className="mono">{event.type}</code> : null}
      </p>
      <p className="meta" title={said.join(text.common.dot)}>
        {said.join(text.common.dot)}
      </p>
    </div>
  )
}
