import { noticeOfRun, type Notice } from '../../shared/notice.ts'
import { RunStatus } from '../../shared/run.ts'
import type { LedgerEvent } from '../../shared/ledger.ts'

/**
 * What a cut is worth telling somebody who does not look: the end of a run, by the run's own machine, and a gate that
 * opened. A transition is written once, so none of them is told twice, whatever is reloaded or started anew.
 */
export const noticesIn = (events: readonly LedgerEvent[]): Notice[] => events.flatMap((event) => noticeOf(event) ?? [])

const noticeOf = ({ machine, type, value }: LedgerEvent): Notice | null => {
  if (machine === 'gate') return type === 'gate.began' ? 'needsYou' : null
  const status = machine === 'run' ? RunStatus.safeParse(value) : null
  return status?.success ? noticeOfRun(status.data) : null
}
