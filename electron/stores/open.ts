import { accessSync, chmodSync, constants, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import {
  journalKeptBytes, logPagesMax, madeShrinkableMaxBytes, pageBytes, pageCacheKibibytes,
} from '../../shared/limits.ts'
import { DamageReason } from '../../shared/restored.ts'
import { type Around, straight } from '../../shared/steps.ts'
import { closedInOrder, forgetMark, markClosedInOrder } from './clean-mark.ts'
import { textIn } from './columns.ts'
import { Database } from './database.ts'
import {
  bytesOf, type Files, filesIn, makeFolder, makePrivateFile, privateFileMode, statOf, syncFolder, takesWrites,
  unwritableFolder,
} from './files.ts'
import { newestGood } from './generations.ts'
import { FolderLock } from './lock.ts'
import { migrate, versionStanding } from './migrations.ts'
import { putBack } from './put-back.ts'
import { quarantine } from './quarantine.ts'
import { hasItsShape } from './shape.ts'
import { Stores } from './stores.ts'

interface OpenOptions {
  around?: Around | undefined
  /** Called after a write that the disk refused, wherever it was made. */
  refused?: ((error: AppError) => void) | undefined
}

type TrustedOptions = OpenOptions & { around: Around }

/**
 * Opens everything in a data folder for this process alone; an empty folder gets a new database.
 * Throws `ledger.unwritable`, `ledger.locked`, `ledger.newer`, or `ledger.damaged` with a `reason` in its params.
 * Damaged content is copied aside once, and the newest good backup is opened in its place; without one, and in all
 * other cases, what cannot be trusted is left exactly as it is.
 */
export const openStores = (folder: string, { around = straight, refused }: OpenOptions = {}): Stores => {
  const files = filesIn(folder)
  makeFolder(folder, around)
  const lock = new FolderLock(files.lock, around)
  try {
    const database = openTrustedOrBackup(files, { around, refused })
    const stores = new Stores(database, files.images, () => closeInOrder(files, database, lock))
    stores.images.sweep(placeOfStrays(files, stores))
    return stores
  } catch (error) {
    lock.release()
    throw error instanceof AppError ? error : unwritableFolder(error)
  }
}

/** Whether a data folder takes writes, as far as a look can tell. */
export const mayBeWritten = (folder: string, around: Around = straight): boolean => takesWrites(filesIn(folder), around)

const openTrustedOrBackup = (files: Files, options: TrustedOptions): Database => {
  try {
    return openTrusted(files, options)
  } catch (error) {
    const reason = damageReasonOf(error)
    if (reason === null || !putBack(files, reason, Date.now())) throw error
    return openTrusted(files, options)
  }
}

/** `null` for what is no damage of the record: one that is newer, locked, or in a folder that cannot be written. */
const damageReasonOf = (error: unknown): DamageReason | null =>
  error instanceof AppError && error.code === 'ledger.damaged'
    ? DamageReason.safeParse(error.params?.['reason']).data ?? null
    : null

/** Images that a backup does not know may belong to what was damaged: until the person has read of it they are kept. */
const placeOfStrays = (files: Files, stores: Stores): string | null => {
  const note = stores.restored.get()
  return note && join(files.quarantine, note.kept ?? 'parley-images', 'images')
}

const openTrusted = (files: Files, options: TrustedOptions): Database => {
  if (isNew(files)) createDatabase(files, options.around)
  else probe(files)
  const database = new Database(files.database, { readOnly: false, ...options })
  try {
    chmodSync(files.database, privateFileMode)
    prepare(database)
    if (versionStanding(database) === 'older') migrate(database)
    letShrink(files, database)
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
  // a log without its file would be replayed into the new one, and what has backups is not new
  if (bytesOf(files.log) > 0 || newestGood(files)) throw damaged(files, 'mainFileMissing')
  return true
}

/** Born under another name, so that an empty `parley.db` can only be a damaged one. */
const createDatabase = (files: Files, around: Around) => {
  around({ kind: 'file', of: 'new database' }, () => {
    rmSync(files.unborn, { force: true })
    makePrivateFile(files.unborn)
  })
  const database = new Database(files.unborn, { readOnly: false, around })
  try {
    // it can only be chosen before the first table is there
    database.script(`pragma page_size = ${pageBytes}`)
    database.script(shrinkable)
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
    const found = versionStanding(database)
    if (closedInOrder(files)) return found
    if (!isSound(database)) throw damaged(files, 'checkFailed')
    if (found === 'older' || found === 'current') requireShape(files, database)
    return found
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

const requireShape = (files: Files, database: Database) => {
  if (!hasItsShape(database)) throw damaged(files, 'wrongShape')
}

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

/** A file gives freed pages back only if it was made for that. A large one is left as it is: it fills them again. */
const letShrink = (files: Files, database: Database) => {
  if (database.get('pragma auto_vacuum')?.['auto_vacuum'] !== 0) return
  if (bytesOf(files.database) > madeShrinkableMaxBytes) return
  database.script(`${shrinkable}; vacuum`)
}

const shrinkable = 'pragma auto_vacuum = incremental'

const closeInOrder = (files: Files, database: Database, lock: FolderLock) => {
  if (!database.isOpen) return
  try {
    database.close()
    // what was found damaged is read through at the next start
    if (!database.sawDamage) markClosedInOrder(files, database.around)
  } finally {
    lock.release()
  }
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
  const copied = reason !== 'directory' && reason !== 'unreadable' && quarantine(files) !== null
  return new AppError('ledger.damaged', 'The stored data is damaged and was left as it is.', {
    params: { reason, copied },
  })
}
