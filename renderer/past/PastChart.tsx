import { useState } from 'react'
import { activeIds } from '../../machines/chart/reading.ts'
import { GateStatus } from '../../shared/gate.ts'
import { ChartView, type Lit } from '../charts/ChartView.tsx'
import { edgesOf, edgeWord, stateWord } from '../charts/chart-words.ts'
import { drawn } from '../charts/drawings.ts'
import { Outline } from '../charts/Outline.tsx'
import type { DrawnMachine } from '../charts/places.ts'
import { leafOf } from '../components/cause.ts'
import { runLook, turnLook } from '../state/status.ts'
import { text } from '../text/text.ts'
import type { Looking } from './use-looking.ts'

const chosen = ['run', 'round', 'attempt'] as const

/** The chart of whatever moved, or of the machine that was chosen, as it stood: with the way to it, and no button. */
export const PastChart = ({
  looking,
  outline,
  setOutline,
}: {
  looking: Looking
  outline: boolean
  setOutline: (on: boolean) => void
}) => {
  const [pinned, setPinned] = useState<DrawnMachine | null>(null)
  const shown = shownOf(looking, pinned)
  const { chart, drawing } = drawn(shown.machine)
  const lit = litOf(looking, shown)
  const where = lit.active.map(stateWord).join(', ')
  const words = text.past
  return (
    <div className="plate">
      <header className="plate-head">
        <div className="segments" role="group" aria-label={text.panel.whichChart}>
          <button type="button" aria-pressed={pinned === null} title={words.followTip} onClick={() => setPinned(null)}>
            {words.follow}
          </button>
          {chosen.map((machine) => (
            <button
              type="button"
              key={machine}
              aria-pressed={pinned === machine}
              disabled={actorOf(looking, machine) === null}
              onClick={() => setPinned(machine)}
            >
              {words.charts[machine]}
            </button>
          ))}
        </div>
        <p className="past-because meta cut">{becauseOf(shown.machine, lit)}</p>
        <div className="segments" role="group" aria-label={text.panel.view}>
          <button type="button" aria-pressed={!outline} onClick={() => setOutline(false)}>
            {text.panel.chart}
          </button>
          <button type="button" aria-pressed={outline} onClick={() => setOutline(true)}>
            {text.panel.outline}
          </button>
        </div>
      </header>
      {outline ? (
        <Outline chart={chart} lit={lit} label={text.outline.label(text.states[shown.machine] ?? shown.machine)} />
      ) : (
        <ChartView chart={chart} drawing={drawing} lit={lit} exits={[]} label={text.past.plate(where)} follows />
      )}
    </div>
  )
}

interface Shown {
  machine: DrawnMachine
  actor: string
}

function shownOf(looking: Looking, pinned: DrawnMachine | null): Shown {
  const { moment, history } = looking
  const { runId } = history.end.run
  const actor = pinned && actorOf(looking, pinned)
  if (pinned && actor) return { machine: pinned, actor }
  const { event } = moment
  if (event && isDrawn(event.machine)) return { machine: event.machine, actor: event.actor }
  return { machine: 'run', actor: runId }
}

const isDrawn = (machine: string): machine is DrawnMachine =>
  machine === 'run' || machine === 'round' || machine === 'attempt' || machine === 'gate'

/** Which one of its kind: the one that moved, else the newest by then. */
function actorOf({ moment, picture, history }: Looking, machine: DrawnMachine): string | null {
  const { event } = moment
  if (event?.machine === machine) return event.actor
  const { runId } = history.end.run
  const { round } = picture.run.run
  if (machine === 'run') return runId
  if (machine === 'round') return round === 0 ? null : `${runId}/${round}`
  return picture.run.turns.at(-1)?.attemptId ?? null
}

function litOf({ positions, index, picture }: Looking, { machine, actor }: Shown): Lit {
  const { chart } = drawn(machine)
  const event = positions.at(index).latest.get(actor)
  return {
    walk: positions.walk(chart, actor, index),
    active: event ? activeIds(event.value) : [],
    tone: toneOf(picture.run, { machine, actor }, event ? leafOf(event.value) : ''),
  }
}

function toneOf({ run, turns }: Looking['picture']['run'], { machine, actor }: Shown, leaf: string): string {
  if (machine === 'run') return runLook(run.status).tone
  const turn = turns.find(({ attemptId }) => attemptId === actor)
  if (turn) return turnLook(turn).tone
  return machine === 'gate' && leaf !== GateStatus.enum.applied ? 'idle' : 'done'
}

/** Where the machine went through a choice: what it was chosen for, if the record leaves only one reason. */
function becauseOf(machine: DrawnMachine, { walk }: Lit): string {
  const { chart } = drawn(machine)
  const reasons = edgesOf(chart, walk.last).filter(({ event }) => event === null).map(edgeWord)
  const [only] = reasons
  return only !== undefined && new Set(reasons).size === 1 ? text.past.because(only) : ''
}
