import {
  accessSync, chmodSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, type Stats,
  statSync, writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { probeBytes } from '../../shared/limits.ts'
import type { Around } from '../../shared/steps.ts'

/** Where everything lies in a data folder. */
export const filesIn = (folder: string) => ({
  folder,
  database: join(folder, 'parley.db'),
  log: join(folder, 'parley.db-wal'),
  index: join(folder, 'parley.db-shm'),
  unborn: join(folder, 'parley.db.new'),
  lock: join(folder, 'parley.lock'),
  probe: join(folder, 'parley.probe'),
  cleanMark: join(folder, 'parley.clean'),
  images: join(folder, 'images'),
  quarantine: join(folder, 'quarantine'),
  backups: join(folder, 'backups'),
})
export type Files = ReturnType<typeof filesIn>

export const privateFileMode = 0o600
export const privateFolderMode = 0o700

/**
 * Makes the folder, private, if it is not there. One that somebody filled before us keeps its mode.
 * Throws `ledger.unwritable`.
 */
export const makeFolder = (folder: string, around: Around) => {
  try {
    around({ kind: 'file', of: 'data folder' }, () => {
      const made = mkdirSync(folder, { recursive: true, mode: privateFolderMode }) !== undefined
      if (!made && readdirSync(folder).length === 0) chmodSync(folder, privateFolderMode)
      accessSync(folder, constants.W_OK | constants.X_OK)
    })
  } catch (error) {
    throw unwritableFolder(error)
  }
}

/** For what the system said of a file that we need. */
export const unwritableFolder = (cause: unknown) =>
  new AppError('ledger.unwritable', 'The data folder cannot be written. Choose another or change its permissions.', {
    cause,
  })

/** Whether the folder takes as much again as a few minutes of work write, and keeps it. Leaves nothing behind. */
export const takesWrites = ({ folder, probe }: Files, around: Around): boolean => {
  try {
    makeFolder(folder, around)
    around({ kind: 'file', of: 'probe' }, () => {
      writeFileSync(probe, Buffer.alloc(probeBytes), { mode: privateFileMode, flush: true })
    })
    return true
  } catch {
    return false
  } finally {
    removeQuietly(probe, around)
  }
}

/** What cannot be removed now is in nobody's way. */
export const removeQuietly = (path: string, around: Around) => {
  try {
    around({ kind: 'file', of: 'removal' }, () => rmSync(path, { force: true }))
  } catch {
    // the next time tries again
  }
}

/** `null` for a file that is not there. Throws what the system says for one that cannot be looked at. */
export const statOf = (path: string): Stats | null => statSync(path, { throwIfNoEntry: false }) ?? null

/** How many bytes a file has; 0 for none. */
export const bytesOf = (path: string): number => statOf(path)?.size ?? 0

/** Makes an empty file that only its owner can read. Throws when one is there. */
export const makePrivateFile = (path: string) => closeSync(openSync(path, 'wx', privateFileMode))

/** Waits until the disk holds all of a file. */
export const syncFile = (path: string) => {
  // Windows flushes only what is open for writing
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes a rename in the folder durable. Windows does this by itself and refuses to be asked. */
export const syncFolder = (folder: string) => {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** As `syncFolder`, while main goes on. */
export const syncFolderAside = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
