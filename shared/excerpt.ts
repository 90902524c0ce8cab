/** `text` within `limit` characters: whole, or its beginning and its end with a note of what is missing. */
export const excerpt = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const note = `\n[… ${text.length - limit} or more characters left out …]\n`
  const room = limit - note.length
  if (room < 2) return text.slice(0, limit)
  const head = Math.ceil(room / 2)
  return wholeCharacters(text.slice(0, head)) + note + wholeCharacters(text.slice(text.length - (room - head)))
}

/** `text` as one line of at most `limit` characters. */
export const oneLine = (text: string, limit: number): string => {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return plain.length <= limit ? plain : `${wholeCharacters(plain.slice(0, limit - 1)).trimEnd()}…`
}

/** A cut may have halved a character outside the basic plane at either end. */
const wholeCharacters = (text: string): string => text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
