import { accessSync, chmodSync, closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../shared/errors.ts'
import { journalKeptBytes, logPagesMax, pageCacheKibibytes } from '../../shared/limits.ts'
import { type Around, straight } from '../../shared/steps.ts'
import { closedInOrder, forgetMark, markClosedInOrder } from './clean-mark.ts'
import { textIn } from './columns.ts'
import { Database } from './database.ts'
import {
  bytesOf, type Files, filesIn, makeFolder, privateFileMode, statOf, syncFolder, takesWrites,
  unwritableFolder,
} from './files.ts'
import { FolderLock } from './lock.ts'
import { migrate, versionStanding } from './migrations.ts'
import { quarantine } from './quarantine.ts'
import { Stores } from './stores.ts'

interface OpenOptions {
  around?: Around | undefined
  /** Called after a write that the disk refused, wherever it was made. */
  refused?: ((error: AppError) => void) | undefined
}

/**
 * Opens everything in a data folder for this process alone; an empty folder gets a new database.
 * Throws `ledger.unwritable`, `ledger.locked`, `ledger.newer`, or `ledger.damaged` with a `reason` in its params.
 * What cannot be trusted is left exactly as it is; damaged content is copied aside once.
 */
export const openStores = (folder: string, { around = straight, refused }: OpenOptions = {}): Stores => {
  const files = filesIn(folder)
  makeFolder(folder, around)
  const lock = new FolderLock(files.lock, around)
  try {
    const database = openTrusted(files, { around, refused })
    const stores = new Stores(database, files.images, () => closeInOrder(files, database, lock))
    stores.images.sweep()
    return stores
  } catch (error) {
    lock.release()
    throw error instanceof AppError ? error : unwritableFolder(error)
  }
}

/** Whether a data folder takes writes, as far as a look can tell. */
export const mayBeWritten = (folder: string, around: Around = straight): boolean => takesWrites(filesIn(folder), around)

/** Opens a folder to look at only, beside a running Parley too. `null` when nothing in it can be read. */
export const openReadOnly = (folder: string): Stores | null => {
  const files = filesIn(folder)
  return lookInto(files, files.database) ?? (bytesOf(files.log) > 0 ? null : lookInto(files, unchanging(files)))
}

/** As `openReadOnly`, for a folder that no Parley holds: SQLite leaves no file of its own in it either. */
export const openUntouched = (folder: string): Stores | null => {
  const files = filesIn(folder)
  if (bytesOf(files.log) === 0) return lookInto(files, unchanging(files))
  // without its index a log can only be read by making one
  return statOf(files.index) ? lookInto(files, ownIndexUrl(files.database)) : openReadOnly(folder)
}

type DamageReason = 'empty' | 'notADatabase' | 'checkFailed' | 'directory' | 'unreadable' | 'mainFileMissing'

const openTrusted = (files: Files, options: OpenOptions & { around: Around }): Database => {
  if (isNew(files)) createDatabase(files, options.around)
  else probe(files)
  const database = new Database(files.database, { readOnly: false, ...options })
  try {
    chmodSync(files.database, privateFileMode)
    prepare(database)
    if (versionStanding(database) === 'older') migrate(database)
    forgetMark(files, options.around)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const isNew = (files: Files): boolean => {
  const stat = statOf(files.database)
  if (stat?.isDirectory()) throw damaged(files, 'directory')
  if (stat?.size === 0) throw damaged(files, 'empty')
  if (stat) return false
  // a log without its file would be replayed into the new one
  if (bytesOf(files.log) > 0) throw damaged(files, 'mainFileMissing')
  return true
}

/** Born under another name, so that an empty `parley.db` can only be a damaged one. */
const createDatabase = (files: Files, around: Around) => {
  around({ kind: 'file', of: 'new database' }, () => {
    rmSync(files.unborn, { force: true })
    closeSync(openSync(files.unborn, 'wx', privateFileMode))
  })
  const database = new Database(files.unborn, { readOnly: false, around })
  try {
    migrate(database)
  } finally {
    database.close()
  }
  around({ kind: 'file', of: 'new database named' }, () => renameSync(files.unborn, files.database))
  around({ kind: 'file', of: 'data folder synced' }, () => syncFolder(files.folder))
}

/** Looks before anything can be changed: whose file it is, which version, and whether it is sound. */
const probe = (files: Files) => {
  if (!isReadable(files.database)) throw damaged(files, 'unreadable')
  const standing = looking(files, (database) => {
    if (!closedInOrder(files) && !isSound(database)) throw damaged(files, 'checkFailed')
    return versionStanding(database)
  })
  if (standing === 'foreign') throw damaged(files, 'notADatabase')
  if (standing === 'newer')
    throw new AppError('ledger.newer', 'The stored data comes from a newer Parley. Use that one.')
}

const looking = <Result>(files: Files, look: (database: Database) => Result): Result => {
  let database: Database | null = null
  try {
    database = new Database(files.database, { readOnly: true })
    return look(database)
  } catch (error) {
    if (error instanceof AppError && error.code === 'ledger.damaged' && !error.params)
      throw damaged(files, 'notADatabase')
    throw error
  } finally {
    database?.close()
  }
}

const isSound = (database: Database) =>
  database.all('pragma quick_check(1)').every((row) => textIn(row, 'quick_check') === 'ok')

const prepare = (database: Database) => {
  const mode = database.get('pragma journal_mode = wal')
  if (mode?.['journal_mode'] !== 'wal')
    throw new AppError('ledger.unwritable', 'The data folder cannot hold a write-ahead log.')
  database.script(`
    pragma synchronous = full;
    pragma secure_delete = on;
    pragma wal_autocheckpoint = ${logPagesMax};
    pragma temp_store = memory;
    pragma cache_size = -${pageCacheKibibytes};
    pragma journal_size_limit = ${journalKeptBytes};
  `)
}

const closeInOrder = (files: Files, database: Database, lock: FolderLock) => {
  if (!database.isOpen) return
  try {
    database.close()
    markClosedInOrder(files, database.around)
  } finally {
    lock.release()
  }
}

const lookInto = ({ images }: Files, location: string | URL): Stores | null => {
  let database: Database | null = null
  try {
    database = new Database(location, { readOnly: true })
    const stores = new Stores(database, images, database.close.bind(database))
    if (versionStanding(database) !== 'foreign' && canBeRead(stores)) return stores
  } catch {
    // nothing readable here is an answer, not a failure
  }
  database?.close()
  return null
}

const canBeRead = (stores: Stores) => {
  const { rows } = stores.list.page({ after: null, limit: 1, query: '' })
  stores.gates.waiting()
  if (rows[0]) stores.views.conversation(rows[0].conversationId, null)
  return true
}

/** Reads the file alone, for a folder in which SQLite may not even make its index of the log. */
const unchanging = ({ database }: Files) => {
  const url = pathToFileURL(database)
  url.search = '?mode=ro&immutable=1'
  return url
}

/** Reads the log through an index in memory: the one in the folder stays as it is. */
const ownIndexUrl = (path: string) => {
  const url = pathToFileURL(path)
  url.search = '?mode=ro&readonly_shm=1'
  return url
}

const isReadable = (path: string) => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const damaged = (files: Files, reason: DamageReason) => {
  const copied = reason !== 'directory' && reason !== 'unreadable' && quarantine(files)
  return new AppError('ledger.damaged', 'The stored data is damaged and was left as it is.', {
    params: { reason, copied },
  })
}
