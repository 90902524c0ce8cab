import { createHash } from 'node:crypto'
import {
  chmodSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync,
  rmSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ImageMime } from '../../shared/image-head.ts'
import type { Around } from '../../shared/steps.ts'
import { privateFileMode, privateFolderMode, removeQuietly, syncFolder } from './files.ts'

/** What a file is found by: the hash of its content, and its kind. */
interface ImageContent {
  sha256: string
  mime: ImageMime
}

/** Keeps private copies of images in one folder, each content once, under its hash. */
export class ImageFiles {
  readonly #folder: string
  readonly #around: Around

  constructor(folder: string, around: Around) {
    this.#folder = folder
    this.#around = around
  }

  /** The copy is on disk when this returns. Throws `image.unkept`, and leaves nothing half written. */
  write(image: ImageContent, content: Uint8Array) {
    const path = this.pathOf(image)
    try {
      this.#makeFolder()
      if (this.#holds(image)) return
      writeWhole(path, content, this.#around)
      this.#around({ kind: 'file', of: 'folder of images' }, () => syncFolder(this.#folder))
    } catch (error) {
      throw new AppError('image.unkept', 'The image could not be kept. Check the disk and the data folder.', {
        cause: error,
      })
    }
  }

  /** The content as it was kept. Throws `image.damaged` when it is missing, changed, or not a private file any more. */
  read(image: ImageContent): Buffer {
    try {
      if (!isOwnFolder(this.#folder)) throw new Error('the folder of images is not ours')
      const content = readPrivate(this.pathOf(image))
      if (sha256Of(content) === image.sha256) return content
      throw new Error('the content is another one')
    } catch (error) {
      throw new AppError('image.damaged', 'The stored copy of an image is missing or was changed.', { cause: error })
    }
  }

  /** Its ending says its kind, because some programs go by that. */
  pathOf({ sha256, mime }: ImageContent): string {
    return join(this.#folder, `${sha256}.${mime.slice('image/'.length)}`)
  }

  /** Removes a copy, of whatever kind. One that cannot be removed now is swept at the next start. */
  drop(sha256: string) {
    if (!isOwnFolder(this.#folder)) return
    for (const mime of ImageMime.options) this.#remove(this.pathOf({ sha256, mime }))
  }

  /**
   * For a start: makes the folder private again, whoever copied it here, and removes every copy that `isWanted` does
   * not know and what a crash left half written; nothing that is not ours. Whole ones are moved `aside` where that is
   * a folder.
   */
  sweep(isWanted: (sha256: string) => boolean, aside: string | null) {
    if (!isOwnFolder(this.#folder)) return
    for (const name of this.#names()) {
      const [, sha256, , unborn] = ours.exec(name) ?? []
      if (sha256 === undefined || (!unborn && isWanted(sha256))) continue
      const path = join(this.#folder, name)
      if (aside === null || unborn) this.#remove(path)
      else moveQuietly(path, aside, name)
    }
  }

  /** One that cannot be removed now is swept at the next start. */
  #remove(path: string) {
    removeQuietly(path, this.#around)
  }

  #names(): string[] {
    try {
      chmodSync(this.#folder, privateFolderMode)
      return readdirSync(this.#folder)
    } catch {
      // what cannot be read stays as it is, and holds up nothing else
      return []
    }
  }

  #makeFolder() {
    mkdirSync(this.#folder, { recursive: true, mode: privateFolderMode })
    if (!isOwnFolder(this.#folder)) throw new Error('the folder of images is not ours')
  }

  #holds(image: ImageContent) {
    try {
      return this.read(image).length > 0
    } catch {
      // a damaged copy is replaced by a sound one
      return false
    }
  }
}

const ours = /^([0-9a-f]{64})\.(png|jpeg|gif|webp)(\.new)?$/

/** Born under another name, so that a copy under its own name is always whole. */
const writeWhole = (path: string, content: Uint8Array, around: Around) => {
  const unborn = `${path}.new`
  rmSync(unborn, { force: true })
  try {
    around({ kind: 'file', of: 'image written' }, () => writeFileSync(unborn, content, whole))
    around({ kind: 'file', of: 'image named' }, () => renameSync(unborn, path))
  } catch (error) {
    rmSync(unborn, { force: true })
    throw error
  }
}

const whole = { flag: 'wx', mode: privateFileMode, flush: true } as const

/** A link is never followed, and a file that others may use is not the one that was written. */
const readPrivate = (path: string): Buffer => {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || !isPrivate(stat.mode)) throw new Error('the file is not private')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** One that leads elsewhere is not ours. */
const isOwnFolder = (folder: string) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Windows keeps no such bits. */
const isPrivate = (mode: number) => process.platform === 'win32' || (mode & 0o077) === 0

const moveQuietly = (path: string, folder: string, name: string) => {
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolderMode })
    renameSync(path, join(folder, name))
  } catch {
    // it stays where it is, and the next start tries again
  }
}

/** The hash by which a content is known. */
export const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
