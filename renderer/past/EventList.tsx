import { useEffect, useRef, useState } from 'react'
import { useNames } from '../components/Agent.tsx'
import { Icon } from '../components/icons.tsx'
import { exactClock } from '../state/time.ts'
import { text } from '../text/text.ts'
import type { Looking } from './use-looking.ts'
import { whatHappened, whoMoved, whyItHappened } from './words.ts'

/** The height of a line; lines that are out of sight are not drawn, so that ten thousand of them cost nothing. */
const linePx = 24
const spareLines = 4

/** Every event in order, the one that is looked at in the middle; a click goes to another. */
export const EventList = ({ looking }: { looking: Looking }) => {
  const { history, index, goTo } = looking
  const { moments } = history
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 6 * linePx })
  useEffect(() => {
    const { current } = box
    if (!current) return
    const height = current.clientHeight
    const top = Math.max(0, index * linePx - (height - linePx) / 2)
    current.scrollTop = top
    setView({ top, height })
  }, [index])
  const first = Math.max(0, Math.floor(view.top / linePx) - spareLines)
  const last = Math.min(moments.length, Math.ceil((view.top + view.height) / linePx) + spareLines)
  return (
    <div
      className="past-events"
      role="listbox"
      aria-label={text.past.events}
      aria-activedescendant={`moment-${index}`}
      tabIndex={0}
      ref={box}
      data-region
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => setView({ top: scrollTop, height: clientHeight })}
    >
      <div className="past-lines" role="presentation" style={{ height: moments.length * linePx }}>
        {moments.slice(first, last).map((moment, at) => (
          <Line
            key={moment.key}
            looking={looking}
            at={first + at}
            isHere={first + at === index}
            go={() => goTo(first + at)}
          />
        ))}
      </div>
    </div>
  )
}

const Line = ({ looking, at, isHere, go }: { looking: Looking; at: number; isHere: boolean; go: () => void }) => {
  const names = useNames()
  const { moments, end } = looking.history
  const moment = moments[at]
  if (!moment) return null
  const { event } = moment
  const who = capital(event ? whoMoved(event, end, names) : text.past.run)
  const why = whyItHappened(moment)
  return (
    // the list has the focus and takes the keys
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`moment-${at}`}
      role="option"
      tabIndex={-1}
      aria-selected={isHere}
      aria-posinset={at + 1}
      aria-setsize={moments.length}
      className="past-line"
      style={{ top: at * linePx }}
      title={[who, whatHappened(moment), why].filter((words) => words !== '').join(text.common.dot)}
      onClick={go}
    >
      <span className="past-number">{at + 1}</span>
      <time>{exactClock(moment.at)}</time>
      <span className="cut">
        <b>{`${who}:`}</b> {whatHappened(moment)}
        {why === '' ? null : <span className="dim">{text.common.dot + why}</span>}
      </span>
      {isHere ? (
        <span className="past-mark">
          <Icon name="left" small />
          {text.past.hereMark}
        </span>
      ) : null}
    </div>
  )
}

const capital = (words: string) => words.charAt(0).toLocaleUpperCase(text.locale) + words.slice(1)
