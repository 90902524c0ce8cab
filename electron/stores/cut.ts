/** Stands where a text was longer than what is kept. */
const cutMark = '\n\n[…]'

/** The first `room` characters and a visible mark, or the whole text where it fits. */
export const cutTo = (text: string, room: number): string => {
  if (text.length <= room) return text
  if (room <= 0) return ''
  const end = isHighSurrogate(text.charCodeAt(room - 1)) ? room - 1 : room
  return text.slice(0, end) + cutMark
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
