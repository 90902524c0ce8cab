import type { OutputRow, TurnView } from '../../shared/view.ts'
import type { RunState } from '../state/model.ts'
import { useNow } from '../state/clock.ts'
import { attemptPlace, useNavigation } from '../state/place.ts'
import { turnLook } from '../state/status.ts'
import { moment, short } from '../state/time.ts'
import { text } from '../text/text.ts'
import { Mark, Rehearsal, useAgent } from './Agent.tsx'
import { Icon, type IconName } from './icons.tsx'
import { State } from './State.tsx'
import { toolIcon, useOutput } from './TurnDetails.tsx'

/** What each attempt of a run did, in order. */
export const Trace = ({ run }: { run: RunState }) => (
  <div className="trace">
    {run.turns.length === 0 ? <p className="dim">{text.panel.traceEmpty}</p> : null}
    {run.turns.map((turn) => (
      <TraceOfTurn key={turn.attemptId} turn={turn} />
    ))}
  </div>
)

const TraceOfTurn = ({ turn }: { turn: TurnView }) => {
  const card = useAgent(turn.agent)
  const { go } = useNavigation()
  return (
    <section className="trace-turn">
      <button type="button" className="trace-head" onClick={() => go(attemptPlace(turn))}>
        <Mark card={card} />
        <b>{text.trace.round(card.name, turn.round)}</b>
        <Rehearsal card={card} />
        <span className="grow" />
        <State look={turnLook(turn)} small />
      </button>
      <AttemptTrace turn={turn} />
    </section>
  )
}

/** What one attempt put out besides its text, each thing with its time. */
export const AttemptTrace = ({ turn }: { turn: TurnView }) => {
  const rows = useOutput(turn.attemptId, turn.outputSeq)
  const now = useNow()
  if (rows === null) return <p className="meta">{text.common.reading}</p>
  const lines = linesOf(rows)
  if (lines.length === 0) return <p className="meta">{text.attemptScreen.nothingDid}</p>
  return (
    <ol className="trace-lines">
      {lines.map((line) => (
        <li key={line.key} data-status={line.status}>
          <time className="meta">{moment(line.at, now)}</time>
          <Icon name={line.icon} small />
          <div className="trace-words">
            <p>
              {line.words}
              {line.note ? <span className="dim">{` ${line.note}`}</span> : null}
            </p>
            {line.detail ? <pre className="trace-detail">{line.detail}</pre> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

interface Line {
  key: string
  at: number
  icon: IconName
  words: string
  note?: string
  detail?: string | null
  status?: string
}

/** Joins what belongs together: a tool is one line, and so are pieces of text in a row. */
export function linesOf(rows: readonly OutputRow[]): Line[] {
  const lines = new Map<string, Line>()
  let run = ''
  for (const row of rows) {
    const line = lineOf(row)
    const joins = (row.item.type === 'text' || row.item.type === 'reasoning') && run.startsWith(`${row.item.type} `)
    const key = joins ? run : line.key
    const known = lines.get(key)
    lines.set(key, known ? joined(known, line, row) : { ...line, key })
    // what only changes a line that is there does not break a run of text
    run = row.item.type === 'usage' || (known && !joins) ? run : key
  }
  return [...lines.values()].map((line) =>
    line.key.startsWith('text ') ? { ...line, words: text.trace.text(text.characters(Number(line.words))) } : line,
  )
}

const joined = (known: Line, line: Line, { item }: OutputRow): Line => {
  if (item.type === 'text') return { ...known, words: String(Number(known.words) + item.delta.length) }
  if (item.type === 'reasoning') return { ...known, detail: (known.detail ?? '') + item.delta }
  return { ...line, at: known.at, key: known.key }
}

function lineOf({ seq, at, item }: OutputRow): Line {
  const words = text.trace
  switch (item.type) {
    case 'text':
      return { key: `text ${seq}`, at, icon: 'transcript', words: String(item.delta.length) }
    case 'textReplaced':
      return {
        key: `replaced ${seq}`,
        at,
        icon: 'transcript',
        words: text.transcript.replaced,
        note: text.characters(item.text.length),
      }
    case 'reasoning':
      return { key: `reasoning ${seq}`, at, icon: 'thought', words: text.transcript.reasoning, detail: item.delta }
    case 'tool':
      return {
        key: `tool ${item.tool.toolId}`,
        at,
        icon: toolIcon(item.tool),
        words: item.tool.title,
        note: text.toolStatus[item.tool.status],
        detail: item.tool.detail,
        status: item.tool.status,
      }
    case 'plan':
      return {
        key: 'plan',
        at,
        icon: 'plan',
        words: text.transcript.planDone(
          item.entries.filter(({ status }) => status === 'done').length,
          item.entries.length,
        ),
        detail: item.entries.map(({ title, status }) => `${status === 'done' ? '✓' : '·'} ${title}`).join('\n'),
      }
    case 'usage':
      return {
        key: 'usage',
        at,
        icon: 'coin',
        words: words.usage(
          text.tokens(short(item.usage.inputTokens + item.usage.outputTokens), item.usage.provenance === 'estimated'),
        ),
      }
    case 'retrying':
      return {
        key: `retry ${seq}`,
        at,
        icon: 'again',
        words: words.retrying(item.attempt, item.max),
        note: text.errors[item.failure.code],
      }
    case 'warning':
      return { key: `warning ${seq}`, at, icon: 'warning', words: item.text }
    case 'omitted':
      return { key: `omitted ${seq}`, at, icon: 'skipped', words: words.omitted(item.what) }
  }
}
