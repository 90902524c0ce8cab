import { statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../shared/errors.ts'

/** Throws `usage.bad` for a data folder that never can be one, as a file stands in its place or above it. */
export const refuseFileAsData = (dataFolder: string): void => {
  if (nearest(dataFolder).isDirectory()) return
  throw new AppError('usage.bad', `A file stands where the data folder would be: ${dataFolder}.`)
}

/** Throws `usage.bad` for a working folder that is not there. */
export const refuseMissingWorkdir = (workdir: string): void => {
  if (standing(workdir)?.isDirectory()) return
  throw new AppError('usage.bad', `--workdir names no folder: ${workdir}.`)
}

/** The path itself or what it would be made in. */
const nearest = (path: string): Stats => standing(path) ?? nearest(dirname(path))

const standing = (path: string) => statSync(path, { throwIfNoEntry: false })
