import { useRef } from 'react'
import type { Chart, ChartNode } from '../../machines/chart/reading.ts'
import { text } from '../text/text.ts'
import { arrowReasons, edgesOf, edgeWord, stateWord } from './chart-words.ts'
import type { Lit } from './ChartView.tsx'

/** The chart as a tree of words, equal to the picture: where it is, where it was and how often, what leads out. */
export const Outline = ({ chart, lit, label }: { chart: Chart; lit: Lit; label: string }) => {
  const tree = useRef<HTMLUListElement>(null)
  return (
    <ul
      className="outline"
      role="tree"
      aria-label={label}
      ref={tree}
      onKeyDown={(event) => moveInTree(event, tree.current)}
    >
      {chart.nodes
        .filter(({ parent }) => parent === null)
        .map((node, index) => (
          <Branch key={node.id} chart={chart} node={node} lit={lit} level={1} first={index === 0} />
        ))}
    </ul>
  )
}

const Branch = ({
  chart,
  node,
  lit,
  level,
  first,
}: {
  chart: Chart
  node: ChartNode
  lit: Lit
  level: number
  first: boolean
}) => {
  const inner = chart.nodes.filter(({ parent }) => parent === node.id)
  const now = lit.active.includes(node.id)
  const count = lit.walk.entered.get(node.id) ?? 0
  const end = node.kind === 'final'
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-current={now ? 'step' : undefined}
      aria-expanded={inner.length > 0 ? true : undefined}
      aria-selected={now}
      tabIndex={first ? 0 : -1}
      data-state={now ? 'now' : count > 0 ? 'been' : 'rest'}
      data-tone={end && now ? lit.tone : undefined}
    >
      <div className="outline-line" style={{ paddingLeft: 12 + (level - 1) * 20 }}>
        <span className="outline-dot" data-end={end || undefined} />
        <span className="outline-name">{stateWord(node.id)}</span>
        <span className="outline-out">{waysOut(chart, node)}</span>
        <span className="meta">{note(lit, node, now, count)}</span>
      </div>
      {inner.length > 0 ? (
        <ul role="group">
          {inner.map((child) => (
            <Branch key={child.id} chart={chart} node={child} lit={lit} level={level + 1} first={false} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function note({ walk }: Lit, node: ChartNode, now: boolean, count: number) {
  const words = text.outline
  if (now && node.kind === 'final') return words.ended
  const entered = count === 0 ? words.never : words.entered(count)
  if (!now) return node.kind === 'final' ? '' : entered
  return walk.lastEvent === null || node.kind === 'group' ? words.now : `${words.now}, ${entered}`
}

/** Where each arrow leads, with its reason, in one quiet line. */
function waysOut(chart: Chart, node: ChartNode) {
  const edges = chart.edges.filter(({ from, to }) => from === node.id && to !== node.id)
  const byTarget = Map.groupBy(edges, ({ to }) => to)
  return [...byTarget].map(([to, ways]) => {
    const first = edgesOf(
      chart,
      ways.map(({ id }) => id),
    )[0]
    const reason = ways.length > 1 ? text.panel.ways(ways.length) : first ? edgeWord(first) : ''
    return (
      <span
        key={to}
        className="way"
        title={arrowReasons(
          chart,
          ways.map(({ id }) => id),
        ).join('\n')}
      >
        {`→ ${stateWord(to)}`}
        <span className="dim">{` ${reason}`}</span>
      </span>
    )
  })
}

/** Up and down go through what is shown; Home and End to its ends. */
function moveInTree(event: React.KeyboardEvent, tree: HTMLElement | null) {
  const items = [...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
  const at = items.findIndex((item) => item === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items[Math.min(items.length - 1, Math.max(0, to))]?.focus()
}
