import * as z from 'zod'
import { AppError } from './errors.ts'
import { Id } from './ids.ts'
import { ImageMime, readImageHead, type ImageHead } from './image-head.ts'
import {
  imageCommandMaxBytes,
  imageMaxBytes,
  imageNameMaxCharacters,
  imageSideMaxPixels,
  imagesPerMessageMax,
} from './limits.ts'

export const ImageName = z.string().min(1).max(imageNameMaxCharacters)

/** What is known of a kept image. Its bytes and its place stay in main. */
export const ImageNote = z.object({
  imageId: Id,
  name: ImageName,
  /** As its content says. */
  mime: ImageMime,
  bytes: z.number().int().positive().max(imageMaxBytes),
  width: z.number().int().positive().max(imageSideMaxPixels),
  height: z.number().int().positive().max(imageSideMaxPixels),
  /** The first twelve digits of its content's hash. */
  sha256: z.string().length(12),
})
export type ImageNote = z.infer<typeof ImageNote>

export const ImageNotes = z.array(ImageNote).max(imagesPerMessageMax).readonly().default([])

/** The whole image as a `data:` address, which is all that the page's policy lets it draw. */
export const ImagePreview = z.string().startsWith('data:image/').max(imageCommandMaxBytes)

/**
 * Decides by content what a file is. `type` is what the file claims to be; empty claims nothing.
 * Throws `image.empty`, `image.too-large`, `image.unsupported`, `image.broken`, `image.mismatch`, `image.too-wide`.
 */
export const checkImage = (content: Uint8Array, { name, type }: { name: string; type: string }): ImageHead => {
  refuseSize(content.length)
  const head = readImageHead(content)
  if (!head) throw new AppError('image.unsupported', 'This is no PNG, JPEG, GIF or WebP image.')
  if (!agrees(head.mime, endingOf(name), type.toLowerCase())) {
    throw new AppError('image.mismatch', 'The file is another kind of image than its name or its type says.', {
      params: { found: head.mime },
    })
  }
  if (Math.max(head.width, head.height) > imageSideMaxPixels) {
    throw new AppError('image.too-wide', 'The image has too many pixels on one side. Make it smaller first.', {
      params: { maxPixels: imageSideMaxPixels },
    })
  }
  return head
}

/** Refuses by size alone, before anything is read. Throws `image.empty` or `image.too-large`. */
export const refuseSize = (bytes: number): void => {
  if (bytes === 0) throw new AppError('image.empty', 'The file is empty.')
  if (bytes <= imageMaxBytes) return
  throw new AppError('image.too-large', 'The image is too large. Make it smaller first.', {
    params: { maxBytes: imageMaxBytes },
  })
}

/** A name without its folders and without characters that draw nothing or turn the line around. */
export const plainImageName = (name: string): string =>
  name.split(/[/\\]/).at(-1)?.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim() || 'image'

const agrees = (mime: ImageMime, ending: string | null, type: string) =>
  (ending === null || endings[mime].includes(ending)) && (type === '' || types[mime].includes(type))

/** What the last dot of a name begins, in small letters; `null` for a name without one. */
const endingOf = (name: string): string | null => {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? null : name.slice(dot + 1).toLowerCase()
}

const endings: Readonly<Record<ImageMime, readonly string[]>> = {
  'image/png': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
}

const types: Readonly<Record<ImageMime, readonly string[]>> = {
  'image/png': ['image/png', 'image/apng'],
  'image/jpeg': ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  'image/gif': ['image/gif'],
  'image/webp': ['image/webp'],
}
