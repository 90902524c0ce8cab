import { useEffect, useRef } from 'react'
import { useNames } from '../components/Agent.tsx'
import { IconButton } from '../components/IconButton.tsx'
import { text } from '../text/text.ts'
import { Lanes } from './Lanes.tsx'
import { nearestMoment } from './sights.ts'
import type { Looking } from './use-looking.ts'
import { whatHappened, whoMoved } from './words.ts'

/** The way through a run: step, play, or drag; above the slider who worked when, and which gate held what. */
export const Scrubber = ({ looking, time }: { looking: Looking; time: string }) => {
  const { history, index, playing, sights, step, play } = looking
  const place = text.past.event(index + 1, history.moments.length)
  return (
    <section className="scrubber" aria-label={text.past.label} data-region tabIndex={-1}>
      <div className="scrubber-controls">
        <div className="row">
          <IconButton icon="stepBack" label={text.past.before} keys="←" act={() => step('event', -1)} />
          <IconButton
            icon={playing ? 'pause' : 'play'}
            label={playing ? text.past.pause : text.past.play}
            keys={text.keys.space}
            act={() => play(!playing)}
          />
          <IconButton icon="stepOn" label={text.past.next} keys="→" act={() => step('event', 1)} />
        </div>
        <b className="cut">{time}</b>
        <span className="meta">{place}</span>
      </div>
      <div className="scrubber-track">
        <Lanes sights={sights} seats={history.end.run.seats} />
        <div className="lane-later" style={{ left: `${100 * (sights.places[index] ?? 0)}%` }} />
        <Slider looking={looking} time={time} place={place} />
      </div>
    </section>
  )
}

const Slider = ({ looking, time, place }: { looking: Looking; time: string; place: string }) => {
  const { history, index, moment, sights, goTo } = looking
  const names = useNames()
  const slider = useRef<HTMLDivElement>(null)
  // who came to look back wants to step
  useEffect(() => slider.current?.focus({ preventScroll: true }), [])
  const left = `${100 * (sights.places[index] ?? 0)}%`
  const who = moment.event ? whoMoved(moment.event, history.end, names) : text.past.run
  const follow = ({ clientX, currentTarget }: React.PointerEvent) => {
    const { left: from, width } = currentTarget.getBoundingClientRect()
    goTo(nearestMoment(sights.places, (clientX - from) / Math.max(1, width)))
  }
  return (
    <div
      className="slider"
      role="slider"
      tabIndex={0}
      ref={slider}
      aria-label={text.past.slider}
      aria-valuemin={1}
      aria-valuemax={history.moments.length}
      aria-valuenow={index + 1}
      aria-valuetext={text.past.value(time, place, `${who}: ${whatHappened(moment)}`)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.focus()
        follow(event)
      }}
      onPointerMove={(event) => (event.buttons === 1 ? follow(event) : undefined)}
    >
      <div className="slider-done" style={{ width: left }} />
      <div className="slider-line" style={{ left }} />
      <div className="slider-thumb" style={{ left }} />
    </div>
  )
}
