import { BegunInstall } from '../../shared/install.ts'
import type { Stores } from './stores.ts'

const name = 'install.begun'

/** Where an installation that was begun is kept until it has ended. Nothing is kept where nothing may be written. */
export const begunInstallIn = (stores: () => Stores | null) => ({
  read(): BegunInstall | null {
    const kept = stores()?.meta.get(name)
    return kept ? readBegun(kept) : null
  },
  keep(begun: BegunInstall | null): void {
    stores()?.meta.set(name, begun ? JSON.stringify(begun) : '')
  },
})

const readBegun = (kept: string): BegunInstall | null => {
  try {
    return BegunInstall.parse(JSON.parse(kept))
  } catch {
    // whatever it was, it cannot be gone on with
    return null
  }
}
