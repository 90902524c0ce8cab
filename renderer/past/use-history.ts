import { useEffect, useState } from 'react'
import type { Failure } from '../../shared/errors.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'
import { eventsPageMax } from '../../shared/limits.ts'
import type { TimelineEnd } from '../../shared/timeline.ts'
import type { Session } from '../state/session.ts'
import { useSession } from '../state/use-session.ts'
import { historyOf, type History } from './moments.ts'

/** What is heard of a run that goes on is read in one go, so long after the first of it. */
const readOnMs = 500

interface Read {
  history: History | null
  failure: Failure | null
}

/** The history of a run, read page by page, and read on as long as the run goes on. */
export function useHistory(runId: string): Read {
  const session = useSession()
  const [read, setRead] = useState<Read>({ history: null, failure: null })
  useEffect(() => new HistoryReader(session, runId, setRead).start(), [session, runId])
  return read
}

class HistoryReader {
  readonly #session: Session
  readonly #runId: string
  readonly #tell: (change: (before: Read) => Read) => void
  #events: readonly LedgerEvent[] = []
  #heard: readonly unknown[] = []
  #timer: ReturnType<typeof setTimeout> | null = null
  #reading = false
  #stopped = false

  constructor(session: Session, runId: string, tell: (change: (before: Read) => Read) => void) {
    this.#session = session
    this.#runId = runId
    this.#tell = tell
  }

  /** Begins to read; gives back the way to stop. */
  start() {
    this.#heard = this.#newest()
    const stop = this.#session.subscribe(() => this.#hear())
    void this.#read()
    return () => {
      stop()
      this.#stopped = true
      if (this.#timer) clearTimeout(this.#timer)
    }
  }

  /** What changes where there is something to read on: the run's newest transition, and the gates. */
  #newest() {
    const { world } = this.#session.model
    return [world?.runs[this.#runId]?.seq, world?.gates]
  }

  #hear() {
    const newest = this.#newest()
    if (newest.every((one, index) => one === this.#heard[index])) return
    this.#heard = newest
    this.#timer ??= setTimeout(() => void this.#read(), readOnMs)
  }

  async #read() {
    this.#timer = null
    if (this.#reading) {
      this.#timer = setTimeout(() => void this.#read(), readOnMs)
      return
    }
    this.#reading = true
    const rest = await readRest(this.#session, this.#runId, this.#events)
    this.#reading = false
    if (this.#stopped) return
    if ('failure' in rest) return this.#tell(({ history }) => ({ history, failure: rest.failure }))
    this.#events = rest.events
    this.#tell(() => ({ history: historyOf(rest.events, rest.end), failure: null }))
  }
}

type Rest = { events: readonly LedgerEvent[]; end: TimelineEnd } | { failure: Failure }

async function readRest(session: Session, runId: string, known: readonly LedgerEvent[]): Promise<Rest> {
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
