import { useEffect, useRef } from 'react'
import { settled, type Seat } from '../../shared/run.ts'
import type { TurnView } from '../../shared/view.ts'
import { useNow } from '../state/clock.ts'
import type { RunState } from '../state/model.ts'
import { useNavigation } from '../state/place.ts'
import { agrees, columnsOf, lastOfSeats, turnAt, turnMs } from '../state/rounds.ts'
import { turnLook, voteLook } from '../state/status.ts'
import { length } from '../state/time.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent } from './Agent.tsx'
import { Icon } from './icons.tsx'

/** Where the board shows a past moment: which attempt is marked on it, and what its cells do. */
interface PastBoard {
  picked: string | null
  pick: (attemptId: string) => void
}

/** Agents by rounds: each cell is an attempt with its state and time, and opens it. */
export const Board = ({ run, past }: { run: RunState; past?: PastBoard }) => {
  const rounds = columnsOf(run.run)
  const { place } = useNavigation()
  const picked = past ? past.picked : place.view === 'conversation' ? place.attemptId : null
  const grid = useRef<HTMLTableElement>(null)
  const { policy, round, status } = run.run
  const many = rounds.length > 1
  const stop = tabStopOf(run, picked)
  // the current round comes into view by itself, once it is another one
  useEffect(() => grid.current?.rows[0]?.cells[round]?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [round])
  return (
    <div className="board-box">
      <table
        className="board"
        role="grid"
        style={{ minWidth: nameWidth + rounds.length * cellWidth }}
        aria-label={text.panel.board}
        ref={grid}
        onKeyDown={(event) => moveOnBoard(event, grid.current)}
      >
        <thead>
          <tr>
            <th scope="col" className="board-title">
              {round === 0 ? text.panel.beforeRounds : text.panel.round(round, many ? policy.rounds : null)}
            </th>
            {rounds.map((n) => (
              <th key={n} scope="col" data-now={(n === round && !settled(status)) || undefined}>
                <span className="board-number">
                  {many ? n : ''}
                  {policy.blindFirst && n === 1 && many ? (
                    <span title={text.panel.blind}>
                      <Icon name="blind" small />
                      <span className="unseen">{text.panel.blind}</span>
                    </span>
                  ) : null}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.run.seats.map((seat) => (
            <BoardRow key={seat.seat} run={run} seat={seat} rounds={rounds} stop={stop} picked={picked} past={past} />
          ))}
        </tbody>
        {policy.consensus && many ? (
          <tfoot>
            <tr>
              <th scope="row">{text.panel.agree}</th>
              {rounds.map((n) => (
                <td key={n} data-now={(n === round && !settled(status)) || undefined}>
                  {tally(run, n)}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}

/** What is picked, else what is newest. */
const tabStopOf = ({ run, turns }: RunState, picked: string | null) => {
  const drawn = run.seats.flatMap((seat) => turns.filter((turn) => turn.seat === seat.seat))
  const chosen = drawn.find(({ attemptId }) => attemptId === picked)
  return (chosen && turnAt(turns, chosen, chosen.round) === chosen ? chosen : turns.at(-1))?.attemptId
}

const nameWidth = 118
const cellWidth = 51

interface Marked {
  /** The attempt whose cell the Tab key reaches; arrow keys go on from there. */
  stop: string | undefined
  picked: string | null
  past: PastBoard | undefined
}

const BoardRow = ({
  run,
  seat,
  rounds,
  ...marked
}: {
  run: RunState
  seat: Seat
  rounds: readonly number[]
} & Marked) => {
  const card = useAgent(seat.agent)
  return (
    <tr>
      <th scope="row">
        <span className="row" title={card.rehearsal ? text.common.rehearsal : undefined}>
          <Mark card={card} />
          <span className="cut">{card.name}</span>
        </span>
      </th>
      {rounds.map((round) => (
        <Cell
          key={round}
          run={run}
          name={card.name}
          round={round}
          turn={turnAt(run.turns, seat, round)}
          {...marked}
        />
      ))}
    </tr>
  )
}

const Cell = ({
  run,
  name,
  round,
  turn,
  stop,
  picked,
  past,
}: {
  run: RunState
  name: string
  round: number
  turn: TurnView | undefined
} & Marked) => {
  const { go } = useNavigation()
  const live = round === run.run.round && !settled(run.run.status)
  if (!turn) {
    const word = live ? text.panel.notCalled : text.panel.notReached
    return (
      <td data-now={live || undefined}>
        <span className="cell" data-tone="idle" title={text.panel.cell(name, round, word, '')}>
          <Icon name="idle" small />
          <span className="unseen">{word}</span>
        </span>
      </td>
    )
  }
  const look = voteLook(turn, run.run.policy.consensus)
  const isPicked = picked === turn.attemptId
  const open = () => {
    const { conversationId, runId, attemptId } = turn
    if (past) past.pick(attemptId)
    else go({ view: 'conversation', conversationId, runId, attemptId: isPicked ? null : attemptId })
  }
  return (
    <td data-now={live || undefined}>
      <button
        type="button"
        className="cell"
        tabIndex={turn.attemptId === stop ? 0 : -1}
        data-tone={look.tone}
        data-plain={plain.has(look.icon) || undefined}
        data-live={turn.settledAt === null || undefined}
        aria-current={isPicked || undefined}
        aria-label={text.panel.cell(
          name,
          round,
          look.word,
          turn.settledAt === null ? '' : length(turnMs(turn, turn.settledAt)),
        )}
        title={text.panel.cell(name, round, look.word, '')}
        onClick={open}
      >
        <Icon name={turnLook(turn).tone === 'needs' ? 'needs' : look.icon} small />
        <CellTime turn={turn} />
      </button>
    </td>
  )
}

const plain = new Set(['continues', 'noVote', 'queued', 'skipped', 'done', 'backingOff'])

const CellTime = ({ turn }: { turn: TurnView }) =>
  turn.settledAt === null ? <LiveTime turn={turn} /> : <time>{length(turnMs(turn, turn.settledAt))}</time>
const LiveTime = ({ turn }: { turn: TurnView }) => <time>{length(turnMs(turn, useNow()))}</time>

function tally(run: RunState, round: number) {
  const turns = lastOfSeats(run.turns.filter((turn) => turn.round === round))
  return turns.length === 0 ? '' : `${turns.filter(agrees).length}/${run.run.seats.length}`
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/** Arrow keys go from attempt to attempt, over what was not reached. */
function moveOnBoard(event: React.KeyboardEvent, table: HTMLTableElement | null) {
  const step = steps[event.key]
  const cell = event.target instanceof Element ? event.target.closest('td') : null
  const row = cell?.parentElement
  if (!step || !table || !cell || !(row instanceof HTMLTableRowElement)) return
  event.preventDefault()
  let at = [row.rowIndex + step[0], cell.cellIndex + step[1]] as const
  while (table.rows[at[0]]?.cells[at[1]]) {
    const button = table.rows[at[0]]?.cells[at[1]]?.querySelector('button')
    if (button) {
      button.focus()
      return
    }
    at = [at[0] + step[0], at[1] + step[1]]
  }
}
