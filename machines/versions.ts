import type { MachineName } from '../shared/ledger.ts'

/** The version of each chart, stored beside its snapshots. A chart that behaves differently gets the next number. */
export const machineVersions: Record<MachineName, number> = {
  run: 1, round: 1, attempt: 1, gate: 1, lifecycle: 2, install: 2,
}
