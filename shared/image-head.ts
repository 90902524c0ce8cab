import * as z from 'zod'
import { AppError } from './errors.ts'

export const ImageMime = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
export type ImageMime = z.infer<typeof ImageMime>

export interface ImageHead {
  mime: ImageMime
  width: number
  height: number
}

/**
 * Reads what an image is and how large from its own bytes, and follows its parts to their end without decoding them.
 * `null` for what is none of the four kinds. Throws `image.broken` where it begins as one and is not whole.
 */
export const readImageHead = (content: Uint8Array): ImageHead | null => {
  const kind = kinds.find(({ begins }) => begins(content))
  if (!kind) return null
  const size = sizeOf(kind, content)
  if (!size || size.width === 0 || size.height === 0) {
    throw new AppError('image.broken', 'The image is not whole, or it has no size.')
  }
  return { mime: kind.mime, ...size }
}

interface Size {
  width: number
  height: number
}

interface Kind {
  mime: ImageMime
  begins: (content: Uint8Array) => boolean
  /** `null`, or a `RangeError` for a read beyond the end, where it is not whole. */
  size: (view: DataView) => Size | null
}

const sizeOf = ({ size }: Kind, content: Uint8Array): Size | null => {
  try {
    return size(new DataView(content.buffer, content.byteOffset, content.byteLength))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const startsWith = (content: Uint8Array, bytes: readonly number[], at = 0) =>
  bytes.every((byte, index) => content[at + index] === byte)

const codes = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))
const textAt = (view: DataView, at: number, length: number) =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)))

/** Chunks with their length in front, from `IHDR` to `IEND`, with picture data between. */
const sizeOfPng = (view: DataView): Size | null => {
  if (textAt(view, 12, 4) !== 'IHDR' || view.getUint32(8) !== 13) return null
  let hasPicture = false
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const name = textAt(view, at + 4, 4)
    // the checksum behind the chunk is its last byte
    view.getUint8(at + 11 + view.getUint32(at))
    if (name === 'IDAT') hasPicture = true
    if (name === 'IEND') break
  }
  return hasPicture ? { width: view.getUint32(16), height: view.getUint32(20) } : null
}

/** Segments up to the picture data, the frame's among them, and the mark of the end somewhere behind. */
const sizeOfJpeg = (view: DataView): Size | null => {
  let size: Size | null = null
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (marker === 0xda) return size && endsAsJpeg(view, at) ? size : null
    else if (marker === 0xd9) return null
    else {
      if (isFrame(marker)) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
      at += 2 + Math.max(2, view.getUint16(at + 2))
    }
  }
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const endsAsJpeg = (view: DataView, from: number) => {
  for (let at = view.byteLength - 2; at > from; at -= 1) if (view.getUint16(at) === 0xff_d9) return true
  return false
}

/** Blocks up to the trailer. A frame may be larger than the screen it is drawn on. */
const sizeOfGif = (view: DataView): Size | null => {
  let width = view.getUint16(6, true)
  let height = view.getUint16(8, true)
  let frames = 0
  for (let at = 13 + colours(view.getUint8(10)); ;) {
    const block = view.getUint8(at)
    if (block === 0x3b) return frames > 0 ? { width, height } : null
    if (block === 0x21) at = afterParts(view, at + 2)
    else if (block === 0x2c) {
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
      frames += 1
      at = afterParts(view, at + 11 + colours(view.getUint8(at + 9)))
    } else return null
  }
}

const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Parts say their length in one byte; an empty one is the last. */
const afterParts = (view: DataView, from: number): number => {
  let at = from
  while (view.getUint8(at) > 0) at += 1 + view.getUint8(at)
  return at + 1
}

/** One container that says its length, with the size in its first chunk. */
const sizeOfWebp = (view: DataView): Size | null => {
  if (view.getUint32(4, true) + 8 > view.byteLength) return null
  switch (textAt(view, 12, 4)) {
    case 'VP8 ':
      if (view.getUint8(23) !== 0x9d || view.getUint8(24) !== 0x01 || view.getUint8(25) !== 0x2a) return null
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return view.getUint8(20) === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return null
  }
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00

const kinds: readonly Kind[] = [
  {
    mime: 'image/png',
    begins: (content) => startsWith(content, [0x89, ...codes('PNG\r\n'), 0x1a, 0x0a]),
    size: sizeOfPng,
  },
  { mime: 'image/jpeg', begins: (content) => startsWith(content, [0xff, 0xd8, 0xff]), size: sizeOfJpeg },
  {
    mime: 'image/gif',
    begins: (content) => startsWith(content, codes('GIF87a')) || startsWith(content, codes('GIF89a')),
    size: sizeOfGif,
  },
  {
    mime: 'image/webp',
    begins: (content) => startsWith(content, codes('RIFF')) && startsWith(content, codes('WEBP'), 8),
    size: sizeOfWebp,
  },
]
