import { useRef } from 'react'
import type { Chart } from '../../machines/chart/reading.ts'
import { Icon, type IconName } from '../components/icons.tsx'
import { text } from '../text/text.ts'
import { Arrows } from './Arrows.tsx'
import { stateWord } from './chart-words.ts'
import type { Box, Drawing } from './drawing.ts'
import type { Exit } from './exits.ts'
import { useFollowed } from './use-followed.ts'
import { wishes, type Walk } from './walk.ts'

export interface Lit {
  walk: Walk
  active: readonly string[]
  /** Which colour the end that was reached has. */
  tone: string
}

/** A chart as a picture: where it is, how it got there, and the buttons on the arrows that a person may take. */
export const ChartView = ({
  chart,
  drawing,
  lit,
  exits,
  label,
  follows = false,
}: {
  chart: Chart
  drawing: Drawing
  lit: Lit
  exits: readonly Exit[]
  label: string
  /** Whether the state that it is in is shown whatever the person has scrolled to. */
  follows?: boolean
}) => {
  const scroller = useRef<HTMLDivElement>(null)
  useFollowed(scroller, lit.active.at(-1), follows)
  const groups = drawing.boxes.filter(({ kind }) => kind === 'group' || kind === 'ends')
  const states = drawing.boxes.filter(({ kind }) => kind === 'state' || kind === 'final')
  const placed = oneEach(exits.flatMap((exit) => placeOf(exit, chart, drawing)))
  return (
    // what scrolls must be reachable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="chart-scroll" tabIndex={0} role="group" aria-label={label} data-region ref={scroller}>
      <div className="chart-sheet" style={{ width: drawing.width, height: drawing.height }}>
        <svg
          className="chart"
          width={drawing.width}
          height={drawing.height}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          role="img"
          aria-label={label}
        >
          {groups.map((box) => (
            <GroupBox key={box.id} box={box} active={lit.active.includes(box.id)} />
          ))}
          <Arrows
            chart={chart}
            arrows={drawing.arrows}
            walk={lit.walk}
            active={lit.active}
            covered={placed.map(({ arrowId }) => arrowId)}
          />
          {states.map((box) => (
            <StateBox key={box.id} box={box} lit={lit} />
          ))}
        </svg>
        {placed.map(({ exit, x, y, align }) => (
          <button
            type="button"
            key={exit.event}
            className="button small chart-exit"
            data-align={align}
            data-event={exit.event}
            style={{ left: x, top: y }}
            disabled={exit.busy}
            onClick={exit.take}
          >
            <Icon name={exit.icon} small />
            {exit.word}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The place of a button: on its own arrow, or on the one that its wish will open. */
function placeOf(
  exit: Exit,
  chart: Chart,
  { arrows }: Drawing,
): { exit: Exit; x: number; y: number; align: string; arrowId: string }[] {
  const wish = wishes[exit.event]
  const edgeId = wish === undefined ? exit.edgeId : chart.edges.find(({ guards }) => guards.includes(wish))?.id
  const arrow = arrows.find(({ edges, label }) => label !== null && edgeId !== undefined && edges.includes(edgeId))
  if (!arrow?.label) return []
  const { x, y, width, align } = arrow.label
  return [
    { exit, x: align === 'middle' ? x + width / 2 : align === 'end' ? x + width : x, y, align, arrowId: arrow.id },
  ]
}

/** One button an arrow; what shares it is in the row below. */
const oneEach = <Placed extends { arrowId: string }>(placed: readonly Placed[]): Placed[] =>
  [...new Map(placed.toReversed().map((one) => [one.arrowId, one])).values()].toReversed()

const GroupBox = ({ box, active }: { box: Box; active: boolean }) => (
  <g className="chart-group" data-kind={box.kind} data-state={active ? 'now' : 'rest'}>
    <rect x={box.x + 0.5} y={box.y + 0.5} width={box.width - 1} height={box.height - 1} rx="8" />
    <text x={box.x + 12} y={box.y + 20}>
      {box.kind === 'ends' ? text.panel.endsAs : stateWord(box.id)}
    </text>
  </g>
)

const StateBox = ({ box, lit }: { box: Box; lit: Lit }) => {
  const { entered } = lit.walk
  const now = lit.active.includes(box.id)
  const count = entered.get(box.id) ?? 0
  const state = now ? 'now' : count > 0 ? 'been' : 'rest'
  const end = box.kind === 'final'
  const tip = text.stateTips[box.id.slice(box.id.lastIndexOf('.') + 1)]
  return (
    <g
      className="chart-state"
      data-kind={box.kind}
      data-state={state}
      data-id={box.id}
      data-choice={box.choice || undefined}
      data-tone={end && now ? lit.tone : undefined}
      aria-current={now ? 'step' : undefined}
    >
      {tip ? <title>{tip}</title> : null}
      <rect
        x={box.x + 0.5}
        y={box.y + 0.5}
        width={box.width - 1}
        height={box.height - 1}
        rx={box.choice ? box.height / 2 : 6}
      />
      {end ? (
        <rect className="inner" x={box.x + 3} y={box.y + 3} width={box.width - 6} height={box.height - 6} rx="4" />
      ) : null}
      {box.initial ? <circle className="initial" cx={box.x} cy={box.y} r="3.5" /> : null}
      {end ? (
        <g transform={`translate(${box.x + 8} ${box.y + 5})`}>
          <svg width="14" height="14">
            <Icon name={endIcon(box.id)} small />
          </svg>
        </g>
      ) : null}
      <text x={end ? box.x + 28 : box.x + box.width / 2} y={box.y + 16} textAnchor={end ? 'start' : 'middle'}>
        {stateWord(box.id)}
      </text>
      {count > 1 ? <Count x={box.x + box.width} y={box.y} count={count} /> : null}
    </g>
  )
}

const Count = ({ x, y, count }: { x: number; y: number; count: number }) => {
  const word = `×${count}`
  const width = 10 + word.length * 7
  return (
    <g className="chart-count">
      <rect x={x - width + 6.5} y={y - 8.5} width={width} height="17" rx="8.5" />
      <text x={x - width / 2 + 6.5} y={y + 4} textAnchor="middle">
        {word}
      </text>
    </g>
  )
}

const ends: Readonly<Record<string, IconName>> = {
  agreed: 'agreed',
  completed: 'done',
  partial: 'partial',
  roundsUp: 'continues',
  failed: 'failed',
  budgetSpent: 'noVote',
  stopped: 'stopped',
  interrupted: 'interrupted',
  refused: 'skipped',
  timedOut: 'timedOut',
  skipped: 'skipped',
  tallied: 'done',
  applied: 'done',
  expired: 'timedOut',
  withdrawn: 'skipped',
}
const endIcon = (id: string): IconName => ends[id] ?? 'done'
