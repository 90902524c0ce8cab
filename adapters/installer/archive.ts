import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../shared/errors.ts'
import { installArchiveMaxBytes } from '../../shared/limits.ts'

/** The hash of an archive as registries write it. Throws `install.unverified` for what is no file, or too large. */
export const hashArchive = async (file: string, signal: AbortSignal): Promise<string> => {
  const found = await lstat(file)
  if (!found.isFile() || found.size > installArchiveMaxBytes) {
    throw new AppError('install.unverified', 'What was fetched is no archive of a bounded size.')
  }
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash, { signal })
  return `sha512-${hash.digest('base64')}`
}
