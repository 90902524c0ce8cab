import { open, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../shared/errors.ts'
import type { Around } from '../../shared/steps.ts'

interface Running {
  /** How much was written when it began: all of that is on the disk when it is done. */
  upTo: number
  done: Promise<void>
}

/**
 * Waits for the disk beside the rest of main: SQLite writes its log, and the log is synced here through a file of our
 * own. In the write-ahead mode a transaction is safe from a power cut once the log is on the disk; a checkpoint syncs
 * the log itself before it moves anything out of it.
 */
export class LogSync {
  readonly #path: string
  readonly #written: () => number
  readonly #around: Around
  #file: Promise<FileHandle> | null = null
  #running: Running | null = null
  #next: Promise<void> | null = null

  /** `written` counts what has been written to the log so far. */
  constructor(path: string, written: () => number, around: Around) {
    this.#path = path
    this.#written = written
    this.#around = around
  }

  /** Resolves once the disk holds all that has been written so far. Throws `ledger.unwritable`. */
  sync(): Promise<void> {
    const running = this.#running
    if (!running) return this.#begin()
    if (running.upTo >= this.#written()) return running.done
    this.#next ??= running.done.catch(() => undefined).then(() => {
      this.#next = null
      return this.#begin()
    })
    return this.#next
  }

  close(): void {
    const [file, running] = [this.#file, this.#running]
    this.#file = null
    if (file) void Promise.allSettled([running?.done]).then(async () => (await file).close()).catch(() => undefined)
  }

  #begin(): Promise<void> {
    const done = this.#syncFile().finally(() => {
      this.#running = null
    })
    this.#running = { upTo: this.#written(), done }
    return done
  }

  async #syncFile(): Promise<void> {
    try {
      // Windows flushes only what is open for writing
      this.#file ??= open(this.#path, 'r+')
      const file = await this.#file
      await this.#around({ kind: 'sync', of: 'log' }, () => file.datasync())
    } catch (error) {
      this.close()
      throw new AppError(
        'ledger.unwritable',
        'The stored data cannot be written. Check the disk and the permissions of the data folder.',
        { cause: error },
      )
    }
  }
}
