import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Row } from './database.ts'

/** A text in a quarter of its bytes or less, so that its row mostly stays within one page of the file. */
export const packed = (text: string): Uint8Array => deflateRawSync(text, { level: packingLevel })

/** The text that was packed; `null` where there is none that can be read. */
export const unpacked = (value: Row[string] | undefined): string | null => {
  if (!(value instanceof Uint8Array)) return null
  try {
    return inflateRawSync(value).toString()
  } catch {
    return null
  }
}

/** Higher ones take longer and hardly make it smaller. */
const packingLevel = 3
