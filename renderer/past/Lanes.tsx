import { memo } from 'react'
import type { Seat } from '../../shared/run.ts'
import { Mark, useAgent, useNames } from '../components/Agent.tsx'
import { turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import type { Sights } from './sights.ts'

/** The run from its beginning to its end: bands are rounds, bars attempts by seats, diamonds and dots gates. */
export const Lanes = memo(({ sights, seats }: { sights: Sights; seats: readonly Seat[] }) => {
  const names = useNames()
  const left = (index: number) => `${100 * (sights.places[index] ?? 0)}%`
  const box = ({ from, to }: { from: number; to: number }) => ({
    left: left(from),
    width: `${100 * ((sights.places[to] ?? 0) - (sights.places[from] ?? 0))}%`,
  })
  const gatesOf = (seat: string | null) => sights.gates.filter(({ gate }) => gate.asker.seat === seat)
  return (
    <div className="lanes" aria-hidden="true">
      {sights.rounds.map((span) => (
        <div key={span.round} className="band" style={box(span)} title={text.past.bandTip(span.round)}>
          <span className="band-name">
            {sights.rounds.length > bandNamesMax ? span.round : text.past.bandTip(span.round)}
          </span>
        </div>
      ))}
      {seats.map((seat) => (
        <div key={seat.seat} className="lane">
          <LaneName seat={seat} />
          {sights.attempts
            .filter(({ turn }) => turn.seat === seat.seat)
            .map((span) => {
              const look = turnLook(span.turn)
              return (
                <span
                  key={span.turn.attemptId}
                  className="bar-of-attempt"
                  data-tone={look.tone}
                  style={box(span)}
                  title={text.past.laneTip(names(span.turn.agent), span.turn.round, look.word)}
                />
              )
            })}
          {gatesOf(seat.seat).map((span) => (
            <span key={span.gate.gateId} className="bar-of-gate" style={box(span)} />
          ))}
        </div>
      ))}
      {gatesOf(null).map((span) => (
        <span key={span.gate.gateId} className="bar-of-gate of-run" style={box(span)} />
      ))}
    </div>
  )
})

const bandNamesMax = 4

const LaneName = ({ seat }: { seat: Seat }) => <Mark card={useAgent(seat.agent)} />
