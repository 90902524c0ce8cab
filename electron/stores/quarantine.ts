import { createHash, type Hash } from 'node:crypto'
import {
  chmodSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, readSync, renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { bytesOf, type Files, privateFileMode, privateFolderMode, statOf, syncFile, syncFolder } from './files.ts'

/**
 * Copies a damaged database and its log into a folder of their own, once for each distinct content; a data folder can
 * be opened there to look at it. Gives back the folder's name in the quarantine, once all of it is on the disk; `null`
 * when there is no copy: a full disk must not hide the damage itself.
 */
export const quarantine = (files: Files): string | null => {
  try {
    if (!statOf(files.database) && !statOf(files.log)) return null
    const name = `parley-${contentOf(files).slice(0, nameLength)}`
    const place = join(files.quarantine, name)
    if (existsSync(place)) return name
    const unborn = `${place}.new`
    rmSync(unborn, { recursive: true, force: true })
    mkdirSync(unborn, { recursive: true, mode: privateFolderMode })
    if (statOf(files.database)) copyAside(files.database, join(unborn, 'parley.db'))
    if (bytesOf(files.log) > 0) copyAside(files.log, join(unborn, 'parley.db-wal'))
    syncFolder(unborn)
    renameSync(unborn, place)
    syncFolder(files.quarantine)
    return name
  } catch {
    return null
  }
}

/** Moves a directory that stands where the database should be; `null` when it cannot be moved. */
export const quarantineDirectory = (files: Files): string | null => {
  try {
    mkdirSync(files.quarantine, { recursive: true, mode: privateFolderMode })
    const name = freeName(files, 'parley-directory')
    renameSync(files.database, join(files.quarantine, name))
    syncFolder(files.quarantine)
    return name
  } catch {
    return null
  }
}

/** How many damaged records are kept. They are as they were found: nothing is ever taken out of them. */
export const quarantinedIn = ({ quarantine: folder }: Files): number => {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.new')).length
  } catch {
    return 0
  }
}

const nameLength = 16
const chunkBytes = 1_048_576

const freeName = (files: Files, wanted: string, number = 1): string => {
  const name = number === 1 ? wanted : `${wanted}-${number}`
  return existsSync(join(files.quarantine, name)) ? freeName(files, wanted, number + 1) : name
}

const copyAside = (from: string, to: string) => {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, privateFileMode)
  syncFile(to)
}

const contentOf = ({ database, log }: Files) => {
  const hash = createHash('sha256')
  for (const path of [database, log]) if (bytesOf(path) > 0) addFile(hash, path)
  return hash.digest('hex')
}

const addFile = (hash: Hash, path: string) => {
  const descriptor = openSync(path, 'r')
  const chunk = Buffer.alloc(chunkBytes)
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
}
