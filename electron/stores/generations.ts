import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Files, privateFolderMode, statOf, syncFolderAside } from './files.ts'
import { isGood } from './verify.ts'

/** A verified copy of the whole record. */
interface Generation {
  path: string
  /** When what it holds was read. */
  at: number
}

/** Newest first. What is still being made is none. */
export const generationsIn = ({ backups }: Files): Generation[] =>
  namesIn(backups)
    .flatMap((name) => {
      const [, at] = generationName.exec(name) ?? []
      return at === undefined ? [] : [{ path: join(backups, name), at: Number(at) }]
    })
    .toSorted((one, other) => other.at - one.at)

/** The newest that is still good, looked through again; `null` for none. */
export const newestGood = (files: Files): Generation | null =>
  generationsIn(files).find(({ path }) => isGood(path)) ?? null

/** Where the next one is made; what an earlier start left unfinished is removed. */
export const placeForNext = (files: Files): string => {
  const { backups } = files
  mkdirSync(backups, { recursive: true, mode: privateFolderMode })
  removeUnfinished(files)
  return join(backups, unfinishedName)
}

/** Removes what was made of one that did not come to be. */
export const removeUnfinished = ({ backups }: Files) => {
  if (!statOf(backups)?.isDirectory()) return
  for (const beside of ['', '-journal', '-wal', '-shm']) {
    rmSync(join(backups, `${unfinishedName}${beside}`), { force: true })
  }
}

/** Lets a verified copy count. Gives back those that are too many then, with `kept` to stay, itself included. */
export const promote = async (files: Files, verified: string, at: number, kept: number): Promise<string[]> => {
  const before = generationsIn(files)
  // a clock that was set back must not make it an old one
  const order = Math.max(at, (before[0]?.at ?? 0) + 1)
  await rename(verified, join(files.backups, `parley-${order}.db`))
  await syncFolderAside(files.backups)
  return before.slice(kept - 1).map(({ path }) => path)
}

const generationName = /^parley-(\d{1,16})\.db$/
const unfinishedName = 'unfinished.db'

const namesIn = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
