import { useEffect, useMemo, useState } from 'react'
import { activeIds } from '../../machines/chart/reading.ts'
import { settled } from '../../shared/run.ts'
import { Board } from '../components/Board.tsx'
import { focusGate } from '../components/focus.ts'
import { LifeLines } from '../components/LifeLines.tsx'
import { Icon } from '../components/icons.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { useCommand } from '../components/use-command.ts'
import { useNavigation, type Navigation } from '../state/place.ts'
import type { RunState } from '../state/model.ts'
import { runLook } from '../state/status.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { eventWord, stateWord } from './chart-words.ts'
import { ChartView, type Lit } from './ChartView.tsx'
import { drawn } from './drawings.ts'
import { exitsOf, type Exit } from './exits.ts'
import { Outline } from './Outline.tsx'
import { walkOf } from './walk.ts'

type Shown = 'run' | 'round'

/** The live diagram: board, proof of life, and the chart of the run or of its round, as picture or as outline. */
export const DiagramTab = ({ run, outline }: { run: RunState; outline: boolean }) => {
  const [shown, setShown] = useState<Shown>('run')
  useEvents(run)
  const { chart, drawing } = drawn(shown)
  const lit = useLit(run, shown)
  const { exits, failure } = useExits(run)
  const words = text.panel
  const where = lit.active.map(stateWord).join(', ')
  const roundName = run.run.round > 0 ? words.round(run.run.round, null) : words.beforeRounds
  return (
    <div className="diagram">
      <Board run={run} />
      <LifeLines run={run} />
      <div className="plate">
        <header className="plate-head">
          <div className="segments" role="group" aria-label={words.whichChart}>
            <button type="button" aria-pressed={shown === 'run'} onClick={() => setShown('run')}>
              {words.run}
            </button>
            <button
              type="button"
              aria-pressed={shown === 'round'}
              disabled={run.run.round === 0}
              onClick={() => setShown('round')}
            >
              {roundName}
            </button>
          </div>
          <LastStep run={run} shown={shown} lit={lit} />
        </header>
        {outline ? (
          <Outline chart={chart} lit={lit} label={text.outline.label(text.states[shown] ?? shown)} />
        ) : (
          <ChartView
            chart={chart}
            drawing={drawing}
            lit={lit}
            exits={shown === 'run' ? exits : []}
            label={words.plate(where)}
          />
        )}
        <YouCan exits={exits} />
        <Refusal failure={failure} />
      </div>
    </div>
  )
}

/** The same exits once more as a row: for the outline, and for what has no arrow of its own. */
const YouCan = ({ exits }: { exits: readonly Exit[] }) =>
  exits.length === 0 ? null : (
    <div className="you-can">
      <span className="meta">{text.panel.youCan}</span>
      {exits.map((exit) => (
        <button type="button" key={exit.event} className="button small" disabled={exit.busy} onClick={exit.take}>
          <Icon name={exit.icon} small />
          {exit.word}
        </button>
      ))}
    </div>
  )

const LastStep = ({ run, shown, lit }: { run: RunState; shown: Shown; lit: Lit }) => {
  const actor = run.actors.find((one) => one.machine === shown && one.actor === actorOf(run, shown))
  if (!actor?.last) return null
  const now = lit.active.at(-1)
  return (
    <p className="last-step meta cut">
      {`${eventWord(actor.last.type)} → `}
      <b>{now ? stateWord(now) : ''}</b>
    </p>
  )
}

const actorOf = (run: RunState, shown: Shown) => (shown === 'run' ? run.run.runId : `${run.run.runId}/${run.run.round}`)

function useLit(run: RunState, shown: Shown): Lit {
  const { chart } = drawn(shown)
  const id = actorOf(run, shown)
  const actor = run.actors.find((one) => one.machine === shown && one.actor === id)
  const walk = useMemo(
    () =>
      walkOf(
        chart,
        run.events.filter((event) => event.machine === shown && event.actor === id),
      ),
    [chart, run.events, shown, id],
  )
  return {
    walk,
    active: actor ? activeIds(actor.value) : [],
    tone: shown === 'run' ? runLook(run.run.status).tone : 'done',
  }
}

/** Reads the transitions of the run that is looked at, and again where some were missed. */
function useEvents(run: RunState) {
  const session = useSession()
  const { runId } = run.run
  const { eventsRead } = run
  useEffect(() => {
    if (!eventsRead) void session.readEvents(runId)
  }, [session, runId, eventsRead])
}

/** The card in its place where it is drawn, else in the inbox. */
function answer(go: Navigation['go'], gateId: string | null) {
  if (gateId === null || !focusGate(gateId)) go({ view: 'inbox', gateId })
}

function useExits(run: RunState) {
  const { call, failure, busy } = useCommand()
  const { go } = useNavigation()
  const { runId, round, status } = run.run
  const gateId = useWorld(
    (world) => world.gates.find(({ asker, status: now }) => asker.id === runId && now === 'waiting')?.gateId ?? null,
  )
  const { chart } = drawn('run')
  const actor = run.actors.find((one) => one.machine === 'run')
  const active = settled(status) || !actor ? [] : activeIds(actor.value)
  const pauseWanted =
    run.events.findLast(({ type }) => type === 'run.pause' || type === 'run.resume')?.type === 'run.pause'
  const exits = exitsOf(
    chart,
    active,
    round,
    {
      'run.stop': () => void call('run.stop', { runId }),
      'run.pause': status === 'holding' || pauseWanted ? undefined : () => void call('run.pause', { runId }),
      'run.resume': status === 'holding' || pauseWanted ? () => void call('run.resume', { runId }) : undefined,
      'gate.answered': () => answer(go, gateId),
    },
    busy,
  )
  return { exits, failure }
}
