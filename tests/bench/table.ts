import { isWithin, type Figure } from './figure.ts'

/** The figures as lines of a table, a cross before what is over its budget. */
export const tableOf = (figures: readonly Figure[]): string[] => {
  const rows = [['', 'what', 'figure', 'budget'], ...figures.map(rowOf)]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map(([mark = '', what = '', value = '', budget = '']) =>
    [
      mark.padEnd(1),
      what.padEnd(widths[1] ?? 0),
      value.padStart(widths[2] ?? 0),
      budget.padStart(widths[3] ?? 0),
    ].join('  '),
  )
}

const rowOf = (figure: Figure): string[] => [
  isWithin(figure) ? ' ' : '✗', figure.what, `${rounded(figure.value)} ${figure.unit}`, budgetOf(figure),
]

const budgetOf = ({ budget, unit }: Figure): string => {
  if (budget === null) return '–'
  return 'atMost' in budget ? `≤ ${rounded(budget.atMost)} ${unit}` : `≥ ${rounded(budget.atLeast)} ${unit}`
}

const rounded = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0 })
