import { copyFileSync, constants, renameSync, rmSync } from 'node:fs'
import type { DamageReason, RestoredNote } from '../../shared/restored.ts'
import { Database } from './database.ts'
import { type Files, makePrivateFile, statOf, syncFile, syncFolder } from './files.ts'
import { newestGood } from './generations.ts'
import { Meta } from './meta.ts'
import { quarantine, quarantineDirectory } from './quarantine.ts'
import { Restored } from './restored.ts'

/**
 * Puts the newest good backup in the place of a damaged record, and a note into it for the person. The damaged one is
 * in the quarantine before anything is changed, and a crash at any point leaves either of them whole. `false`, and
 * nothing changed, where there is no good backup, where the record could not be kept, or where it cannot be read at
 * all, which its owner may still mend.
 */
export const putBack = (files: Files, reason: DamageReason, now: number): boolean => {
  if (reason === 'unreadable') return false
  const generation = newestGood(files)
  if (!generation) return false
  const isThere = statOf(files.database) !== null || statOf(files.log) !== null
  const kept = !isThere ? null : reason === 'directory' ? quarantineDirectory(files) : quarantine(files)
  if (isThere && kept === null) return false
  prepareCopy(files, generation.path, { reason, from: generation.at, at: now, kept })
  // a log that belongs to the damaged file would be replayed into the good one
  for (const path of [files.log, files.index]) rmSync(path, { force: true })
  renameSync(files.unborn, files.database)
  syncFolder(files.folder)
  return true
}

const prepareCopy = ({ unborn }: Files, from: string, note: RestoredNote) => {
  for (const beside of ['', '-wal', '-shm', '-journal']) rmSync(`${unborn}${beside}`, { force: true })
  makePrivateFile(unborn)
  copyFileSync(from, unborn, constants.COPYFILE_FICLONE)
  const database = new Database(unborn, { readOnly: false })
  try {
    new Restored(new Meta(database)).keep(note)
  } finally {
    database.close()
  }
  syncFile(unborn)
}
