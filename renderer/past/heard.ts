import type { Usage } from '../../shared/usage.ts'
import { noUsage } from '../../shared/usage.ts'
import type { OutputRow, TurnView } from '../../shared/view.ts'

/** What an attempt had put out by some moment. */
export interface Heard {
  text: string
  usage: Usage
  toolCount: number
  lastOutputAt: number | null
  outputSeq: number
  /** `reading`: it is on its way from main. `gone`: the pieces are no longer on record, only what they came to. */
  known: 'whole' | 'reading' | 'gone'
}

/** Reads what was put out by a moment off the recorded pieces; `null` while they are being read. */
export function heardBy(turn: TurnView, rows: readonly OutputRow[] | null, at: number): Heard {
  if (rows === null) return { ...nothing, known: 'reading' }
  const past = rows.filter((row) => row.at <= at)
  const last = past.at(-1)
  const usage = past.findLast(({ item }) => item.type === 'usage')?.item
  return {
    text: textIn(past),
    usage: usage?.type === 'usage' ? usage.usage : noUsage,
    toolCount: new Set(past.flatMap(({ item }) => (item.type === 'tool' ? [item.tool.toolId] : []))).size,
    lastOutputAt: last?.at ?? null,
    outputSeq: last?.seq ?? 0,
    known: turn.text !== '' && !rows.some(bearsText) ? 'gone' : 'whole',
  }
}

const nothing = { text: '', usage: noUsage, toolCount: 0, lastOutputAt: null, outputSeq: 0 }

function textIn(rows: readonly OutputRow[]): string {
  let text = ''
  for (const { item } of rows) {
    if (item.type === 'text') text += item.delta
    if (item.type === 'textReplaced') ({ text } = item)
  }
  return text
}

const bearsText = ({ item }: OutputRow) => item.type === 'text' || item.type === 'textReplaced'
