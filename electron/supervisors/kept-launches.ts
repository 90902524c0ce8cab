import type { LaunchRecorder } from '../../adapters/live-process.ts'
import type { Around } from '../../shared/steps.ts'
import type { Stores } from '../stores/stores.ts'

interface KeptLaunches {
  around: Around
  /** `null` while nothing can be written. */
  stores: () => Stores | null
  failed: (error: unknown) => void
}

/** Keeps what is known of processes before they do anything; nobody waits for the word. */
export const keptLaunches = ({ around, stores, failed }: KeptLaunches): LaunchRecorder => {
  const keep = (write: (launches: Stores['launches']) => void) => {
    try {
      const open = stores()
      if (open) write(open.launches)
    } catch (error) {
      failed(error)
    }
  }
  return {
    around,
    launched: (launch) => keep((launches) => launches.add(launch)),
    gone: ({ token }) => keep((launches) => launches.remove(token)),
  }
}
