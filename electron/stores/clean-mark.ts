import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import type { Around } from '../../shared/steps.ts'
import { bytesOf, type Files, privateFileMode, statOf } from './files.ts'

const CleanMark = z.object({ bytes: z.number(), modifiedMs: z.number() })

/**
 * Whether the file is the very one that was closed in order. Then it need not be read through at the start,
 * which takes longer the more is stored.
 */
export const closedInOrder = (files: Files): boolean => {
  const mark = readMark(files.cleanMark)
  const now = measure(files)
  return mark !== null && mark.bytes === now.bytes && mark.modifiedMs === now.modifiedMs && bytesOf(files.log) === 0
}

/** Without the mark the next start reads the file through. */
export const markClosedInOrder = (files: Files, around: Around) => {
  try {
    around({ kind: 'file', of: 'clean mark' }, () =>
      writeFileSync(files.cleanMark, JSON.stringify(measure(files)), { mode: privateFileMode }))
  } catch {
    // a full disk is no reason not to end
  }
}

export const forgetMark = (files: Files, around: Around) =>
  around({ kind: 'file', of: 'clean mark removed' }, () => rmSync(files.cleanMark, { force: true }))

const measure = (files: Files) => {
  const stat = statOf(files.database)
  return { bytes: stat?.size ?? 0, modifiedMs: stat?.mtimeMs ?? 0 }
}

const readMark = (path: string) => {
  try {
    return CleanMark.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
