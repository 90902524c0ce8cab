import { describe, expect, test } from 'vitest'
import { checkImage, ImageNote, plainImageName } from '../../shared/attachment.ts'
import { AppError } from '../../shared/errors.ts'
import { imageMaxBytes, imageSideMaxPixels } from '../../shared/limits.ts'
import { gifOf, jpegOf, pngClaiming, pngOf, webpOf } from '../fakes/small-images.ts'

const plain = { name: 'picture', type: '' }

const codeFor = (content: Uint8Array, { name = 'picture', type = '' } = {}) => {
  try {
    return checkImage(content, { name, type })
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}

describe('what an image is and how large is read from its content', () => {
  test.each([
    ['png', pngOf(3, 2), 'image/png', 3, 2],
    ['jpg', jpegOf(640, 480), 'image/jpeg', 640, 480],
    ['a progressive jpeg', jpegOf(7_999, 1, 0xc2), 'image/jpeg', 7_999, 1],
    ['gif', gifOf(300, 200), 'image/gif', 300, 200],
    ['lossy webp', webpOf('VP8 ', 400, 301), 'image/webp', 400, 301],
    ['lossless webp', webpOf('VP8L', 5_000, 7_000), 'image/webp', 5_000, 7_000],
    ['extended webp', webpOf('VP8X', 1, 8_000), 'image/webp', 1, 8_000],
  ])('%s', (_name, content, mime, width, height) => {
    expect(checkImage(content, plain)).toEqual({ mime, width, height })
  })

  test('wherever it lies in a larger buffer', () => {
    const content = pngOf(3, 2)
    const within = Buffer.concat([Buffer.alloc(5), content, Buffer.alloc(5)]).subarray(5, 5 + content.length)
    expect(checkImage(within, plain)).toMatchObject({ width: 3, height: 2 })
  })

  test('bytes behind the end of an image change nothing', () => {
    for (const content of [pngOf(3, 2), jpegOf(3, 2), gifOf(3, 2)])
      expect(checkImage(Buffer.concat([content, Buffer.from('more')]), plain)).toMatchObject({ width: 3, height: 2 })
  })
})

test.each([
  ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
  ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
  ['a TIFF', Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['text', Buffer.from('png')],
  ['a sound in the container of WebP', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ['one byte', Buffer.from([0x89])],
])('%s is no image, whatever it is called', (_name, content) => {
  expect(codeFor(content, { name: 'photo.png', type: 'image/png' })).toBe('image.unsupported')
})

test('an empty file is refused as that', () => {
  expect(codeFor(Buffer.alloc(0), { name: 'photo.png' })).toBe('image.empty')
})

describe('one that was cut off is refused, wherever it was cut', () => {
  test.each([
    ['png', pngOf(30, 20), 8],
    ['jpeg', jpegOf(30, 20), 3],
    ['gif', gifOf(30, 20), 6],
    ['lossy webp', webpOf('VP8 ', 30, 20), 12],
    ['lossless webp', webpOf('VP8L', 30, 20), 12],
    ['extended webp', webpOf('VP8X', 30, 20), 12],
  ])('%s', (_name, content, headLength) => {
    for (let length = headLength; length < content.length; length += 1)
      expect(codeFor(content.subarray(0, length)), `${length} of ${content.length}`).toBe('image.broken')
  })
})

test('an image without a size or without a picture is refused', () => {
  const withoutPicture = pngOf(3, 2)
  withoutPicture.write('IDXT', withoutPicture.indexOf('IDAT'), 'latin1')
  const neverEnding = jpegOf(3, 2)
  neverEnding[neverEnding.length - 1] = 0
  for (const content of [pngOf(0, 2), jpegOf(0, 2), gifOf(2, 0), withoutPicture, neverEnding])
    expect(codeFor(content)).toBe('image.broken')
})

test('lengths that point far beyond the file, or nowhere, end the reading', () => {
  const far = pngOf(3, 2)
  far.writeUInt32BE(0xff_ff_ff_ff, 33)
  const still = jpegOf(3, 2)
  still.writeUInt16BE(0, 4)
  for (const content of [far, still]) expect(codeFor(content)).toBe('image.broken')
})

test.each([
  ['a JPEG called .png', jpegOf(3, 2), { name: 'photo.png' }],
  ['a PNG that claims to be a JPEG', pngOf(3, 2), { type: 'image/jpeg' }],
  ['a PNG with the ending of a text', pngOf(3, 2), { name: 'photo.png.txt' }],
  ['a PNG that ends in a dot', pngOf(3, 2), { name: 'photo.' }],
  ['a GIF that claims to be any file', gifOf(3, 2), { name: 'a.gif', type: 'application/octet-stream' }],
])('%s is refused', (_name, content, claims) => {
  expect(codeFor(content, claims)).toBe('image.mismatch')
})

test.each([
  [pngOf(3, 2), { name: 'Shot.PNG', type: 'image/png' }],
  [jpegOf(3, 2), { name: 'a.b.jpeg', type: 'image/jpeg' }],
  [jpegOf(3, 2), { name: 'a.JPG', type: 'IMAGE/JPG' }],
  [webpOf('VP8X', 3, 2), { name: 'a.webp', type: '' }],
  [gifOf(3, 2), { name: 'clipboard', type: 'image/gif' }],
])('what name, type and content agree on is taken: %#', (content, claims) => {
  expect(codeFor(content, claims)).toMatchObject({ width: 3, height: 2 })
})

test.each([
  ['20,000 pixels on both sides', pngClaiming(20_000, 20_000)],
  ['a number of pixels that no product holds', pngClaiming(2 ** 32 - 1, 2 ** 32 - 1)],
  ['one pixel too much', jpegOf(1, imageSideMaxPixels + 1)],
  ['a frame larger than its screen', gifOf(10, 10, 60_000)],
  ['the largest WebP there is', webpOf('VP8L', 16_384, 16_384)],
])('%s is refused by its header alone', (_name, content) => {
  expect(codeFor(content)).toBe('image.too-wide')
})

test('an image of exactly the largest size is taken, and one byte more is not', () => {
  const content = pngOf(3, 2)
  const padded = (length: number) => Buffer.concat([content, Buffer.alloc(length - content.length)])
  expect(codeFor(padded(imageMaxBytes))).toMatchObject({ width: 3 })
  expect(codeFor(padded(imageMaxBytes + 1))).toBe('image.too-large')
})

test('a name loses its folders and what cannot be seen, and is never empty', () => {
  const names = ['../../etc/shot.png', 'C:\\pictures\\shot.png', 'a\u202egnp.exe\u0000.png', ' \n', 'köln 东.png']
  expect(names.map(plainImageName)).toEqual(['shot.png', 'shot.png', 'agnp.exe.png', 'image', 'köln 东.png'])
})

test('a note holds nothing but what may leave main', () => {
  const note = {
    imageId: 'image_1', name: 'a.png', mime: 'image/png', bytes: 9, width: 3, height: 2, sha256: '0123456789ab',
  }
  expect(ImageNote.parse({ ...note, path: '/secret' })).toEqual(note)
})
