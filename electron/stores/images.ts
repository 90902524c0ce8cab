import { ImageNote } from '../../shared/attachment.ts'
import { AppError } from '../../shared/errors.ts'
import { imagesPerMessageMax } from '../../shared/limits.ts'
import { textIn } from './columns.ts'
import { type Damage, jsonIn, parsed, toJson } from './damage.ts'
import type { Database, Row } from './database.ts'
import { sha256Of, type ImageFiles } from './image-files.ts'

interface NewImage {
  conversationId: string
  note: Omit<ImageNote, 'sha256' | 'bytes'>
  content: Uint8Array
}

/** Where a content is, compared with its hash just now. */
interface SoundImage {
  file: string
  mime: ImageNote['mime']
}

/** Remembers which image is in which draft, or with which message. Every image is with exactly one of them. */
export class Images {
  readonly #database: Database
  readonly #damage: Damage
  readonly #files: ImageFiles
  #hasTable: boolean | null = null

  constructor(database: Database, damage: Damage, files: ImageFiles) {
    this.#database = database
    this.#damage = damage
    this.#files = files
  }

  /** Puts an image into the draft: first its copy, then its row. Throws `image.too-many` or `image.unkept`. */
  add({ conversationId, note, content }: NewImage): ImageNote {
    if (this.ofDraft(conversationId).length >= imagesPerMessageMax) {
      throw new AppError('image.too-many', 'A message takes no more images. Remove one first.', {
        params: { max: imagesPerMessageMax },
      })
    }
    const sha256 = sha256Of(content)
    const image: ImageNote = { ...note, bytes: content.length, sha256: sha256.slice(0, shownDigits) }
    const record = toJson(ImageNote, image)
    this.#files.write({ sha256, mime: image.mime }, content)
    this.#database.run(
      'insert into images (image_id, conversation_id, sha256, record) values (?, ?, ?, ?)',
      image.imageId, conversationId, sha256, record,
    )
    return image
  }

  ofDraft(conversationId: string): ImageNote[] {
    return this.#notes('conversation_id = ? and queued_id is null and message_id is null', conversationId)
  }

  ofQueued(queuedId: string): ImageNote[] {
    return this.#notes('queued_id = ?', queuedId)
  }

  ofMessage(messageId: string): ImageNote[] {
    return this.#notes('message_id = ?', messageId)
  }

  /** Those of the draft that are named, in that order. Throws `image.unknown`. */
  inDraft(conversationId: string, imageIds: readonly string[]): ImageNote[] {
    const known = new Map(this.ofDraft(conversationId).map((image) => [image.imageId, image]))
    const named = imageIds.flatMap((imageId) => known.get(imageId) ?? [])
    if (named.length === imageIds.length && new Set(imageIds).size === named.length) return named
    throw unknownImage()
  }

  /** Those of the draft wait with a queued message from now on. */
  giveToQueued(queuedId: string, imageIds: readonly string[]) {
    this.#give('queued_id', queuedId, imageIds)
  }

  /** Those of the draft belong to a message from now on. */
  giveToMessage(messageId: string, imageIds: readonly string[]) {
    this.#give('message_id', messageId, imageIds)
  }

  /** What waited with its images has become a message. */
  passOn(queuedId: string, messageId: string) {
    this.#database.run('update images set message_id = ?, queued_id = null where queued_id = ?', messageId, queuedId)
  }

  /** Removing what is not there changes nothing. Throws `image.in-use` for one of a message that was sent. */
  remove(conversationId: string, imageId: string) {
    const row = this.#row(imageId)
    if (row?.['conversation_id'] !== conversationId) return
    if (row['message_id'] !== null) throw new AppError('image.in-use', 'This image belongs to a message.')
    this.#database.run('delete from images where image_id = ?', imageId)
    this.dropUnused([textIn(row, 'sha256')])
  }

  /** The whole image. Throws `image.unknown` or `image.damaged`. */
  read(imageId: string): { content: Buffer; mime: ImageNote['mime'] } {
    const { sha256, mime } = this.#contentOf(imageId)
    return { content: this.#files.read({ sha256, mime }), mime }
  }

  /** Where each of these is kept, after its content was compared with its hash. Throws as `read`. */
  sound(imageIds: readonly string[]): SoundImage[] {
    return imageIds.map((imageId) => {
      const image = this.#contentOf(imageId)
      this.#files.read(image)
      return { file: this.#files.pathOf(image), mime: image.mime }
    })
  }

  /** As `sound`, for all of a message: one that cannot be read is not left out but refused. */
  soundOf(messageId: string): SoundImage[] {
    return this.sound(this.#rows('message_id = ?', messageId).map((row) => textIn(row, 'image_id')))
  }

  /** The hashes of what a conversation, or one queued message, holds. */
  hashesOf(holder: 'conversation_id' | 'queued_id', id: string): string[] {
    return this.#rows(`${holder} = ?`, id).map((row) => textIn(row, 'sha256'))
  }

  /** Removes the copies of contents whose last row is gone. */
  dropUnused(hashes: readonly string[]) {
    for (const sha256 of new Set(hashes)) if (!this.#isUsed(sha256)) this.#files.drop(sha256)
  }

  /**
   * Removes copies that no row names: of what was being removed or added when Parley ended. With a folder to put them
   * aside they are moved there instead.
   */
  sweep(aside: string | null) {
    this.#files.sweep((sha256) => this.#isUsed(sha256), aside)
  }

  #give(holder: 'queued_id' | 'message_id', id: string, imageIds: readonly string[]) {
    for (const [place, imageId] of imageIds.entries()) {
      this.#database.run(
        `update images set ${holder} = ?, place = ? where image_id = ? and queued_id is null and message_id is null`,
        id, place, imageId,
      )
    }
  }

  #notes(where: string, id: string): ImageNote[] {
    return this.#damage.sound('images', 'image_id', this.#rows(where, id), readNote)
  }

  #contentOf(imageId: string) {
    const row = this.#row(imageId)
    if (!row) throw unknownImage()
    return { sha256: textIn(row, 'sha256'), mime: readNote(row).mime }
  }

  #row(imageId: string): Row | undefined {
    return this.#rows('image_id = ?', imageId)[0]
  }

  /** A draft keeps the order in which images came, a message the one in which they were named. */
  #rows(where: string, id: string): Row[] {
    if (!this.#isKnown()) return []
    return this.#database.all(`select * from images where ${where} order by place, position`, id)
  }

  #isUsed(sha256: string): boolean {
    return this.#database.get('select 1 from images where sha256 = ?', sha256) !== undefined
  }

  /** A file that an older Parley wrote is looked at as it is, and has no images. */
  #isKnown(): boolean {
    this.#hasTable ??= this.#database.get(`select 1 from sqlite_master where name = 'images'`) !== undefined
    return this.#hasTable
  }
}

const shownDigits = 12

const readNote = (row: Row): ImageNote => parsed(ImageNote, jsonIn(row, 'record'))

const unknownImage = () => new AppError('image.unknown', 'One of the images is not with this message any more.')
