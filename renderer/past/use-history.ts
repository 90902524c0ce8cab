import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { eventsPageMax } from '../../shared/limits.ts'
import type { TimelineEnd } from '../../shared/timeline.ts'
import type { Session } from '../state/session.ts'
import { useSession, useWorld } from '../state/use-session.ts'
import { historyOf, type History } from './moments.ts'

/** What is heard of a run that goes on is read in one go, so long after the first of it. */
const readOnMs = 500

/** The history of a run, read page by page, and read on as long as the run goes on. */
export function useHistory(runId: string): { history: History | null; failure: Failure | null } {
  const session = useSession()
  const heard = useWorld((world) => world.runs[runId]?.seq ?? 0)
  const gates = useWorld((world) => world.gates)
  const [read, setRead] = useState<{ history: History | null; failure: Failure | null }>(nothingRead)
  const known = useRef<readonly LedgerEvent[]>([])
  const isReading = useRef(false)
  const [again, setAgain] = useState(0)
  useEffect(() => {
    const readOn = async () => {
      if (isReading.current) return setAgain((times) => times + 1)
      isReading.current = true
      const page = await readRest(session, runId, known.current)
      isReading.current = false
      if ('failure' in page) return setRead(({ history }) => ({ history, failure: page.failure }))
      known.current = page.events
      return setRead({ history: historyOf(page.events, page.end), failure: null })
    }
    const timer = setTimeout(() => void readOn(), known.current.length === 0 && !isReading.current ? 0 : readOnMs)
    return () => clearTimeout(timer)
  }, [session, runId, heard, gates, again])
  return read
}

const nothingRead = { history: null, failure: null }

type Read = { events: readonly LedgerEvent[]; end: TimelineEnd } | { failure: Failure }

async function readRest(session: Session, runId: string, known: readonly LedgerEvent[]): Promise<Read> {
  const events = [...known]
  for (;;) {
    // each page begins where the one before ended
    const reply = await session.call('run.timeline', { runId, after: events.at(-1)?.seq ?? 0, limit: eventsPageMax })
    if (!reply.ok) return { failure: reply.failure }
    events.push(...reply.value.events)
    if (reply.value.end) return { events, end: reply.value.end }
    if (reply.value.events.length === 0) return { failure: unreadable }
  }
}

const unreadable: Failure = { code: 'ledger.damaged', message: 'A part of the history cannot be read.' }
