import { createHash } from 'node:crypto'
import { RunRecording, type FileAttempt } from '../../shared/run-file.ts'
import type { Scrub } from './scrub.ts'

type Row = FileAttempt['output'][number]

/** A recording in which no text tells of the machine that it comes from. */
export const cleanRecording = (recording: RunRecording, scrub: Scrub): RunRecording => {
  const { conversation, run, earlier, events, gates, attempts } = recording
  let replaced = 0
  const counted = (text: string) => {
    const cleaned = scrub(text)
    if (cleaned !== text) replaced += 1
    return cleaned
  }
  const clean = <Value>(value: Value): Value => cleanAll(value, counted)
  const cleaned = {
    ...recording,
    conversation: clean(conversation),
    run: clean(run),
    earlier: clean(earlier),
    events: clean(events.map(withoutPid)),
    gates: clean(gates),
    attempts: attempts.map((attempt) => {
      const output = joinedWhereTorn(attempt.output, scrub)
      return cleanAttempt({ ...attempt, output }, counted)
    }),
  }
  return RunRecording.parse({ ...cleaned, replaced: recording.replaced + replaced })
}

const cleanAttempt = ({ output, deliveries, ...attempt }: FileAttempt, clean: Scrub) => {
  const cleaned = cleanAll(attempt, clean)
  return {
    ...cleaned,
    record: { ...cleaned.record, textLength: cleaned.text.length },
    output: cleanAll(output, clean),
    deliveries: cleanAll(deliveries, clean).map((delivery) => ({
      ...delivery,
      record: {
        ...delivery.record,
        promptSha256: createHash('sha256').update(delivery.prompt).digest('hex'),
        promptBytes: Buffer.byteLength(delivery.prompt),
      },
    })),
  }
}

/** The number of a process is of no use anywhere else. */
const withoutPid = <Event extends { cause: Record<string, unknown> }>(event: Event): Event => {
  const { pid: _pid, ...cause } = event.cause
  return { ...event, cause }
}

const cleanAll = <Value>(value: Value, clean: Scrub): Value => {
  const through = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(through)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, through(inner)]))
  }
  // only texts change, and a text stays a text
  return through(value) as Value
}

/**
 * Text comes in pieces, and what is to be taken out may be torn by them: where whole texts hold more of it than their
 * pieces do, pieces are cut anew at the ends of lines.
 */
const joinedWhereTorn = (rows: readonly Row[], clean: Scrub): Row[] =>
  (['text', 'reasoning'] as const).reduce<Row[]>((soFar, type) => joinedOf(soFar, type, clean), [...rows])

const joinedOf = (rows: readonly Row[], type: 'text' | 'reasoning', clean: Scrub): Row[] => {
  const pieces = rows.flatMap(({ item }) => (item.type === type ? [item.delta] : []))
  if (clean(pieces.join('')) === pieces.map(clean).join('')) return [...rows]
  const result: Row[] = []
  let held = ''
  const last = rows.findLastIndex(({ item }) => item.type === type)
  for (const [index, row] of rows.entries()) {
    const { item } = row
    if (item.type !== type) {
      result.push(row)
      continue
    }
    held += item.delta
    const cut = index === last || endsHere(rows, index, type) ? held.length : held.lastIndexOf('\n') + 1
    const delta = held.slice(0, cut)
    held = held.slice(cut)
    if (delta !== '') result.push({ ...row, item: { type, delta } })
  }
  return result
}

/** Whether what follows is another text: of a further try, or one that replaces this one. */
const endsHere = (rows: readonly Row[], index: number, type: 'text' | 'reasoning'): boolean => {
  const next = rows.slice(index + 1).find(({ item }) => item.type === type || item.type === 'textReplaced')
  return next === undefined || next.item.type === 'textReplaced' || next.try !== rows[index]?.try
}
