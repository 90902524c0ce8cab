import { createHash, type Hash } from 'node:crypto'
import { chmodSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, type Files, privateFileMode, privateFolderMode } from './files.ts'

/**
 * Copies a damaged database and its log aside, once for each distinct content.
 * Gives back whether a copy is there: a full disk must not hide the damage itself.
 */
export const quarantine = (files: Files): boolean => {
  try {
    const name = join(files.quarantine, `parley-${contentOf(files).slice(0, nameLength)}.db`)
    if (existsSync(name)) return true
    mkdirSync(files.quarantine, { recursive: true, mode: privateFolderMode })
    if (bytesOf(files.log) > 0) copyAside(files.log, `${name}-wal`)
    if (bytesOf(files.database) > 0) copyAside(files.database, name)
    return true
  } catch {
    return false
  }
}

const nameLength = 16
const chunkBytes = 1_048_576

const copyAside = (from: string, to: string) => {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, privateFileMode)
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
