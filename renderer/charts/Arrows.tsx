import type { Chart } from '../../machines/chart/reading.ts'
import { arrowReasons, arrowWord, edgesOf, wrapped } from './chart-words.ts'
import type { Arrow } from './drawing.ts'
import { lineHeight, widthOf } from './sheet.ts'
import type { Walk } from './walk.ts'

/** Every arrow, the ones that were taken above the others, and above all of them their words. */
export const Arrows = ({
  chart,
  arrows,
  walk,
  active,
  covered,
}: {
  chart: Chart
  arrows: readonly Arrow[]
  walk: Walk
  active: readonly string[]
  /** Ids of arrows that carry a button in place of their words. */
  covered: readonly string[]
}) => {
  const sorted = arrows.toSorted((a, b) => weight(a, walk) - weight(b, walk))
  return (
    <>
      {sorted.map((arrow) => (
        <ArrowLine key={arrow.id} chart={chart} arrow={arrow} walk={walk} />
      ))}
      {sorted
        .filter(({ id }) => !covered.includes(id))
        .map((arrow) => (
          <ArrowWords key={arrow.id} chart={chart} arrow={arrow} walk={walk} active={active} />
        ))}
    </>
  )
}

const weight = ({ edges }: Arrow, { taken, last }: Walk) =>
  edges.some((id) => last.includes(id)) ? 2 : edges.some((id) => taken.has(id)) ? 1 : 0

const states = ['rest', 'taken', 'last'] as const

const ArrowLine = ({ chart, arrow, walk }: { chart: Chart; arrow: Arrow; walk: Walk }) => {
  const by = edgesOf(chart, arrow.edges).every((edge) => edge.by === 'restart') ? 'restart' : undefined
  return (
    <g className="chart-arrow" data-state={states[weight(arrow, walk)]} data-by={by}>
      <title>{arrowReasons(chart, arrow.edges).join('\n')}</title>
      <path className="reach" d={pathOf(arrow.points)} />
      <path d={pathOf(arrow.points)} />
      <path className="head" d={headOf(arrow.points)} />
    </g>
  )
}

/** The words stand on a patch of the plate, at the place that was kept free for them. */
const ArrowWords = ({
  chart,
  arrow,
  walk,
  active,
}: {
  chart: Chart
  arrow: Arrow
  walk: Walk
  active: readonly string[]
}) => {
  const { label } = arrow
  const word = arrowWord(chart, arrow, walk, active)
  if (!label || word === null) return null
  const lines = wrapped(word)
  const top = label.y + (label.height - lines.length * lineHeight) / 2
  return (
    <g className="chart-arrow" data-state={states[weight(arrow, walk)]}>
      <title>{arrowReasons(chart, arrow.edges).join('\n')}</title>
      <rect className="plate" {...patchOf(label, lines)} y={top} height={lines.length * lineHeight} />
      <text textAnchor={label.align}>
        {lines.map((line, index) => (
          <tspan key={line} x={anchorOf(label)} y={top + 12 + index * lineHeight}>
            {line}
          </tspan>
        ))}
      </text>
    </g>
  )
}

/** Just as wide as the words. */
const patchOf = (label: NonNullable<Arrow['label']>, lines: readonly string[]) => {
  const width = Math.min(label.width, Math.max(...lines.map(widthOf)) + 2)
  const x = anchorOf(label)
  return { x: label.align === 'start' ? x : label.align === 'end' ? x - width : x - width / 2, width }
}

const anchorOf = ({ x, width, align }: NonNullable<Arrow['label']>) =>
  align === 'start' ? x : align === 'end' ? x + width : x + width / 2

const pathOf = (points: Arrow['points']) =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')

/** A small triangle in the direction of the last piece. */
function headOf(points: Arrow['points']) {
  const tip = points.at(-1)
  const before = points.at(-2)
  if (!tip || !before) return ''
  const [x, y] = tip
  const dx = Math.sign(x - before[0])
  const dy = Math.sign(y - before[1])
  const back = 6.5
  const half = 3.5
  const left = `${x - dx * back - dy * half} ${y - dy * back + dx * half}`
  const right = `${x - dx * back + dy * half} ${y - dy * back - dx * half}`
  return `M${x} ${y}L${left}L${right}Z`
}
