import { useCallback, useRef, useState } from 'react'
import { outputPageMax } from '../../shared/limits.ts'
import type { OutputRow, TurnView } from '../../shared/view.ts'
import type { Session } from '../state/session.ts'
import { useSession } from '../state/use-session.ts'
import type { OutputOf } from './picture.ts'

/** The output of how many attempts is kept in the window while it is looked at. */
const keptMax = 24

interface Kept {
  rows: readonly OutputRow[] | null
  /** How far main had said that the output goes when it was read. */
  upTo: number
}

/** Reads what attempts put out, as they are looked at, and forgets what was not looked at for longest. */
export function useOutputs(): { outputOf: OutputOf; want: (turns: readonly TurnView[]) => void } {
  const session = useSession()
  const kept = useRef(new Map<string, Kept>())
  const [, draw] = useState(0)
  const outputOf = useCallback((attemptId: string) => kept.current.get(attemptId)?.rows ?? null, [])
  const want = useCallback(
    (turns: readonly TurnView[]) => {
      for (const { attemptId, outputSeq } of turns) {
        const known = kept.current.get(attemptId)
        kept.current.delete(attemptId)
        kept.current.set(attemptId, { rows: known?.rows ?? null, upTo: outputSeq })
        if (known && known.upTo >= outputSeq) continue
        void readOutput(session, attemptId, known?.rows ?? []).then((rows) => {
          kept.current.set(attemptId, { rows, upTo: outputSeq })
          return draw((times) => times + 1)
        })
      }
      for (const attemptId of [...kept.current.keys()].slice(0, -keptMax)) kept.current.delete(attemptId)
    },
    [session],
  )
  return { outputOf, want }
}

/** What cannot be read counts as not on record any more. */
async function readOutput(session: Session, attemptId: string, known: readonly OutputRow[]): Promise<OutputRow[]> {
  const rows = [...known]
  for (;;) {
    const after = rows.at(-1)?.seq ?? 0
    const reply = await session.call('attempt.output', { attemptId, after, limit: outputPageMax })
    if (!reply.ok) return rows
    rows.push(...reply.value.rows)
    if (!reply.value.more || reply.value.rows.length === 0) return rows
  }
}
