import {
  backupAtEndAfterMs, backupAtEndMs, backupEveryMs, backupFirstMs, backupRetryMs, logEmptiedAtBytes, upkeepLookMs,
  upkeepSliceMs,
} from '../../shared/limits.ts'
import { toFailure } from '../../shared/errors.ts'
import type { Log } from '../log.ts'
import type { Backups } from '../stores/backups.ts'
import type { Stores } from '../stores/stores.ts'

interface UpkeepOptions {
  stores: Stores
  backups: Pick<Backups, 'make' | 'stop' | 'newestAt' | 'isBehind' | 'bytes'>
  log: Log
  now: () => number
}

/**
 * Looks after the stored record while nobody waits for it: takes what was deleted out of the log and the backups,
 * makes a backup when one is due, and compacts old details a little at a time. What fails is logged and tried again.
 */
export class Upkeep {
  readonly #options: UpkeepOptions
  #timer: NodeJS.Timeout | null = null
  #turn: Promise<void> = Promise.resolve()
  #over = false
  #backupDueAt = Number.POSITIVE_INFINITY
  #lastBackupAt = 0
  #changesThen = 0
  #wasStopped = false

  constructor(options: UpkeepOptions) {
    this.#options = options
  }

  /** From now on until `end`. */
  begin(): void {
    const { stores, backups, now } = this.#options
    this.#lastBackupAt = now()
    // with -1 whatever was written before this start counts as a change
    this.#changesThen = backups.isBehind ? -1 : stores.changes
    this.#backupDueAt = now() + backupFirstMs
    this.#look(stores.erasure.due ? upkeepSliceMs : upkeepLookMs)
  }

  /** Something was deleted: the log and the backups must not hold it for long. */
  async erased(): Promise<void> {
    await this.#options.backups.stop()
    this.#look(0)
  }

  /** Does nothing more, at once. */
  async rest(): Promise<void> {
    this.#over = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#options.backups.stop()
    await this.#turn
  }

  /** The orderly end: keeps what an hour's work has changed, as far as the time for it goes. */
  async end(): Promise<void> {
    await this.rest()
    const { backups, now } = this.#options
    if (!this.#hasChanged() || now() - this.#lastBackupAt < backupAtEndAfterMs) return
    const limit = setTimeout(() => void backups.stop(), backupAtEndMs)
    await this.#backUp()
    clearTimeout(limit)
  }

  #look(inMs: number): void {
    if (this.#over) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#turn = this.#turn.then(() => this.#takeTurn())
    }, inMs)
    this.#timer.unref()
  }

  async #takeTurn(): Promise<void> {
    if (this.#over || !this.#options.stores.isOpen) return
    try {
      this.#look(await this.#doWhatIsDue())
    } catch (error) {
      this.#options.log.error(toFailure(error).code, { during: 'upkeep' })
      this.#look(backupRetryMs)
    }
  }

  /** Gives back in how many milliseconds to look again. */
  async #doWhatIsDue(): Promise<number> {
    const { stores, log, now } = this.#options
    const { due } = stores.erasure
    if (due !== null) return this.#erase(due)
    if (now() >= this.#backupDueAt && this.#hasChanged()) {
      await this.#backUp()
      return upkeepSliceMs
    }
    if (stores.logBytes > logEmptiedAtBytes && !stores.erasure.emptyLog()) {
      log.warn('ledger.log-held', { bytes: stores.logBytes })
      return backupRetryMs
    }
    return stores.details.compactSome() ? upkeepSliceMs : upkeepLookMs
  }

  async #erase(due: number): Promise<number> {
    const { stores, backups } = this.#options
    if (!stores.erasure.emptyLog()) return upkeepLookMs
    if (backups.newestAt === null) {
      await backups.stop()
      stores.erasure.end(due)
    } else if (!(await this.#backUp())) return this.#wasStopped ? upkeepSliceMs : backupRetryMs
    return upkeepSliceMs
  }

  async #backUp(): Promise<boolean> {
    const { stores, backups, log, now } = this.#options
    const [at, changes, { due }] = [now(), stores.changes, stores.erasure]
    const outcome = await backups.make(at, { replaces: due !== null })
    const made = outcome === 'made'
    this.#wasStopped = outcome === 'stopped'
    if (made) log.info('backup.made', { ms: now() - at, bytes: backups.bytes })
    else if (!this.#wasStopped) log.error(`backup.${outcome}`)
    this.#backupDueAt = now() + (made ? backupEveryMs : backupRetryMs)
    if (!made) return false
    this.#lastBackupAt = at
    this.#changesThen = changes
    if (due !== null) stores.erasure.end(due)
    return true
  }

  #hasChanged(): boolean {
    return this.#options.stores.changes !== this.#changesThen
  }
}
