import { crc32, deflateSync } from 'node:zlib'

/** A PNG that any program draws: one colour for each pixel, as red, green and blue. */
export const pngOf = (
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly [number, number, number] = () => [40, 90, 160],
): Buffer => {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_each, x) => colourAt(x, y)).flat()]))
  return pngWith(width, height, deflateSync(Buffer.concat(rows)))
}

/** A PNG that says a size and has a picture of another one: what a header claims costs nothing. */
export const pngClaiming = (width: number, height: number): Buffer => pngWith(width, height, deflateSync(Buffer.of(0)))

const pngWith = (width: number, height: number, picture: Buffer): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', picture),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (name: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A JPEG with a comment in front of its frame; its picture data mean nothing. */
export const jpegOf = (width: number, height: number, frame = 0xc0): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0x00, 0x06, 0xff, 0xc0, 0x00, 0x09]),
    Buffer.from([0xff, frame, 0x00, 0x0b, 0x08]),
    size,
    Buffer.from([0x01, 0x01, 0x11, 0x00, 0xff, 0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00]),
    Buffer.from([0x5a, 0xa5, 0xff, 0xd9]),
  ])
}

/** A GIF with one frame, with a colour table and a note before it. */
export const gifOf = (width: number, height: number, frameWidth = width): Buffer => {
  const size = (w: number, h: number) => Buffer.from([w & 0xff, w >> 8, h & 0xff, h >> 8])
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    size(width, height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xfe, 3, 0x68, 0x69, 0x3b, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0]),
    size(frameWidth, height),
    Buffer.from([0, 2, 2, 0x44, 1, 0, 0x3b]),
  ])
}

/** A WebP of one of its three kinds. */
export const webpOf = (kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer => {
  const content = webpContents[kind](width, height)
  const [all, own] = [Buffer.alloc(4), Buffer.alloc(4)]
  all.writeUInt32LE(12 + content.length)
  own.writeUInt32LE(content.length)
  return Buffer.concat([
    Buffer.from('RIFF', 'latin1'), all, Buffer.from('WEBP', 'latin1'), Buffer.from(kind, 'latin1'), own, content,
  ])
}

const webpContents = {
  'VP8 ': (width: number, height: number) => {
    const content = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 0, 0])
    content.writeUInt16LE(width, 6)
    content.writeUInt16LE(height, 8)
    return content
  },
  VP8L: (width: number, height: number) => {
    const content = Buffer.alloc(10)
    content[0] = 0x2f
    content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
    return content
  },
  VP8X: (width: number, height: number) => {
    const content = Buffer.alloc(10)
    content.writeUIntLE(width - 1, 4, 3)
    content.writeUIntLE(height - 1, 7, 3)
    return content
  },
}
