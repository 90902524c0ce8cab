import { closeSync, existsSync, openSync } from 'node:fs'
import { AppError } from '../../shared/errors.ts'
import type { Around } from '../../shared/steps.ts'
import { Database } from './database.ts'
import { unwritableFolder } from './files.ts'

/**
 * Holds a data folder for this process. The lock is the operating system's own on an empty SQLite file,
 * so that it ends with the process, however that ends.
 */
export class FolderLock {
  readonly #database: Database

  /** Throws `ledger.locked` when another holds it, `ledger.unwritable` when it cannot be made. */
  constructor(path: string, around: Around) {
    makePrivateFile(path, around)
    this.#database = new Database(path, { readOnly: false })
    try {
      // no journal beside it: nothing is ever written
      this.#database.script('pragma journal_mode = memory; begin exclusive')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  release() {
    this.#database.close()
  }
}

const makePrivateFile = (path: string, around: Around) => {
  try {
    around({ kind: 'file', of: 'lock' }, () => closeSync(openSync(path, 'a', 0o600)))
  } catch (error) {
    throw unwritableFolder(error)
  }
}

/** Whether some process holds a data folder now. Nothing is written; a lock that is not there is held by nobody. */
export const isLockHeld = (path: string): boolean => {
  if (!existsSync(path)) return false
  const database = new Database(path, { readOnly: true })
  try {
    database.all('select name from sqlite_schema')
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'ledger.locked') return true
    throw error
  } finally {
    database.close()
  }
}
