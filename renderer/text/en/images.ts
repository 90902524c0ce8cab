import { count } from './counting.ts'

/** The words of images. */
export const images = {
  images: {
    add: 'Add images',
    addTip: 'Add images. They can be pasted or dropped here too',
    list: 'Images of this message',
    adding: (n: number) => `Adding ${count(n, 'image', 'images')}…`,
    room: (n: number, all: number) => `${n} of ${all} images`,
    open: (name: string) => `Show ${name}`,
    remove: (name: string) => `Remove ${name}`,
    missing: (name: string) => `${name} cannot be shown`,
    refused: (name: string, why: string) => `${name}: ${why}`,
    notTaken: (names: string) =>
      `Not everyone takes these images: ${names}. Take images off, or ask without those. Nothing was sent.`,
    cannot: (names: string) => `${names}: cannot be given so many images. Take images off, or do not ask them.`,
    facts: (width: string, height: string, size: string) => `${width} × ${height}, ${size}`,
    queued: (n: number) => `with ${count(n, 'image', 'images')}`,
    sent: (n: number) => `and ${count(n, 'image', 'images')}`,
  },
}
