import { useEffect, useRef, useState } from 'react'
import type { OutputItem, ToolNote } from '../../shared/agent-event.ts'
import { attemptSettled } from '../../shared/attempt.ts'
import { outputPageMax } from '../../shared/limits.ts'
import type { OutputRow, TurnView } from '../../shared/view.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { Icon, type IconName } from './icons.tsx'

/** What tool is used now, or how many were: in the header line, which never grows. Opens what the agent did. */
export const ToolLine = ({ turn, open, toggle }: { turn: TurnView; open: boolean; toggle: () => void }) => {
  const work = useWorld((world) => world.runs[turn.runId]?.work[turn.attemptId])
  const going = !attemptSettled(turn.status)
  const tool = going && work?.tool?.status === 'running' ? work.tool : null
  if (!tool && !work?.plan && !work?.reasoned && turn.toolCount === 0) return null
  return (
    <button
      type="button"
      className="button plain small tool-line"
      aria-expanded={open}
      title={tool?.title}
      onClick={toggle}
    >
      <Icon name={tool ? toolIcon(tool) : turn.toolCount > 0 ? 'wrench' : work?.plan ? 'plan' : 'thought'} small />
      <span className="cut">{tool?.title ?? summary(turn, work?.plan ?? null)}</span>
      <Icon name={open ? 'down' : 'right'} small />
    </button>
  )
}

function summary(turn: TurnView, plan: PlanEntries | null) {
  if (turn.toolCount > 0) return text.transcript.tools(turn.toolCount)
  if (!plan) return text.transcript.reasoning
  return text.transcript.planDone(plan.filter(({ status }) => status === 'done').length, plan.length)
}

export const toolIcon = ({ kind }: ToolNote): IconName => toolIcons[kind]

const toolIcons: Record<ToolNote['kind'], IconName> = {
  read: 'file',
  edit: 'pen',
  execute: 'terminal',
  search: 'search',
  fetch: 'globe',
  think: 'thought',
  other: 'wrench',
}

/** Plan, tools and reasoning of one turn; read from main when they are opened. */
export const TurnWork = ({ turn }: { turn: TurnView }) => {
  const rows = useOutput(turn.attemptId, turn.outputSeq)
  if (rows === null) return <p className="aside dim">{text.common.reading}</p>
  const reasoning = reasoningIn(rows)
  const plan = rows.findLast(({ item }) => item.type === 'plan')?.item
  return (
    <div className="aside">
      {plan?.type === 'plan' ? <Plan entries={plan.entries} /> : null}
      <Tools tools={toolsIn(rows)} />
      {reasoning === '' ? null : <p className="reasoning">{reasoning}</p>}
    </div>
  )
}

const reasoningIn = (rows: readonly OutputRow[]) =>
  rows.flatMap(({ item }) => (item.type === 'reasoning' ? [item.delta] : [])).join('')

/** Each tool once, as it was said last. */
const toolsIn = (rows: readonly OutputRow[]): ToolNote[] => [
  ...new Map(
    rows.flatMap(({ item }) => (item.type === 'tool' ? [[item.tool.toolId, item.tool] as const] : [])),
  ).values(),
]

const Tools = ({ tools }: { tools: readonly ToolNote[] }) => (
  <ul className="tools">
    {tools.map((tool) => (
      <li key={tool.toolId}>
        <Icon name={toolIcon(tool)} small />
        <span className="cut" title={tool.detail ?? tool.title}>
          {tool.title}
        </span>
        <span className="tool-status" data-status={tool.status}>
          {text.toolStatus[tool.status]}
        </span>
      </li>
    ))}
  </ul>
)

type PlanEntries = Extract<OutputItem, { type: 'plan' }>['entries']

const Plan = ({ entries }: { entries: PlanEntries }) => (
  <ol className="plan">
    {entries.map(({ title, status }) => (
      <li key={title} data-status={status}>
        <Icon name={status === 'done' ? 'check' : status === 'inProgress' ? 'right' : 'idle'} small />
        <span>{title}</span>
        <span className="unseen">{text.planStatus[status]}</span>
      </li>
    ))}
  </ol>
)

const readAgainMs = 300

/** Everything an attempt put out, read page by page; what is added while it streams is read now and then. */
export function useOutput(attemptId: string, upTo: number): readonly OutputRow[] | null {
  const session = useSession()
  const [read, setRead] = useState<{ attemptId: string; rows: readonly OutputRow[]; seen: number } | null>(null)
  const newest = useRef(upTo)
  const known = read?.attemptId === attemptId ? read : null
  const behind = known === null || known.seen < upTo
  useEffect(() => {
    newest.current = upTo
  }, [upTo])
  useEffect(() => {
    if (!behind) return undefined
    let wanted = true
    const rows = known?.rows ?? []
    const readOn = async () => {
      const reply = await session.call('attempt.output', {
        attemptId,
        after: rows.at(-1)?.seq ?? 0,
        limit: outputPageMax,
      })
      if (!wanted) return
      const added = reply.ok ? reply.value.rows : []
      setRead({ attemptId, rows: [...rows, ...added], seen: reply.ok && reply.value.more ? 0 : newest.current })
    }
    const timer = setTimeout(() => void readOn(), known === null ? 0 : readAgainMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [session, attemptId, known, behind])
  return known?.rows ?? null
}
